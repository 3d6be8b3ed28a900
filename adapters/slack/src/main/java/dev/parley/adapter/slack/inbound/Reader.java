package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.LookupFailed;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.adapter.slack.api.Bot;
import dev.parley.application.port.Happened;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.PlatformSources;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.PrecedingMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what Slack told of a conversation: who said what, where, and whether it is for the agent. What it cannot make sense of it says to
 * be unreadable, so that one bad event keeps no other from being read. Safe for concurrent use; blocks while it asks for names.
 */
final class Reader {
    private static final PlatformSources SOURCES = PlatformSources.of(Platform.SLACK);
    private static final Set<String> SPOKEN = Set.of("", "file_share", "thread_broadcast", "me_message", "bot_message");

    private final Bot bot;
    private final Directory directory;
    private final Commands commands;
    private final GateRules rules;
    private final Gate gate;
    private final boolean channelThreads;
    private final boolean directThreads;

    /**
     * A reader for one bot.
     *
     * @param bot who the bot is
     * @param directory knows names
     * @param commands knows commands
     * @param rules which messages of channels are for the agent
     * @param channelThreads whether what is said to the bot in a channel begins a thread
     * @param directThreads whether each message of a direct chat begins one
     */
    Reader(
            Bot bot,
            Directory directory,
            Commands commands,
            GateRules rules,
            boolean channelThreads,
            boolean directThreads) {
        this.bot = bot;
        this.directory = directory;
        this.commands = commands;
        this.rules = rules;
        this.gate = new Gate(rules);
        this.channelThreads = channelThreads;
        this.directThreads = directThreads;
    }

    /** What is known of the thread of a message. */
    interface InThread {
        /** Returns whether the bot takes part in it. */
        boolean participates() throws LookupFailed;

        /** Returns what was said in it before the bot took part, oldest first. */
        List<JsonNode> before();
    }

    /**
     * Returns what something is that was told of a conversation.
     *
     * @param kind what kind of conversation it is, in Slack's words
     * @throws LookupFailed where it has to be asked for the thread, and that cannot be done now
     */
    Incoming read(Told told, String kind, InThread thread) throws LookupFailed {
        JsonNode json = told.json();
        return switch (told.kind()) {
            case MESSAGE -> message(told, kind, thread);
            case EDIT -> edit(told, kind);
            case DELETION -> deletion(told, kind);
            case REACTION -> reaction(told, kind);
            case PRESS -> press(told, kind);
            case COMMAND -> command(told, kind);
            case MOVE ->
                event(
                        source(told.channel(), "channel", "", Optional.empty()),
                        new ChatEvent.Moved(json.path("old_channel_id").asText()),
                        told);
        };
    }

    private Incoming message(Told told, String kind, InThread thread) throws LookupFailed {
        JsonNode json = told.json();
        String user = json.path("user").asText();
        String botId = json.path("bot_id").asText();
        String subtype = json.path("subtype").asText();
        if (bot.wrote(user, botId)) {
            return new Incoming.PassedOver("the bot wrote it");
        }
        if (!SPOKEN.contains(subtype) || json.path("hidden").asBoolean(false)) {
            return new Incoming.PassedOver("nobody said it");
        }
        if (user.isEmpty() && botId.isEmpty()) {
            return new Incoming.Unreadable("it has no author");
        }
        if (!Told.isId(user.isEmpty() ? botId : user)) {
            return new Incoming.Unreadable("its author is none of Slack's");
        }
        boolean direct = kind.equals("im");
        boolean written = !botId.isEmpty() || subtype.equals("bot_message");
        String raw = Texts.of(json);
        boolean mentioned = json.path("mentions_app").asBoolean(false) || Texts.names(raw, bot.userId());
        Optional<String> real = thread(json, told.id(), direct);
        Gate.Verdict verdict = verdict(told.channel(), real, direct, written, mentioned, false, raw);
        if (verdict == Gate.Verdict.OVERHEARD
                && real.isPresent()
                && rules.threadParticipation()
                && (json.path("parent_user_id").asText().equals(bot.userId()) || thread.participates())) {
            verdict = verdict(told.channel(), real, direct, written, mentioned, true, raw);
        }
        if (verdict != Gate.Verdict.PASS) {
            return new Incoming.PassedOver("it is not for the agent");
        }
        String named = mentioned ? Texts.without(raw, bot.userId()) : raw;
        String text = commands.typed(Texts.plain(named, directory::person).strip());
        List<RemoteFile> files = Files.of(json);
        if (text.isEmpty() && files.isEmpty()) {
            return new Incoming.PassedOver("it says nothing");
        }
        boolean opens = real.isEmpty() && (direct ? directThreads : channelThreads);
        SessionSource source = source(
                        told.channel(), kind, user.isEmpty() ? botId : user, opens ? Optional.of(told.id()) : real)
                .userName(author(json))
                .isBot(written)
                .messageId(told.id())
                .autoThreadCreated(opens)
                .build();
        List<PrecedingMessage> context = real.isPresent() && !direct && mentioned ? context(thread, told) : List.of();
        return new Incoming.Message(new ReadMessage(
                source,
                subtype.equals("me_message") ? "* " + text : text,
                files,
                told.id(),
                told.at().flatMap(Timestamp::instant),
                Optional.empty(),
                mentioned,
                context));
    }

