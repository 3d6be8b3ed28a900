package dev.parley.adapter.whatsapp.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.access.Gate;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the bridge hands in, as the gateway takes it. */
sealed interface Incoming {
    /** A message for the agent. */
    record Message(ReadMessage message) implements Incoming {}

    /** What was said in a group and is not for the agent. */
    record Overheard(ReadMessage message) implements Incoming {}

    /** Something that happened to a message. */
    record Event(Happened what) implements Incoming {}

    /** Nothing for the agent. */
    record PassedOver() implements Incoming {}

    /** Returns what a word of the bridge is. */
    static Incoming of(JsonNode word, Groups groups) {
        SessionSource source = source(word);
        String id = word.path("id").asText();
        String said = word.path("text").asText("");
        Optional<ReplyTo> replyTo = replyTo(word.path("reply"));
        boolean mentioned = word.path("mentioned").asBoolean() || said.startsWith("/");
        boolean event = word.has("edited") || word.has("deleted");
        Gate.Facts facts = new Gate.Facts(
                source.chatId(),
                Optional.empty(),
                source.chatType().isDm(),
                false,
                false,
                event || mentioned,
                false,
                false,
                said);
        Gate.Verdict verdict = groups.decide(facts);
        if (event && verdict == Gate.Verdict.PASS) {
            ChatEvent what = word.has("edited")
                    ? new ChatEvent.Edited(word.path("edited").asText(), said)
                    : new ChatEvent.Deleted(word.path("deleted").asText());
            return new Event(new Happened(source, what, Optional.of(id)));
        }
        ReadMessage message = new ReadMessage(
                source, said, files(word.path("file")), id, sentAt(word), replyTo, mentioned, List.of());
        return switch (verdict) {
            case PASS -> new Message(message);
            case OVERHEARD -> new Overheard(message);
            case DROP -> new PassedOver();
        };
    }

    private static SessionSource source(JsonNode word) {
        return PlatformSources.of(Platform.WHATSAPP)
                .inChat(word.path("chat").asText())
                .chatName(text(word, "chatName"))
                .chatType(word.path("direct").asBoolean() ? ChatType.DM : ChatType.GROUP)
                .userId(text(word, "user"))
                .userName(text(word, "userName"))
                .userIdAlt(text(word, "userAlt"))
                .messageId(word.path("id").asText())
                .build();
    }

    private static @Nullable String text(JsonNode node, String name) {
        String text = node.path(name).asText("");
        return text.isBlank() ? null : text;
    }

    private static Optional<Instant> sentAt(JsonNode word) {
        long seconds = word.path("at").asLong();
        try {
            return seconds > 0 ? Optional.of(Instant.ofEpochSecond(seconds)) : Optional.empty();
        } catch (DateTimeException absurd) {
            return Optional.empty();
        }
    }

    private static Optional<ReplyTo> replyTo(JsonNode reply) {
        return Optional.ofNullable(text(reply, "id"))
                .map(id -> new ReplyTo(
                        id,
                        Optional.ofNullable(text(reply, "author")),
                        Optional.ofNullable(text(reply, "text")),
                        reply.path("ours").asBoolean()));
    }

    private static List<RemoteFile> files(JsonNode file) {
        if (!file.isObject()) {
            return List.of();
        }
        long bytes = file.path("bytes").asLong();
        return List.of(new RemoteFile(
                file.path("path").asText(""),
                file.path("kind").asText("document"),
                Optional.ofNullable(text(file, "name")),
                Optional.ofNullable(text(file, "type")),
                bytes > 0 ? Optional.of(bytes) : Optional.empty()));
    }
}
