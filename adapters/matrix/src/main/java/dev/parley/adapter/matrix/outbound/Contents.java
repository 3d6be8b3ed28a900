package dev.parley.adapter.matrix.outbound;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.text.Dialects;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The contents of events. Pure: equal input gives equal contents. */
final class Contents {
    private static final Pattern USER = Pattern.compile("(?<![\\w@/])@[a-zA-Z0-9._=/+-]+:[a-zA-Z0-9.-]+(?::\\d+)?");
    /** What an event may have in bytes, less what the homeserver adds. */
    private static final int MOST_BYTES = 60_000;

    private static final Set<String> QUIET = Set.of("NOTICE", "BANNER", "ACK");

    private Contents() {}

    /** Returns a text message. Only people whom it names by their whole id are notified. */
    static ObjectNode words(StyledText text, Outgoing.Kind kind) {
        String type = QUIET.contains(kind.name()) ? "m.notice" : "m.text";
        ObjectNode content = Json.object().put("msgtype", type).put("body", text.text());
        if (!text.spans().isEmpty()) {
            String html = Dialects.HTML.render(text);
            if (bytes(html) + bytes(text.text()) < MOST_BYTES) {
                content.put("format", "org.matrix.custom.html").put("formatted_body", html);
            }
        }
        ObjectNode mentions = content.putObject("m.mentions");
        Set<String> named = named(text.text());
        if (!named.isEmpty()) {
            named.forEach(mentions.putArray("user_ids")::add);
        }
        return content;
    }

    /** Returns a message that shows a file. */
    static ObjectNode file(Attachment attachment, String name, String address) {
        ObjectNode content = Json.object()
                .put("msgtype", type(attachment))
                .put("body", name)
                .put("filename", name)
                .put("url", address);
        ObjectNode info = content.putObject("info");
        attachment.mediaType().ifPresent(type -> info.put("mimetype", type));
        attachment.bytes().ifPresent(size -> info.put("size", size));
        attachment.description().ifPresent(words -> content.put("body", words));
        return content;
    }

    /** Puts a message into a thread, as a reply, or both. */
    static void relate(ObjectNode content, Optional<String> thread, Optional<String> replyTo) {
        if (thread.isPresent()) {
            ObjectNode relation = content.putObject("m.relates_to")
                    .put("rel_type", "m.thread")
                    .put("event_id", thread.get())
                    .put("is_falling_back", replyTo.isEmpty());
            relation.putObject("m.in_reply_to").put("event_id", replyTo.orElse(thread.get()));
        } else if (replyTo.isPresent()) {
            content.putObject("m.relates_to").putObject("m.in_reply_to").put("event_id", replyTo.get());
        }
    }

    /** Returns an event that gives an earlier one this content. */
    static ObjectNode edit(String eventId, ObjectNode content) {
        ObjectNode edit = content.deepCopy();
        edit.put("body", "* " + content.path("body").asText());
        if (content.has("formatted_body")) {
            edit.put("formatted_body", "* " + content.path("formatted_body").asText());
        }
        // Nobody is notified a second time.
        edit.putObject("m.mentions");
        edit.set("m.new_content", content);
        edit.putObject("m.relates_to").put("rel_type", "m.replace").put("event_id", eventId);
        return edit;
    }

    private static String type(Attachment attachment) {
        return switch (attachment.kind().toLowerCase(Locale.ROOT)) {
            case "photo", "sticker" -> "m.image";
            case "voice", "audio" -> "m.audio";
            case "video", "animation", "video_note" -> "m.video";
            default -> "m.file";
        };
    }

    private static Set<String> named(String text) {
        Set<String> named = new LinkedHashSet<>();
        Matcher users = USER.matcher(text);
        while (users.find()) {
            named.add(users.group());
        }
        return named;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
