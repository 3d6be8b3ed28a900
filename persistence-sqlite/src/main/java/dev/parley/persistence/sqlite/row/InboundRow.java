package dev.parley.persistence.sqlite.row;

import static dev.parley.domain.text.Unicode.wellFormed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.sqlite.json.Json;
import dev.parley.persistence.sqlite.json.SourceText;
import dev.parley.persistence.sqlite.statement.Row;
import dev.parley.persistence.sqlite.statement.Time;
import dev.parley.persistence.sqlite.table.QueueTables.Inbounds;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of received messages. */
public final class InboundRow {
    private InboundRow() {}

    /** Returns the values of {@link Inbounds#ALL} without the row's number, in order. */
    public static @Nullable Object[] values(Inbound inbound) {
        Optional<PlatformMessage> message = inbound.platformMessage();
        return new @Nullable Object[] {
            wellFormed(inbound.id().value()),
            wellFormed(inbound.lane().value()),
            inbound.ordinal(),
            Names.of(inbound.kind()),
            Names.of(inbound.state()),
            SourceText.write(inbound.source()),
            wellFormed(inbound.text()),
            attachments(inbound.attachments()),
            Time.nanos(inbound.receivedAt()),
            message.map(m -> wellFormed(m.platform().name())).orElse(null),
            message.map(m -> wellFormed(m.chatId())).orElse(null),
            message.map(m -> wellFormed(m.messageId())).orElse(null),
            inbound.turn().map(TurnId::value).map(Unicode::wellFormed).orElse(null)
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
                attachments(row.textOrNull(Inbounds.ATTACHMENTS)),
                Time.ofNanos(row.number(Inbounds.RECEIVED_AT)),
                platformMessage(row),
                Names.constant(Inbound.State.class, row.text(Inbounds.STATE)),
                row.optional(Inbounds.TURN_ID).map(TurnId::new));
    }

    private static Optional<PlatformMessage> platformMessage(Row row) throws SQLException {
        String message = row.textOrNull(Inbounds.MESSAGE_ID);
        return message == null
                ? Optional.empty()
                : Optional.of(new PlatformMessage(
                        Platform.of(row.text(Inbounds.PLATFORM)), row.text(Inbounds.CHAT_ID), message));
    }

    private static String attachments(List<Attachment> attachments) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (Attachment attachment : attachments) {
            ObjectNode node = list.addObject();
            node.put("kind", wellFormed(attachment.kind()));
            node.put("location", wellFormed(attachment.location()));
            attachment.name().ifPresent(name -> node.put("name", wellFormed(name)));
            attachment.mediaType().ifPresent(type -> node.put("media_type", wellFormed(type)));
        }
        return list.toString();
    }

    private static List<Attachment> attachments(@Nullable String column) {
        List<Attachment> attachments = new ArrayList<>();
        Json.read(column).ifPresent(list -> {
            for (JsonNode node : list) {
                attachments.add(new Attachment(
                        node.path("kind").asText(""),
                        node.path("location").asText(""),
                        Optional.ofNullable(node.path("name").textValue()),
                        Optional.ofNullable(node.path("media_type").textValue())));
            }
        });
        return attachments;
    }
}