    private Gate.Verdict verdict(
            String channel,
            Optional<String> thread,
            boolean direct,
            boolean written,
            boolean mentioned,
            boolean participates,
            String text) {
        return gate.decide(
                new Gate.Facts(channel, thread, direct, false, written, mentioned, false, participates, text));
    }

    /** Returns the thread that a message stands in. The first message of one names itself, once there are answers. */
    private Optional<String> thread(JsonNode json, String id, boolean direct) {
        Optional<String> thread = Optional.of(json.path("thread_ts").asText()).filter(root -> !root.isEmpty());
        boolean opened = direct ? directThreads : channelThreads;
        return thread.filter(root -> opened || !root.equals(id));
    }

    private List<PrecedingMessage> context(InThread thread, Told told) {
        return thread.before().stream()
                .filter(said -> !bot.wrote(
                        said.path("user").asText(), said.path("bot_id").asText()))
                .filter(said -> Timestamp.of(said.path("ts").asText())
                        .filter(ts ->
                                told.at().filter(at -> ts.compareTo(at) < 0).isPresent())
                        .isPresent())
                .map(said -> new PrecedingMessage(
                        Optional.ofNullable(author(said)),
                        Texts.plain(Texts.of(said), directory::person),
                        Timestamp.of(said.path("ts").asText()).flatMap(Timestamp::instant),
                        Optional.of(said.path("ts").asText())))
                .filter(said -> !said.text().isBlank())
                .toList();
    }

    private String author(JsonNode json) {
        String user = json.path("user").asText();
        Optional<String> person = user.isEmpty() ? Optional.empty() : directory.person(user);
        return person.or(() -> Optional.of(json.path("username").asText()).filter(name -> !name.isEmpty()))
                .or(() -> Optional.of(json.path("bot_profile").path("name").asText())
                        .filter(name -> !name.isEmpty()))
                .orElse(user);
    }

    private Incoming edit(Told told, String kind) {
        JsonNode now = told.json().path("message");
        JsonNode before = told.json().path("previous_message");
        String user = now.path("user").asText();
        if (bot.wrote(user, now.path("bot_id").asText())) {
            return new Incoming.PassedOver("the bot changed it");
        }
        if (!now.path("ts").isTextual() || user.isEmpty()) {
            return new Incoming.Unreadable("it changes a message and does not say which or whose");
        }
        String text = Texts.of(now);
        if (before.isObject() && Texts.of(before).equals(text)) {
            return new Incoming.PassedOver("it says the same");
        }
        String named = Texts.names(text, bot.userId()) ? Texts.without(text, bot.userId()) : text;
        return event(
                source(told.channel(), kind, user, placed(now, kind)),
                new ChatEvent.Edited(
                        now.path("ts").asText(),
                        commands.typed(Texts.plain(named, directory::person).strip())),
                told);
    }

