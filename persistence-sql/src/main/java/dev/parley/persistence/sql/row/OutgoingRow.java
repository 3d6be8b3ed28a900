package dev.parley.persistence.sql.row;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.QueueTables.Outgoings;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Rows of outgoing messages. */
public final class OutgoingRow {
    private OutgoingRow() {}

    /** Returns the values of {@link Outgoings#ALL} without the row's number, in order. */
    public static @Nullable Object[] values(Outgoing outgoing) {
        return new @Nullable Object[] {
            outgoing.id().value(),
            outgoing.lane().map(key -> key.value()).orElse(null),
            outgoing.platform().name(),
            outgoing.chatId(),
            outgoing.threadId().orElse(null),
            outgoing.text(),
            Names.of(outgoing.kind()),
            Time.nanos(outgoing.createdAt()),
            outgoing.turn().map(turn -> turn.value()).orElse(null),
            Names.of(outgoing.state()),
            outgoing.attempts(),
            outgoing.to().scopeId().orElse(null),
            outgoing.to().parentChatId().orElse(null),
            outgoing.to().profile().orElse(null),
            QueueJson.attachments(outgoing.attachments()),
            outgoing.replyTo().orElse(null),
            outgoing.replaces().orElse(null),
            Time.nanos(outgoing.expiresAt()),
            outgoing.cause().map(inbound -> inbound.value()).orElse(null),
            Time.nanos(outgoing.delivery().attemptedAt()),
            outgoing.delivery().failure().orElse(null),
            Time.nanos(outgoing.delivery().notBefore()),
            QueueJson.parts(outgoing.delivery().parts())
        };
    }

    /** Returns the message. */
    public static Outgoing read(Row row) throws SQLException {
        return new Outgoing(
                new OutgoingId(row.text(Outgoings.ID)),
                row.optional(Outgoings.LANE).map(SessionKey::of),
                new Address(
                        Platform.of(row.text(Outgoings.PLATFORM)),
                        row.text(Outgoings.CHAT_ID),
                        row.optional(Outgoings.THREAD_ID),
                        row.optional(Outgoings.SCOPE_ID),
                        row.optional(Outgoings.PARENT_CHAT_ID),
                        row.optional(Outgoings.PROFILE)),
                row.text(Outgoings.TEXT),
                QueueJson.attachments(row.textOrNull(Outgoings.ATTACHMENTS)),
                row.optional(Outgoings.REPLY_TO),
                row.optional(Outgoings.REPLACES),
                Names.constant(Outgoing.Kind.class, row.text(Outgoings.KIND)),
                Time.ofNanos(row.number(Outgoings.CREATED_AT)),
                Time.ofNanos(row.optionalNumber(Outgoings.EXPIRES_AT)),
                row.optional(Outgoings.TURN_ID).map(TurnId::new),
                row.optional(Outgoings.CAUSE).map(InboundId::new),
                new Outgoing.Delivery(
                        Names.constant(Outgoing.State.class, row.text(Outgoings.STATE)),
                        (int) row.number(Outgoings.ATTEMPTS),
                        Time.ofNanos(row.optionalNumber(Outgoings.ATTEMPTED_AT)),
                        row.optional(Outgoings.FAILURE),
                        Time.ofNanos(row.optionalNumber(Outgoings.NOT_BEFORE)),
                        QueueJson.parts(row.textOrNull(Outgoings.PARTS))));
    }
}
