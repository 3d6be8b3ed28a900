package dev.parley.persistence.sql.row;

import static dev.parley.domain.text.Unicode.wellFormed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.ReplyTo;
import dev.parley.domain.turn.SentPart;
import dev.parley.persistence.sql.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lists and parts of received and outgoing messages, as their columns hold them: JSON, or null for none. */
final class QueueJson {
    private QueueJson() {}

    static String attachments(List<Attachment> attachments) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (Attachment attachment : attachments) {
            ObjectNode node = list.addObject();
            node.put("kind", wellFormed(attachment.kind()));
            node.put("location", wellFormed(attachment.location()));
            put(node, "name", attachment.name());
            put(node, "media_type", attachment.mediaType());
            put(node, "description", attachment.description());
            attachment.bytes().ifPresent(bytes -> node.put("bytes", bytes));
        }
        return list.toString();
    }

    static List<Attachment> attachments(@Nullable String column) {
        return list(
                column,
                node -> new Attachment(
                        node.path("kind").asText(""),
                        node.path("location").asText(""),
                        text(node, "name"),
                        text(node, "media_type"),
                        text(node, "description"),
                        node.path("bytes").isIntegralNumber()
                                ? Optional.of(node.path("bytes").longValue())
                                : Optional.empty()));
    }

    static @Nullable String parts(List<SentPart> parts) {
        if (parts.isEmpty()) {
            return null;
        }
        ArrayNode list = Json.mapper().createArrayNode();
        for (SentPart part : parts) {
            ObjectNode node = list.addObject();
            node.put("number", part.number());
            ArrayNode ids = node.putArray("message_ids");
            part.messageIds().forEach(id -> ids.add(wellFormed(id)));
        }
        return list.toString();
    }

    static List<SentPart> parts(@Nullable String column) {
        return list(column, node -> {
            List<String> ids = new ArrayList<>();
            node.path("message_ids").forEach(id -> ids.add(id.asText()));
            return new SentPart(node.path("number").asInt(1), ids);
        });
    }

    static String replyTo(ReplyTo reply) {
        ObjectNode node = Json.object();
        node.put("message_id", wellFormed(reply.messageId()));
        put(node, "author", reply.author());
        put(node, "text", reply.text());
        if (reply.ours()) {
            node.put("ours", true);
        }
        return node.toString();
    }

    static Optional<ReplyTo> replyTo(@Nullable String column) {
        return Json.read(column)
                .map(node -> new ReplyTo(
                        node.path("message_id").asText(""),
                        text(node, "author"),
                        text(node, "text"),
                        node.path("ours").asBoolean()));
    }

    static @Nullable String context(List<PrecedingMessage> context) {
        if (context.isEmpty()) {
            return null;
        }
        ArrayNode list = Json.mapper().createArrayNode();
        for (PrecedingMessage message : context) {
            ObjectNode node = list.addObject();
            put(node, "author", message.author());
            node.put("text", wellFormed(message.text()));
            message.sentAt().ifPresent(at -> node.put("sent_at", at.toString()));
            put(node, "message_id", message.messageId());
        }
        return list.toString();
    }

    static List<PrecedingMessage> context(@Nullable String column) {
        return list(
                column,
                node -> new PrecedingMessage(
                        text(node, "author"),
                        node.path("text").asText(""),
                        text(node, "sent_at").map(Instant::parse),
                        text(node, "message_id")));
    }

    static String event(ChatEvent event) {
        ObjectNode node = Json.object();
        if (event instanceof ChatEvent.Edited e) {
            node.put("kind", "edited")
                    .put("message_id", wellFormed(e.messageId()))
                    .put("text", wellFormed(e.text()));
        } else if (event instanceof ChatEvent.Deleted e) {
            node.put("kind", "deleted").put("message_id", wellFormed(e.messageId()));
        } else if (event instanceof ChatEvent.Reacted e) {
            node.put("kind", "reacted")
                    .put("message_id", wellFormed(e.messageId()))
                    .put("reaction", wellFormed(e.reaction()))
                    .put("removed", e.removed());
        } else if (event instanceof ChatEvent.Pressed e) {
            node.put("kind", "pressed")
                    .put("message_id", wellFormed(e.messageId()))
                    .put("choice", wellFormed(e.choice()));
        } else if (event instanceof ChatEvent.Joined e) {
            node.put("kind", "joined").put("self", e.self());
        } else if (event instanceof ChatEvent.Left e) {
            node.put("kind", "left").put("self", e.self());
        } else if (event instanceof ChatEvent.Moved e) {
            node.put("kind", "moved").put("from", wellFormed(e.from()));
        } else {
            ChatEvent.Renamed e = (ChatEvent.Renamed) event;
            node.put("kind", "renamed");
            put(node, "name", e.name());
            put(node, "topic", e.topic());
        }
        return node.toString();
    }

    static Optional<ChatEvent> event(@Nullable String column) {
        return Json.read(column).map(QueueJson::event);
    }

    private static ChatEvent event(JsonNode node) {
        String message = node.path("message_id").asText("");
        String kind = node.path("kind").asText("");
        return switch (kind) {
            case "edited" -> new ChatEvent.Edited(message, node.path("text").asText(""));
            case "deleted" -> new ChatEvent.Deleted(message);
            case "reacted" ->
                new ChatEvent.Reacted(
                        message,
                        node.path("reaction").asText(""),
                        node.path("removed").asBoolean());
            case "pressed" -> new ChatEvent.Pressed(message, node.path("choice").asText(""));
            case "joined" -> new ChatEvent.Joined(node.path("self").asBoolean());
            case "left" -> new ChatEvent.Left(node.path("self").asBoolean());
            case "moved" -> new ChatEvent.Moved(node.path("from").asText(""));
            case "renamed" -> new ChatEvent.Renamed(text(node, "name"), text(node, "topic"));
            default -> throw new IllegalArgumentException("\"" + kind + "\" is no event of a chat");
        };
    }

    private static void put(ObjectNode node, String name, Optional<String> text) {
        text.ifPresent(value -> node.put(name, wellFormed(value)));
    }

    private static Optional<String> text(JsonNode node, String name) {
        return Optional.ofNullable(node.path(name).textValue());
    }

    private static <T> List<T> list(@Nullable String column, Function<JsonNode, T> each) {
        List<T> all = new ArrayList<>();
        Json.read(column).ifPresent(list -> list.forEach(node -> all.add(each.apply(node))));
        return all;
    }
}
