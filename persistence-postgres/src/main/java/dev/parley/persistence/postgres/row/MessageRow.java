package dev.parley.persistence.postgres.row;

import dev.parley.domain.search.IndexedTerms;
import dev.parley.domain.search.SearchedMessage;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.persistence.postgres.json.ContentText;
import dev.parley.persistence.postgres.table.MessageTable;
import dev.parley.persistence.sql.json.RawJsonText;
import dev.parley.persistence.sql.json.ToolCallsText;
import dev.parley.persistence.sql.row.MessageKinds;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * A message ready to be stored: everything that can be done before a transaction has been done.
 *
 * @param uid the writer's id of the message
 * @param at its time in nanoseconds
 * @param toolCalls what it adds to its session's tool call counter
 * @param values the values of {@link #INSERTED} behind session and state, in order
 */
public record MessageRow(String uid, long at, int toolCalls, List<@Nullable Object> values) {
    /** The columns that an insert fills; the first three are the session, the state and the id. */
    public static final List<Field<?>> INSERTED = inserted();

    private static List<Field<?>> inserted() {
        List<Field<?>> columns = new ArrayList<>();
        columns.add(MessageTable.SESSION_ID);
        columns.add(MessageTable.STATE);
        columns.add(MessageTable.UID);
        columns.addAll(MessageTable.ALL.subList(4, MessageTable.ALL.size()));
        return List.copyOf(columns);
    }

    /** Returns the row of a message as it is appended, with its reasoning whatever its role (storage 4.1). */
    public static MessageRow of(Message message) {
        return of(message, message.reasoning(), false);
    }

    /** Returns the row of a message that was stored before: JSON that says nothing stays what it is (storage 6). */
    public static MessageRow unchanged(Message message) {
        return of(message, message.reasoning(), true);
    }

    /** Returns the row of a message of a replaced conversation: only the assistant keeps reasoning (storage 4.2). */
    public static MessageRow replacing(Message message) {
        return of(message, message.role().equals(Role.ASSISTANT) ? message.reasoning() : Reasoning.NONE, false);
    }

    private static MessageRow of(Message message, Reasoning reasoning, boolean unchanged) {
        long at = Time.nanos(message.at());
        List<@Nullable Object> values = new ArrayList<>(INSERTED.size());
        values.add(message.id().value());
        values.add(message.role().name());
        values.add(ContentText.write(message.content()));
        values.add(ContentText.isParts(message.content()));
        values.add(message.toolCallId().orElse(null));
        values.add(
                unchanged
                        ? ToolCallsText.writeUnchanged(message.toolCalls())
                        : ToolCallsText.write(message.toolCalls()));
        values.add(message.toolName().orElse(null));
        values.add(at);
        values.add(message.tokenCount().map(Integer::longValue).orElse(null));
        values.add(message.finishReason().orElse(null));
        values.add(reasoning.text().orElse(null));
        values.add(reasoning.content().orElse(null));
        values.add(json(reasoning.details(), unchanged));
        values.add(json(reasoning.codexItems(), unchanged));
        values.add(json(reasoning.codexMessageItems(), unchanged));
        values.add(message.platformMessageId().orElse(null));
        values.add(MessageKinds.write(message.kind()));
        values.add(TermsText.of(IndexedTerms.of(new SearchedMessage(message).indexed())));
        return new MessageRow(
                message.id().value(),
                at,
                message.toolCalls().map(ToolCalls::count).orElse(0),
                values);
    }

    private static @Nullable String json(Optional<RawJson> json, boolean unchanged) {
        return unchanged ? RawJsonText.writeUnchanged(json) : RawJsonText.write(json);
    }

    /** Returns the values of {@link #INSERTED} and the column of the index behind them, in order. */
    public @Nullable Object[] values(String session, StoredMessage.State state) {
        @Nullable Object[] all = new @Nullable Object[values.size() + 2];
        all[0] = session;
        all[1] = state(state);
        for (int i = 0; i < values.size(); i++) {
            all[i + 2] = values.get(i);
        }
        return all;
    }

    /** Returns the state as its column holds it. */
    public static long state(StoredMessage.State state) {
        return switch (state) {
            case ACTIVE -> MessageTable.ACTIVE;
            case COMPACTED -> MessageTable.COMPACTED;
            case REWOUND -> MessageTable.REWOUND;
        };
    }

    /** Returns the state that a column holds. */
    public static StoredMessage.State state(long column) {
        if (column == MessageTable.ACTIVE) {
            return StoredMessage.State.ACTIVE;
        }
        return column == MessageTable.COMPACTED ? StoredMessage.State.COMPACTED : StoredMessage.State.REWOUND;
    }

    /** Returns the message. */
    public static StoredMessage read(Row row) throws SQLException {
        OptionalLong tokens = row.optionalNumber(MessageTable.TOKEN_COUNT);
        Message message = Message.builder(
                        new MessageId(row.text(MessageTable.UID)),
                        new Role(row.text(MessageTable.ROLE)),
                        ContentText.read(row.textOrNull(MessageTable.CONTENT), row.flag(MessageTable.PARTS)),
                        Time.ofNanos(row.number(MessageTable.AT)))
                .toolCallId(row.textOrNull(MessageTable.TOOL_CALL_ID))
                .toolName(row.textOrNull(MessageTable.TOOL_NAME))
                .toolCalls(ToolCallsText.read(row.textOrNull(MessageTable.TOOL_CALLS))
                        .orElse(null))
                .finishReason(row.textOrNull(MessageTable.FINISH_REASON))
                .reasoning(reasoning(row))
                .tokenCount(tokens.isPresent() ? (int) tokens.getAsLong() : null)
                .platformMessageId(row.textOrNull(MessageTable.PLATFORM_MESSAGE_ID))
                .kind(MessageKinds.read(row.text(MessageTable.KIND)))
                .build();
        return new StoredMessage(
                row.number(MessageTable.SEQ),
                SessionId.of(row.text(MessageTable.SESSION_ID)),
                message,
                state(row.number(MessageTable.STATE)));
    }

    private static Reasoning reasoning(Row row) throws SQLException {
        return new Reasoning(
                row.optional(MessageTable.REASONING),
                row.optional(MessageTable.REASONING_CONTENT),
                RawJsonText.read(row.textOrNull(MessageTable.REASONING_DETAILS)),
                RawJsonText.read(row.textOrNull(MessageTable.CODEX_REASONING_ITEMS)),
                RawJsonText.read(row.textOrNull(MessageTable.CODEX_MESSAGE_ITEMS)));
    }
}