    private Incoming deletion(Told told, String kind) {
        JsonNode before = told.json().path("previous_message");
        String user = before.path("user").asText();
        if (bot.wrote(user, before.path("bot_id").asText())) {
            return new Incoming.PassedOver("the bot's own");
        }
        String ts = told.json().path("deleted_ts").asText();
        if (ts.isEmpty()) {
            return new Incoming.Unreadable("it deletes a message and does not say which");
        }
        return event(source(told.channel(), kind, user, placed(before, kind)), new ChatEvent.Deleted(ts), told);
    }

    /** Returns the thread of the lane in which a message was handed in. */
    private Optional<String> placed(JsonNode message, String kind) {
        String ts = message.path("ts").asText();
        boolean direct = kind.equals("im");
        boolean opens = direct ? directThreads : channelThreads;
        return thread(message, ts, direct).or(() -> opens && !ts.isEmpty() ? Optional.of(ts) : Optional.empty());
    }

    private Incoming reaction(Told told, String kind) {
        JsonNode json = told.json();
        String user = json.path("user").asText();
        String ts = json.path("item").path("ts").asText();
        String reaction = json.path("reaction").asText();
        if (user.equals(bot.userId())) {
            return new Incoming.PassedOver("the bot reacted");
        }
        if (ts.isEmpty() || reaction.isEmpty()) {
            return new Incoming.PassedOver("it is no reaction to a message");
        }
        return event(
                source(told.channel(), kind, user, Optional.empty()),
                new ChatEvent.Reacted(ts, reaction, json.path("type").asText().equals("reaction_removed")),
                told);
    }

    private Incoming press(Told told, String kind) {
        JsonNode json = told.json();
        String user = json.path("user").path("id").asText();
        String ts = json.path("container")
                .path("message_ts")
                .asText(json.path("message").path("ts").asText());
        String value = json.path("actions").path(0).path("value").asText();
        if (user.isEmpty() || ts.isEmpty()) {
            return new Incoming.Unreadable("a button was pressed, and it does not say by whom or where");
        }
        String thread = json.path("message")
                .path("thread_ts")
                .asText(json.path("container").path("thread_ts").asText());
        return event(
                source(
                        told.channel(),
                        kind,
                        user,
                        Optional.of(thread).filter(root -> !root.isEmpty() && !root.equals(ts))),
                new ChatEvent.Pressed(ts, value),
                told);
    }

    private Incoming command(Told told, String kind) {
        JsonNode json = told.json();
        String user = json.path("user_id").asText();
        boolean direct = kind.equals("im");
        Gate.Verdict verdict = verdict(told.channel(), Optional.empty(), direct, false, true, false, "");
        if (user.isEmpty() || verdict != Gate.Verdict.PASS) {
            return new Incoming.PassedOver("it is not for the agent");
        }
        SessionSource source = source(told.channel(), kind, user, Optional.empty())
                .messageId(told.id())
                .build();
        String text =
                commands.slash(json.path("command").asText(), json.path("text").asText());
        return new Incoming.Message(new ReadMessage(
                source, text, List.of(), told.id(), Optional.<Instant>empty(), Optional.empty(), true, List.of()));
    }

    private static Incoming event(SessionSource.Builder source, ChatEvent what, Told told) {
        return new Incoming.Event(new Happened(source.build(), what, Optional.of(told.id())));
    }

    private SessionSource.Builder source(String channel, String kind, String user, Optional<String> thread) {
        Optional<String> person = user.isEmpty() ? Optional.empty() : directory.person(user);
        boolean direct = kind.equals("im");
        return SOURCES.inChat(channel)
                .chatType(direct ? ChatType.DM : kind.equals("mpim") ? ChatType.GROUP : ChatType.CHANNEL)
                .chatName((direct ? person : directory.channelName(channel)).orElse(null))
                .chatTopic(direct ? null : directory.topic(channel).orElse(null))
                .userId(user)
                .userName(person.orElse(user))
                .threadId(thread.orElse(null))
                .scopeId(bot.team());
    }
}
