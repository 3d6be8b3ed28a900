package dev.parley.persistence.sqlite.table;

import dev.parley.persistence.sql.table.Columns;
import java.util.List;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** The messages as schema 11 has them (storage 1.2), and the columns that later versions added (storage 4.5). */
public final class MessageTable {
    /** The table. */
    public static final Table<Record> TABLE = Columns.table("messages");

    public static final Field<Long> ID = Columns.integer(TABLE, "id");
    public static final Field<String> SESSION_ID = Columns.text(TABLE, "session_id");
    public static final Field<String> ROLE = Columns.text(TABLE, "role");
    public static final Field<String> CONTENT = Columns.text(TABLE, "content");
    public static final Field<String> TOOL_CALL_ID = Columns.text(TABLE, "tool_call_id");
    public static final Field<String> TOOL_CALLS = Columns.text(TABLE, "tool_calls");
    public static final Field<String> TOOL_NAME = Columns.text(TABLE, "tool_name");
    public static final Field<Double> TIMESTAMP = Columns.real(TABLE, "timestamp");
    public static final Field<Long> TOKEN_COUNT = Columns.integer(TABLE, "token_count");
    public static final Field<String> FINISH_REASON = Columns.text(TABLE, "finish_reason");
    public static final Field<String> REASONING = Columns.text(TABLE, "reasoning");
    public static final Field<String> REASONING_CONTENT = Columns.text(TABLE, "reasoning_content");
    public static final Field<String> REASONING_DETAILS = Columns.text(TABLE, "reasoning_details");
    public static final Field<String> CODEX_REASONING_ITEMS = Columns.text(TABLE, "codex_reasoning_items");
    public static final Field<String> CODEX_MESSAGE_ITEMS = Columns.text(TABLE, "codex_message_items");

    /** All columns, in the order of the table. */
    public static final List<Field<?>> ALL = List.of(
            ID,
            SESSION_ID,
            ROLE,
            CONTENT,
            TOOL_CALL_ID,
            TOOL_CALLS,
            TOOL_NAME,
            TIMESTAMP,
            TOKEN_COUNT,
            FINISH_REASON,
            REASONING,
            REASONING_CONTENT,
            REASONING_DETAILS,
            CODEX_REASONING_ITEMS,
            CODEX_MESSAGE_ITEMS);

    /** 0 for a hidden message; added with the first of them (storage 4.5). */
    public static final Field<Long> ACTIVE = Columns.integer(TABLE, "active");

    /** 1 for a message hidden behind a summary. */
    public static final Field<Long> COMPACTED = Columns.integer(TABLE, "compacted");

    private MessageTable() {}
}
