package dev.parley.persistence.postgres.table;

import dev.parley.persistence.sql.table.Columns;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** The messages of all sessions, in the order they were stored. */
public final class MessageTable {
    /** The table. */
    public static final Table<Record> TABLE = Columns.table("parley_messages");

    public static final Field<Long> SEQ = Columns.integer(TABLE, "seq");
    public static final Field<String> SESSION_ID = Columns.text(TABLE, "session_id");
    public static final Field<String> UID = Columns.text(TABLE, "uid");
    public static final Field<Long> STATE = Columns.integer(TABLE, "state");
    public static final Field<String> ROLE = Columns.text(TABLE, "role");
    public static final Field<String> CONTENT = Columns.text(TABLE, "content");

    /** Whether the content is a list of parts, as JSON. */
    public static final Field<Boolean> PARTS = Columns.flag(TABLE, "parts");

    public static final Field<String> TOOL_CALL_ID = Columns.text(TABLE, "tool_call_id");
    public static final Field<String> TOOL_CALLS = Columns.text(TABLE, "tool_calls");
    public static final Field<String> TOOL_NAME = Columns.text(TABLE, "tool_name");
    public static final Field<Long> AT = Columns.integer(TABLE, "at");
    public static final Field<Long> TOKEN_COUNT = Columns.integer(TABLE, "token_count");
    public static final Field<String> FINISH_REASON = Columns.text(TABLE, "finish_reason");
    public static final Field<String> REASONING = Columns.text(TABLE, "reasoning");
    public static final Field<String> REASONING_CONTENT = Columns.text(TABLE, "reasoning_content");
    public static final Field<String> REASONING_DETAILS = Columns.text(TABLE, "reasoning_details");
    public static final Field<String> CODEX_REASONING_ITEMS = Columns.text(TABLE, "codex_reasoning_items");
    public static final Field<String> CODEX_MESSAGE_ITEMS = Columns.text(TABLE, "codex_message_items");
    public static final Field<String> PLATFORM_MESSAGE_ID = Columns.text(TABLE, "platform_message_id");
    public static final Field<String> KIND = Columns.text(TABLE, "kind");

    /** All columns that are read, in the order of the table; those of the search index aside. */
    public static final List<Field<?>> ALL = List.of(
            SEQ,
            SESSION_ID,
            UID,
            STATE,
            ROLE,
            CONTENT,
            PARTS,
            TOOL_CALL_ID,
            TOOL_CALLS,
            TOOL_NAME,
            AT,
            TOKEN_COUNT,
            FINISH_REASON,
            REASONING,
            REASONING_CONTENT,
            REASONING_DETAILS,
            CODEX_REASONING_ITEMS,
            CODEX_MESSAGE_ITEMS,
            PLATFORM_MESSAGE_ID,
            KIND);

    /** What search looks up: one lexeme per word, per character of scripts without blanks, and per pair of those. */
    public static final Field<String> TERMS = Columns.text(TABLE, "terms");

    /** A message that belongs to its conversation. */
    public static final long ACTIVE = 0;
    /** A message that stands behind a summary. */
    public static final long COMPACTED = 1;
    /** A message that was taken back. */
    public static final long REWOUND = 2;

    private MessageTable() {}
}
