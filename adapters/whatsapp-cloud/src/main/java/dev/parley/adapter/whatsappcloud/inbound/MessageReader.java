package dev.parley.adapter.whatsappcloud.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.application.port.Happened;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.PlatformSources;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the messages of one change. The chat is the person: both are the person's number in digits.
 *
 * @param ours the number that was written to, in digits; empty where that is not said
 * @param names how people call themselves, by their numbers
 */
record MessageReader(String ours, Map<String, String> names) {
    private static final PlatformSources SOURCES = PlatformSources.of(Platform.WHATSAPP_CLOUD);
    private static final Set<String> MOVES = Set.of("user_changed_number", "customer_changed_number");

    Incoming read(JsonNode message) {
        String id = message.path("id").asText();
        String from = message.path("from").asText();
        if (!message.isObject() || id.isEmpty() || from.isEmpty()) {
            return new Incoming.Unreadable("a message without an id or a sender");
        }
        if (from.equals(ours)) {
            return new Incoming.PassedOver();
        }
        if (message.path("group_id").isTextual()) {
            return new Incoming.Unreadable("a message of a group, which are not served");
        }
        String type = message.path("type").asText();
        return switch (type) {
            case "text" -> message(message, message.path("text").path("body"));
            case "image", "video", "audio", "document", "sticker" -> file(message, type);
            case "button" -> message(message, message.path("button").path("text"));
            case "location", "contacts" -> said(message, Wording.of(message), List.of());
            case "interactive" -> interactive(message);
            case "reaction" -> reaction(message, id, message.path("reaction"));
            case "system" -> system(message, id, message.path("system"));
            default -> new Incoming.Unreadable("a message of a kind that is not known, " + word(type));
        };
    }

    private Incoming message(JsonNode message, JsonNode text) {
        return text.isTextual()
                ? said(message, text.asText(), List.of())
                : new Incoming.Unreadable("a message without a text");
    }

    private Incoming file(JsonNode message, String type) {
        JsonNode file = message.path(type);
        String id = file.path("id").asText();
        if (!id.matches("[A-Za-z0-9_-]{1,200}")) {
            return new Incoming.Unreadable("a file without an id");
        }
        boolean voice = type.equals("audio") && file.path("voice").asBoolean(false);
        RemoteFile remote = new RemoteFile(
                id,
                voice ? "voice" : type.equals("image") ? "photo" : type,
                text(file.path("filename")),
                text(file.path("mime_type")),
                Optional.empty());
        return said(message, file.path("caption").asText(), List.of(remote));
    }

    private Incoming interactive(JsonNode message) {
        JsonNode interactive = message.path("interactive");
        for (String kind : List.of("button_reply", "list_reply")) {
            JsonNode reply = interactive.path(kind);
            Optional<String> asked = text(message.path("context").path("id"));
            if (reply.path("id").isTextual() && asked.isPresent()) {
                String id = message.path("id").asText();
                return event(
                        message,
                        id,
                        new ChatEvent.Pressed(asked.get(), reply.path("id").asText()));
            }
            if (reply.path("title").isTextual()) {
                return said(message, reply.path("title").asText(), List.of());
            }
        }
        String form = interactive.path("nfm_reply").path("response_json").asText();
        return form.isEmpty()
                ? new Incoming.Unreadable("an answer to buttons of a kind that is not known")
                : said(message, "[Form: " + form + "]", List.of());
    }

    private Incoming reaction(JsonNode message, String id, JsonNode reaction) {
        String emoji = reaction.path("emoji").asText();
        return text(reaction.path("message_id"))
                .map(to -> event(message, id, new ChatEvent.Reacted(to, emoji, emoji.isEmpty())))
                .orElseGet(() -> new Incoming.Unreadable("a reaction to no message"));
    }

    /** Somebody has another number: the conversation continues under it. */
    private Incoming system(JsonNode message, String id, JsonNode system) {
        String from = message.path("from").asText();
        Optional<String> to = text(system.path("wa_id")).or(() -> text(system.path("new_wa_id")));
        if (!MOVES.contains(system.path("type").asText())
                || to.isEmpty()
                || to.get().equals(from)) {
            return new Incoming.PassedOver();
        }
        return new Incoming.Event(
                id,
                new Happened(
                        source(to.get(), from, Optional.empty()),
                        new ChatEvent.Moved(from),
                        Optional.of("event " + id)));
    }

    private Incoming event(JsonNode message, String id, ChatEvent event) {
        String from = message.path("from").asText();
        return new Incoming.Event(
                id, new Happened(source(from, from, Optional.empty()), event, Optional.of("event " + id)));
    }

    private Incoming said(JsonNode message, String text, List<RemoteFile> files) {
        String from = message.path("from").asText();
        String id = message.path("id").asText();
        Optional<ReplyTo> replyTo = replyTo(message.path("context"));
        return new Incoming.Message(new ReadMessage(
                source(from, from, Optional.of(id)),
                text,
                files,
                id,
                sentAt(message),
                replyTo,
                replyTo.filter(ReplyTo::ours).isPresent(),
                List.of()));
    }

    private SessionSource source(String number, String known, Optional<String> messageId) {
        SessionSource.Builder source =
                SOURCES.inChat(number).chatType(ChatType.DM).userId(number);
        Optional.ofNullable(names.getOrDefault(number, names.get(known)))
                .ifPresent(name -> source.userName(name).chatName(name));
        messageId.ifPresent(source::messageId);
        return source.build();
    }

    /** What a forwarded message names is no message that it replies to. */
    private Optional<ReplyTo> replyTo(JsonNode context) {
        Optional<String> author = text(context.path("from"));
        boolean mine = author.filter(ours::equals).isPresent();
        return text(context.path("id"))
                .map(id -> new ReplyTo(id, author.filter(a -> !mine).map(names::get), Optional.empty(), mine));
    }

    private static Optional<Instant> sentAt(JsonNode message) {
        try {
            long seconds = message.path("timestamp").asLong();
            return seconds > 0 ? Optional.of(Instant.ofEpochSecond(seconds)) : Optional.empty();
        } catch (DateTimeException absurd) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(JsonNode node) {
        return Optional.of(node.asText()).filter(text -> !text.isEmpty());
    }

    /** Kinds are Meta's words; anything else is not shown. */
    private static String word(String type) {
        return type.matches("[a-z_]{1,40}") ? type : "with no name";
    }
}
