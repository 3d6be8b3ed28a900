package dev.parley.persistence.sqlite.row;

import static dev.parley.domain.text.Unicode.wellFormed;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.persistence.sql.json.RawJsonText;
import dev.parley.persistence.sql.json.ToolCallsText;
import dev.parley.persistence.sql.row.MessageKinds;
import dev.parley.persistence.sql.row.SessionIds;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sqlite.json.ContentText;
import dev.parley.persistence.sqlite.statement.Seconds;
import dev.parley.persistence.sqlite.table.ExtraTables;
import dev.parley.persistence.sqlite.table.MessageTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jooq.CaseConditionStep;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * A message ready to be stored: everything that can be done before a transaction has been done.
 *
 * @param uid the writer's id of the message
 * @param at its time, as the column holds it
 * @param toolCalls what it adds to its session's tool call counter
 * @param platformMessageId its id on its platform, or null
 * @param kind what it is to the transcript
 * @param columns the values of {@link MessageTable#ALL} without the row's number and the session, in order
 */
public record MessageRow(
        String uid,
        double at,
        int toolCalls,
        @Nullable String platformMessageId,
        String kind,
        List<@Nullable Object> columns) {
    /** The columns that {@link #read} needs; those of {@link ExtraTables.Messages} by outer join. */
    public static final List<Field<?>> READ = columns0();

    private static List<Field<?>> columns0() {
        List<Field<?>> columns = new ArrayList<>(MessageTable.ALL);
        columns.add(ExtraTables.Messages.UID);
        columns.add(ExtraTables.Messages.PLATFORM_MESSAGE_ID);
        columns.add(Given.SQL.as(Given.FIELD));
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
        double at = Seconds.write(message.at());
        List<@Nullable Object> columns = new ArrayList<>(MessageTable.ALL.size());
        columns.add(wellFormed(message.role().name()));
        columns.add(ContentText.write(message.content()));
        columns.add(text(message.toolCallId()));
        columns.add(
                unchanged
                        ? ToolCallsText.writeUnchanged(message.toolCalls())
                        : ToolCallsText.write(message.toolCalls()));
        columns.add(text(message.toolName()));
        columns.add(at);
        columns.add(message.tokenCount().map(Integer::longValue).orElse(null));
        columns.add(text(message.finishReason()));
        columns.add(text(reasoning.text()));
        columns.add(text(reasoning.content()));
        columns.add(json(reasoning.details(), unchanged));
        columns.add(json(reasoning.codexItems(), unchanged));
        columns.add(json(reasoning.codexMessageItems(), unchanged));
        return new MessageRow(
                wellFormed(message.id().value()),
                at,
                message.toolCalls().map(ToolCalls::count).orElse(0),
                text(message.platformMessageId()),
                MessageKinds.write(message.kind()),
                columns);
    }

    private static @Nullable String json(Optional<RawJson> json, boolean unchanged) {
        return unchanged ? RawJsonText.writeUnchanged(json) : RawJsonText.write(json);
    }

    /** Returns all values of {@link MessageTable#ALL}, in order, for a row of this number in this session. */
    public @Nullable Object[] values(long row, String session) {
        @Nullable Object[] values = new @Nullable Object[columns.size() + 2];
        values[0] = row;
        values[1] = session;
        for (int i = 0; i < columns.size(); i++) {
            values[i + 2] = columns.get(i);
        }
        return values;
    }

    /** Returns the message; absent where its session's id is none that Parley accepts. */
    public static Optional<StoredMessage> read(Row row) throws SQLException {
        Optional<SessionId> session = SessionIds.read(row.optional(MessageTable.SESSION_ID));
        return session.isEmpty() ? Optional.empty() : Optional.of(read(row, session.get()));
    }

    /** Returns the message of this session. */
    public static StoredMessage read(Row row, SessionId session) throws SQLException {
        long number = row.number(MessageTable.ID);
        String uid = row.text(ExtraTables.Messages.UID);
        Given given = new Given(row.number(Given.FIELD));
        Role usual = given.role();
        Message.Builder message = Message.builder(
                uid.isBlank() ? MessageId.ofRow(number) : new MessageId(uid),
                usual == null ? new Role(row.text(MessageTable.ROLE)) : usual,
                ContentText.read(row.textOrNull(MessageTable.CONTENT)),
                Seconds.read(row.real(MessageTable.TIMESTAMP)));
        if (given.has(Given.TOOL)) {
            message.toolCallId(row.textOrNull(MessageTable.TOOL_CALL_ID))
                    .toolName(row.textOrNull(MessageTable.TOOL_NAME));
        }
        if (given.has(Given.CALLS)) {
            message.toolCalls(
                    ToolCallsText.read(row.textOrNull(MessageTable.TOOL_CALLS)).orElse(null));
        }
        if (given.has(Given.FINISH)) {
            message.finishReason(row.textOrNull(MessageTable.FINISH_REASON));
        }
        if (given.has(Given.REASONING)) {
            message.reasoning(reasoning(row));
        }
        if (given.has(Given.NOTES)) {
            OptionalLong tokens = row.optionalNumber(MessageTable.TOKEN_COUNT);
            message.tokenCount(tokens.isPresent() ? Math.toIntExact(clamp(tokens.getAsLong())) : null)
                    .platformMessageId(row.textOrNull(ExtraTables.Messages.PLATFORM_MESSAGE_ID));
        }
        message.kind(given.kind());
        return new StoredMessage(number, session, message.build(), given.state());
    }

    private static Reasoning reasoning(Row row) throws SQLException {
        return new Reasoning(
                row.optional(MessageTable.REASONING),
                row.optional(MessageTable.REASONING_CONTENT),
                RawJsonText.read(row.textOrNull(MessageTable.REASONING_DETAILS)),
                RawJsonText.read(row.textOrNull(MessageTable.CODEX_REASONING_ITEMS)),
                RawJsonText.read(row.textOrNull(MessageTable.CODEX_MESSAGE_ITEMS)));
    }

    /**
     * What a row has of what most rows have not, and which of the usual roles, in one number: to ask the driver for a column costs more than
     * the column.
     *
     * @param bits the number
     */
    private record Given(long bits) {
        static final int TOOL = 1;
        static final int CALLS = 2;
        static final int FINISH = 4;
        static final int REASONING = 8;
        static final int NOTES = 16;
        static final int SUMMARY = 32;
        static final int HIDDEN = 64;
        static final int COMPACTED = 128;
        static final int STEERED = 256;
        /** Above these, the number of the role among the usual ones; 0 for another one. */
        static final int ROLES = 512;

        static final List<Role> USUAL = List.of(Role.USER, Role.ASSISTANT, Role.TOOL, Role.SYSTEM);

        static final Field<Long> FIELD = DSL.field(DSL.name("given"), SQLDataType.BIGINT);
        static final Field<Integer> SQL = bit(TOOL, any(MessageTable.TOOL_CALL_ID, MessageTable.TOOL_NAME))
                .plus(bit(CALLS, any(MessageTable.TOOL_CALLS)))
                .plus(bit(FINISH, any(MessageTable.FINISH_REASON)))
                .plus(bit(
                        REASONING,
                        any(
                                MessageTable.REASONING,
                                MessageTable.REASONING_CONTENT,
                                MessageTable.REASONING_DETAILS,
                                MessageTable.CODEX_REASONING_ITEMS,
                                MessageTable.CODEX_MESSAGE_ITEMS)))
                .plus(bit(NOTES, any(MessageTable.TOKEN_COUNT, ExtraTables.Messages.PLATFORM_MESSAGE_ID)))
                .plus(bit(SUMMARY, ExtraTables.Messages.KIND.eq(DSL.inline(MessageKinds.write(Message.Kind.SUMMARY)))))
                .plus(bit(STEERED, ExtraTables.Messages.KIND.eq(DSL.inline(MessageKinds.write(Message.Kind.STEERED)))))
                .plus(bit(HIDDEN, MessageTable.ACTIVE.eq(DSL.inline(0L))))
                .plus(bit(COMPACTED, MessageTable.COMPACTED.ne(DSL.inline(0L))))
                .plus(usualRole());

        private static Field<Integer> usualRole() {
            CaseConditionStep<Integer> number = DSL.when(isRole(0), DSL.inline(ROLES));
            for (int i = 1; i < USUAL.size(); i++) {
                number = number.when(isRole(i), DSL.inline((i + 1) * ROLES));
            }
            return number.otherwise(DSL.inline(0));
        }

        private static Condition isRole(int number) {
            return MessageTable.ROLE.eq(DSL.inline(USUAL.get(number).name()));
        }

        private static Condition any(Field<?>... fields) {
            return DSL.or(Stream.of(fields).map(Field::isNotNull).toList());
        }

        private static Field<Integer> bit(int bit, Condition condition) {
            return DSL.when(condition, DSL.inline(bit)).otherwise(DSL.inline(0));
        }

        boolean has(int bit) {
            return (bits & bit) != 0;
        }

        /** Returns the role; null where it is none of the usual ones. */
        @Nullable
        Role role() {
            int number = (int) (bits / ROLES);
            return number > 0 && number <= USUAL.size() ? USUAL.get(number - 1) : null;
        }

        Message.Kind kind() {
            if (has(SUMMARY)) {
                return Message.Kind.SUMMARY;
            }
            return has(STEERED) ? Message.Kind.STEERED : Message.Kind.PLAIN;
        }

        StoredMessage.State state() {
            if (!has(HIDDEN)) {
                return StoredMessage.State.ACTIVE;
            }
            return has(COMPACTED) ? StoredMessage.State.COMPACTED : StoredMessage.State.REWOUND;
        }
    }

    private static long clamp(long value) {
        return Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, value));
    }

    private static @Nullable String text(Optional<String> value) {
        return value.map(Unicode::wellFormed).orElse(null);
    }
}
