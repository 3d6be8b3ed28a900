package dev.parley.adapter.telegram.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.flow.Remembered;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.telegram.api.Bot;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.PlatformSources;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.ReplyTo;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Reads an update: who wrote what, where, and whether it is for the agent. Never fails: what it cannot make sense of it
 * says to be unreadable, so that one bad update keeps no other from being read. What it remembers are the albums whose first picture named the bot. Safe for concurrent use.
 */
public final class UpdateReader {
    /** The kinds of updates that are asked for. */
    public static final List<String> KINDS = List.of("message", "edited_message", "channel_post", "callback_query");

    private static final Set<String> KNOWN_UNUSED = Set.of(
            "edited_channel_post",
            "my_chat_member",
            "chat_member",
            "message_reaction",
            "message_reaction_count",
            "poll",
            "poll_answer",
            "inline_query",
            "chosen_inline_result",
            "chat_join_request",
            "chat_boost",
            "removed_chat_boost");

    /** The topic that a forum's messages belong to where they name none. */
    private static final String GENERAL = "1";

    private static final PlatformSources SOURCES = PlatformSources.of(Platform.TELEGRAM);

    private static final int MOST_ALBUMS = 1_000;

    private final Bot bot;
    private final Gate gate;
    /** The latest albums of which a picture names the bot. */
    private final Set<String> meant = Remembered.latest(MOST_ALBUMS);

    /**
     * A reader for one bot.
     *
     * @param bot who the bot is
     * @param gate which messages of groups are for the agent
     */
    public UpdateReader(Bot bot, Gate gate) {
        this.bot = bot;
        this.gate = gate;
    }

