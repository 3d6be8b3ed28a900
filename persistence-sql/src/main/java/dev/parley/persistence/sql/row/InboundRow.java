package dev.parley.persistence.sql.row;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.sql.json.SourceText;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.QueueTables.Inbounds;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of received messages. */
public final class InboundRow {
    private InboundRow() {}

    /** Returns the values of {@link Inbounds#ALL} without the row's number, in order. */
    public static @Nullable Object[] values(Inbound inbound) {
        Optional<PlatformMessage> message = inbound.platformMessage();
        return new @Nullable Object[] {
            inbound.id().value(),
            inbound.lane().value(),
            inbound.ordinal(),
            Names.of(inbound.kind()),
            Names.of(inbound.state()),
            SourceText.write(inbound.source()),
            inbound.text(),
            QueueJson.attachments(inbound.attachments()),
            Time.nanos(inbound.receivedAt()),
            message.map(m -> m.platform().name()).orElse(null),
            message.map(m -> m.chatId()).orElse(null),
            message.map(m -> m.messageId()).orElse(null),
            inbound.turn().map(TurnId::value).orElse(null),
            Time.nanos(inbound.sentAt()),
            inbound.replyTo().map(QueueJson::replyTo).orElse(null),
            inbound.mentioned(),
            QueueJson.context(inbound.context()),
            inbound.event().map(QueueJson::event).orElse(null),
            inbound.via().map(life -> life.value()).orElse(null)
        };
    }

    /** Returns the message. */
    public static Inbound read(Row row) throws SQLException {
        SessionSource source = SourceText.read(row.textOrNull(Inbounds.SOURCE))
                .orElseThrow(() -> new SQLException("A received message has a source that cannot be read."));
        return new Inbound(
                new InboundId(row.text(Inbounds.ID)),
                SessionKey.of(row.text(Inbounds.LANE)),
                row.number(Inbounds.ORDINAL),
                Names.constant(Inbound.Kind.class, row.text(Inbounds.KIND)),
                source,
                row.text(Inbounds.TEXT),
                QueueJson.attachments(row.textOrNull(Inbounds.ATTACHMENTS)),
                Time.ofNanos(row.number(Inbounds.RECEIVED_AT)),
                platformMessage(row),
                Names.constant(Inbound.State.class, row.text(Inbounds.STATE)),
                row.optional(Inbounds.TURN_ID).map(TurnId::new),
                Time.ofNanos(row.optionalNumber(Inbounds.SENT_AT)),
                QueueJson.replyTo(row.textOrNull(Inbounds.REPLY_TO)),
                row.flag(Inbounds.MENTIONED),
                QueueJson.context(row.textOrNull(Inbounds.CONTEXT)),
                QueueJson.event(row.textOrNull(Inbounds.EVENT)),
                row.optional(Inbounds.VIA).map(LifeId::new));
    }

    private static Optional<PlatformMessage> platformMessage(Row row) throws SQLException {
        String message = row.textOrNull(Inbounds.MESSAGE_ID);
        return message == null
                ? Optional.empty()
                : Optional.of(new PlatformMessage(
                        Platform.of(row.text(Inbounds.PLATFORM)), row.text(Inbounds.CHAT_ID), message));
    }
}