    /** Returns what an update is. */
    public Incoming read(JsonNode update) {
        try {
            return known(update);
        } catch (RuntimeException e) {
            return new Incoming.Unreadable("it cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private Incoming known(JsonNode update) {
        String id = "u" + update.path("update_id").asText();
        if (update.has("message")) {
            return message(update.path("message"), id);
        }
        if (update.has("channel_post")) {
            return message(update.path("channel_post"), id);
        }
        if (update.has("edited_message")) {
            return edited(update.path("edited_message"), id);
        }
        if (update.has("callback_query")) {
            return pressed(update.path("callback_query"), id);
        }
        List<String> kinds = new ArrayList<>();
        update.fieldNames().forEachRemaining(kinds::add);
        kinds.remove("update_id");
        return kinds.stream().anyMatch(KNOWN_UNUSED::contains)
                ? new Incoming.PassedOver("it is of no use here")
                : new Incoming.Unreadable("it is of a kind that is not known");
    }

    private Incoming message(JsonNode message, String updateId) {
        Optional<Incoming> flaw = flaw(message);
        if (flaw.isPresent()) {
            return flaw.get();
        }
        if (message.has("migrate_to_chat_id")) {
            String to = message.path("migrate_to_chat_id").asText();
            return moved(message, to, chatId(message), updateId);
        }
        if (message.has("migrate_from_chat_id")) {
            String from = message.path("migrate_from_chat_id").asText();
            return moved(message, chatId(message), from, updateId);
        }
        List<RemoteFile> files = Files.of(message);
        String raw = text(message);
        if (raw.isBlank() && files.isEmpty()) {
            return new Incoming.PassedOver("it says nothing");
        }
        Naming naming = Naming.of(raw, entities(message), bot);
        if (naming.commandForOthers()) {
            return new Incoming.PassedOver("it is a command for another bot");
        }
        SessionSource source = source(message);
        Optional<ReplyTo> replyTo = replyTo(message);
        Optional<String> album = album(message);
        boolean mentioned = naming.us()
                || replyTo.filter(ReplyTo::ours).isPresent()
                || album.filter(meant::contains).isPresent();
        if (mentioned) {
            album.ifPresent(meant::add);
        }
        Gate.Verdict verdict = gate.decide(new Gate.Facts(
                source.chatId(),
                source.threadId(),
                source.chatType().isDm(),
                isOurs(message),
                source.isBot(),
                mentioned,
                naming.others(),
                false,
                raw));
        if (verdict == Gate.Verdict.DROP) {
            return new Incoming.PassedOver("it is not for the agent");
        }
        ReadMessage read = new ReadMessage(
                source,
                naming.text(),
                files,
                message.path("message_id").asText(),
                sentAt(message),
                replyTo,
                mentioned,
                List.of());
        return verdict == Gate.Verdict.PASS ? new Incoming.Message(read) : new Incoming.Overheard(read);
    }

    /** Only one picture of an album has the words that name the bot. */
    private static Optional<String> album(JsonNode message) {
        return Optional.of(message.path("media_group_id").asText())
                .filter(id -> !id.isEmpty())
                .map(id -> chatId(message) + ":" + id);
    }

    private Incoming edited(JsonNode message, String updateId) {
        Optional<Incoming> flaw = flaw(message);
        if (flaw.isPresent()) {
            return flaw.get();
        }
        if (isOurs(message)) {
            return new Incoming.PassedOver("the bot wrote it");
        }
        String text = Naming.of(text(message), entities(message), bot).text();
        ChatEvent event = new ChatEvent.Edited(message.path("message_id").asText(), text);
        return new Incoming.Event(source(message), event, updateId, Optional.empty());
    }

    private Incoming pressed(JsonNode query, String updateId) {
        JsonNode message = query.path("message");
        String choice = query.path("data").asText();
        if (choice.isEmpty() || flaw(message).isPresent()) {
            return new Incoming.PassedOver("it is no button of ours");
        }
        JsonNode person = query.path("from");
        SessionSource source = source(message).toBuilder()
                .userId(id(person).orElse(null))
                .userName(personName(person).orElse(null))
                .isBot(false)
                .build();
        ChatEvent event = new ChatEvent.Pressed(message.path("message_id").asText(), choice);
        return new Incoming.Event(source, event, updateId, id(query));
    }

    private Incoming moved(JsonNode message, String to, String from, String updateId) {
        SessionSource source =
                source(message).toBuilder().chatId(to).threadId(null).build();
        return new Incoming.Event(source, new ChatEvent.Moved(from), updateId, Optional.empty());
    }

    private static Optional<Incoming> flaw(JsonNode message) {
        if (!message.isObject()) {
            return Optional.of(new Incoming.Unreadable("its message is no object"));
        }
        if (!isId(message.path("chat").path("id")) || !isId(message.path("message_id"))) {
            return Optional.of(new Incoming.Unreadable("its message has no id or no chat"));
        }
        if (message.has("text") && !message.path("text").isTextual()) {
            return Optional.of(new Incoming.Unreadable("its text is no text"));
        }
        return Optional.empty();
    }

    private static boolean isId(JsonNode id) {
        return id.isIntegralNumber() && id.asLong() != 0;
    }

    // where, and who

    private SessionSource source(JsonNode message) {
        JsonNode chat = message.path("chat");
        String type = chat.path("type").asText();
        JsonNode author = message.path("from");
        JsonNode channel = message.path("sender_chat");
        boolean byChat = channel.isObject() && !isOurs(message);
        Optional<String> chatName = chatName(chat);
        Optional<String> userId = byChat ? id(channel) : id(author).or(() -> id(chat));
        Optional<String> userName =
                byChat ? chatName(channel) : personName(author).or(() -> chatName);
        return SOURCES.inChat(chat.path("id").asText())
                .chatName(chatName.orElse(null))
                .chatType(chatType(type))
                .userId(userId.orElse(null))
                .userName(userName.orElse(null))
                .threadId(thread(message, chat, type).orElse(null))
                .chatTopic(topic(message).orElse(null))
                .isBot(!byChat && author.path("is_bot").asBoolean(false))
                .messageId(message.path("message_id").asText())
                .build();
    }

    private static ChatType chatType(String type) {
        return switch (type) {
            case "private", "" -> ChatType.DM;
            case "channel" -> ChatType.CHANNEL;
            default -> ChatType.GROUP;
        };
    }

    /**
     * Returns the topic. A reply in a group without topics names the message it began with, which is no topic; so does a reply in the
     * general topic of a forum.
     */
    private static Optional<String> thread(JsonNode message, JsonNode chat, String type) {
        Optional<String> named =
                Optional.of(message.path("message_thread_id").asText()).filter(text -> !text.isEmpty());
        boolean inTopic = message.path("is_topic_message").asBoolean(false);
        boolean forum = type.equals("supergroup") && chat.path("is_forum").asBoolean(false);
        if (!forum) {
            return named.filter(thread -> inTopic);
        }
        JsonNode answered = message.path("reply_to_message");
        boolean replyInGeneral = answered.isObject()
                && !answered.has("forum_topic_created")
                && !answered.path("is_topic_message").asBoolean(false);
        return named.filter(thread -> inTopic || !replyInGeneral).or(() -> Optional.of(GENERAL));
    }

    private static Optional<String> topic(JsonNode message) {
        return PlatformSources.topic(message.path("reply_to_message")
                .path("forum_topic_created")
                .path("name")
                .asText());
    }

    private static String chatId(JsonNode message) {
        return message.path("chat").path("id").asText();
    }

    private boolean isOurs(JsonNode message) {
        return message.path("from").path("id").asText().equals(bot.id());
    }

    private static Optional<String> id(JsonNode holder) {
        return Optional.of(holder.path("id").asText()).filter(text -> !text.isEmpty() && !text.equals("0"));
    }

    private static Optional<String> chatName(JsonNode chat) {
        return Optional.of(chat.path("title").asText())
                .filter(text -> !text.isEmpty())
                .or(() -> personName(chat));
    }

    private static Optional<String> personName(JsonNode person) {
        StringJoiner name = new StringJoiner(" ");
        for (String part : List.of("first_name", "last_name")) {
            String text = person.path(part).asText().strip();
            if (!text.isEmpty()) {
                name.add(text);
            }
        }
        return Optional.of(name.toString())
                .filter(text -> !text.isEmpty())
                .or(() -> Optional.of(person.path("username").asText()).filter(text -> !text.isEmpty()));
    }

    // what

    private static JsonNode entities(JsonNode message) {
        return message.has("text") ? message.path("entities") : message.path("caption_entities");
    }

    private static String text(JsonNode message) {
        for (String field : List.of("text", "caption")) {
            JsonNode text = message.path(field);
            if (text.isTextual()) {
                return text.asText();
            }
        }
        return Wording.of(message);
    }

    private static Optional<Instant> sentAt(JsonNode message) {
        try {
            long seconds = message.path("date").asLong();
            return seconds > 0 ? Optional.of(Instant.ofEpochSecond(seconds)) : Optional.empty();
        } catch (DateTimeException absurd) {
            return Optional.empty();
        }
    }

    /** The message that opened a topic is named by every message in it; none of them replies to it. */
    private Optional<ReplyTo> replyTo(JsonNode message) {
        JsonNode answered = message.path("reply_to_message");
        if (!isId(answered.path("message_id")) || answered.has("forum_topic_created")) {
            return Optional.empty();
        }
        String quoted = message.path("quote").path("text").asText();
        String text = quoted.isEmpty() ? text(answered) : quoted;
        return Optional.of(new ReplyTo(
                answered.path("message_id").asText(),
                personName(answered.path("from")).or(() -> chatName(answered.path("sender_chat"))),
                Optional.of(text).filter(words -> !words.isBlank()),
                isOurs(answered)));
    }
}
