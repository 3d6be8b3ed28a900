package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.discord.api.Bot;
import dev.parley.adapter.kit.access.Gate;
import dev.parley.adapter.kit.access.GateRules;
import dev.parley.adapter.kit.flow.LookupFailed;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.RemoteFile;
import dev.parley.application.port.Happened;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.PlatformSources;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.PrecedingMessage;
import dev.parley.domain.turn.ReplyTo;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what Discord told of a channel: who said what, where, and whether it is for the agent. What it cannot make sense of it says to be
 * unreadable, so that one bad event keeps no other from being read. Safe for concurrent use; blocks while it asks for names.
 */
final class Reader {
    private static final PlatformSources SOURCES = PlatformSources.of(Platform.DISCORD);
    private static final int DEFAULT = 0;
    private static final int REPLY = 19;
    private static final int FORWARD = 1;
    private static final String CHOICE = "parley:";

    private final Bot bot;
    private final Directory directory;
    private final Commands commands;
    private final GateRules rules;
    private final Gate gate;
    private final Set<String> roles;

    /**
     * A reader for one bot.
     *
     * @param bot who the bot is
     * @param directory knows channels
     * @param commands knows commands
     * @param rules which messages of channels are for the agent
     * @param roles the roles whose members may talk to the agent
     */
    Reader(Bot bot, Directory directory, Commands commands, GateRules rules, Set<String> roles) {
        this.bot = bot;
        this.directory = directory;
        this.commands = commands;
        this.rules = rules;
        this.gate = new Gate(rules);
        this.roles = Set.copyOf(roles);
    }

    /** What is known of the channel of a message. */
    interface Around {
        /** Returns whether the bot takes part in the thread. */
        boolean participates() throws LookupFailed;

        /** Returns what was said before the bot took part, oldest first. */
        List<JsonNode> before();

        /** Returns who wrote a message that was handed in before. */
        Optional<String> author(String message);
    }

    /**
     * Returns what something is that was told of a channel.
     *
     * @throws LookupFailed where something has to be asked that cannot be asked now
     */
    Incoming read(Told told, Chat chat, Around around) throws LookupFailed {
        return switch (told.kind()) {
            case MESSAGE -> message(told, chat, around);
            case EDIT -> edit(told, chat);
            case DELETION -> deletion(told, chat, around);
            case REACTION -> reaction(told, chat);
            case PRESS -> press(told, chat);
            case COMMAND -> command(told, chat);
        };
    }

    private Incoming message(Told told, Chat chat, Around around) throws LookupFailed {
        JsonNode json = told.json();
        String user = json.path("author").path("id").asText();
        int type = json.path("type").asInt();
        if (user.isEmpty()) {
            return new Incoming.Unreadable("it has no author");
        }
        if (!Told.isId(user)) {
            return new Incoming.Unreadable("its author is none of Discord's");
        }
        if (user.equals(bot.id())) {
            return new Incoming.PassedOver("the bot wrote it");
        }
        if (type != DEFAULT && type != REPLY) {
            return new Incoming.PassedOver("nobody said it");
        }
        String raw = Texts.of(json);
        boolean mentioned = isMentioned(json, raw);
        Gate.Verdict verdict = verdict(told, chat, mentioned, false, raw);
        if (verdict == Gate.Verdict.OVERHEARD
                && chat.parent().isPresent()
                && rules.threadParticipation()
                && (chat.owner().equals(bot.id()) || around.participates())) {
            verdict = verdict(told, chat, mentioned, true, raw);
        }
        if (verdict != Gate.Verdict.PASS) {
            return new Incoming.PassedOver("it is not for the agent");
        }
        String named = Texts.names(raw, bot.id()) ? Texts.without(raw, bot.id()) : raw;
        String text = commands.typed(named.strip());
        List<RemoteFile> files = Files.of(json);
        if (text.isEmpty() && files.isEmpty()) {
            return new Incoming.PassedOver("it says nothing");
        }
        SessionSource source = source(told, chat, user)
                .userName(name(json))
                .isBot(isBot(json))
                .messageId(told.id())
                .roleAuthorized(hasRole(json.path("member"), chat, user, told.live()))
                .build();
        List<PrecedingMessage> context = chat.parent().isPresent() && mentioned ? context(around.before()) : List.of();
        return new Incoming.Message(new ReadMessage(
                source, text, files, told.id(), told.at().map(Snowflake::instant), replyTo(json), mentioned, context));
    }

    private boolean isMentioned(JsonNode json, String text) {
        boolean replied = json.path("message_reference").path("type").asInt() != FORWARD
                && json.path("referenced_message")
                        .path("author")
                        .path("id")
                        .asText()
                        .equals(bot.id());
        return replied || Texts.names(text, bot.id()) || mentions(json, bot.id());
    }

    private static boolean mentions(JsonNode json, String user) {
        for (JsonNode each : json.path("mentions")) {
            if (each.path("id").asText().equals(user)) {
                return true;
            }
        }
        return false;
    }

    private boolean namesOtherBots(JsonNode json) {
        for (JsonNode each : json.path("mentions")) {
            if (each.path("bot").asBoolean(false) && !each.path("id").asText().equals(bot.id())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBot(JsonNode json) {
        return json.path("author").path("bot").asBoolean(false)
                || json.path("webhook_id").isTextual();
    }

    private Gate.Verdict verdict(Told told, Chat chat, boolean mentioned, boolean participates, String text) {
        return gate.decide(new Gate.Facts(
                chat.parent().orElse(told.channel()),
                chat.parent().map(parent -> told.channel()),
                chat.isDirect(),
                false,
                isBot(told.json()),
                mentioned,
                namesOtherBots(told.json()),
                participates,
                text));
    }

    private boolean hasRole(JsonNode member, Chat chat, String user, boolean live) throws LookupFailed {
        if (roles.isEmpty() || chat.guild().isEmpty()) {
            return false;
        }
        // A history does not say which roles an author has.
        Set<String> held =
                live ? Directory.roles(member) : directory.roles(chat.guild().get(), user);
        return held.stream().anyMatch(roles::contains);
    }

    private Optional<ReplyTo> replyTo(JsonNode json) {
        JsonNode reference = json.path("message_reference");
        Optional<String> id = Chat.text(reference, "message_id");
        if (id.isEmpty() || reference.path("type").asInt() == FORWARD) {
            return Optional.empty();
        }
        JsonNode first = json.path("referenced_message");
        if (!first.isObject()) {
            return Optional.of(ReplyTo.of(id.get()));
        }
        return Optional.of(new ReplyTo(
                id.get(),
                Optional.of(name(first)).filter(name -> !name.isEmpty()),
                Optional.of(Texts.of(first)).filter(text -> !text.isEmpty()),
                first.path("author").path("id").asText().equals(bot.id())));
    }

    private List<PrecedingMessage> context(List<JsonNode> before) {
        int from = 0;
        for (int i = 0; i < before.size(); i++) {
            if (History.author(before.get(i)).filter(bot.id()::equals).isPresent()) {
                from = i + 1;
            }
        }
        return before.subList(from, before.size()).stream()
                .filter(said -> said.path("type").asInt() == DEFAULT
                        || said.path("type").asInt() == REPLY)
                .map(said -> new PrecedingMessage(
                        Optional.of(name(said)),
                        Texts.of(said),
                        Snowflake.of(said.path("id").asText()).map(Snowflake::instant),
                        Chat.text(said, "id")))
                .filter(said -> !said.text().isBlank())
                .toList();
    }

    private static String name(JsonNode message) {
        return name(message.path("member"), message.path("author"));
    }

    private static String name(JsonNode member, JsonNode user) {
        return Chat.text(member, "nick")
                .or(() -> Chat.text(user, "global_name"))
                .or(() -> Chat.text(user, "username"))
                .orElse(user.path("id").asText());
    }

    private Incoming edit(Told told, Chat chat) {
        JsonNode json = told.json();
        Optional<String> user = History.author(json);
        if (user.isEmpty()) {
            return new Incoming.PassedOver("it does not say whose message was changed");
        }
        if (user.get().equals(bot.id())) {
            return new Incoming.PassedOver("the bot changed it");
        }
        String text = Texts.of(json);
        String named = Texts.names(text, bot.id()) ? Texts.without(text, bot.id()) : text;
        return occurrence(
                source(told, chat, user.get()).userName(name(json)),
                new ChatEvent.Edited(json.path("id").asText(), commands.typed(named.strip())),
                told);
    }

    private Incoming deletion(Told told, Chat chat, Around around) {
        String id = told.json().path("id").asText();
        Optional<String> user = around.author(id);
        if (user.isEmpty()) {
            return new Incoming.PassedOver("it was never handed in");
        }
        return occurrence(source(told, chat, user.get()), new ChatEvent.Deleted(id), told);
    }

    private Incoming reaction(Told told, Chat chat) {
        JsonNode json = told.json();
        String user = json.path("user_id").asText();
        String emoji = json.path("emoji").path("name").asText();
        String message = json.path("message_id").asText();
        if (user.equals(bot.id())) {
            return new Incoming.PassedOver("the bot reacted");
        }
        if (user.isEmpty() || emoji.isEmpty() || message.isEmpty()) {
            return new Incoming.Unreadable("it is a reaction and does not say whose or to what");
        }
        // A reaction taken back has no emoji of its own: the kind of the event says it.
        boolean removed = told.id().startsWith("MESSAGE_REACTION_REMOVE");
        return occurrence(source(told, chat, user), new ChatEvent.Reacted(message, emoji, removed), told);
    }

    private Incoming press(Told told, Chat chat) {
        JsonNode json = told.json();
        JsonNode user = person(json);
        String message = json.path("message").path("id").asText();
        String custom = json.path("data").path("custom_id").asText();
        if (user.path("id").asText().isEmpty() || message.isEmpty()) {
            return new Incoming.Unreadable("a button was pressed, and it does not say by whom or where");
        }
        if (!custom.startsWith(CHOICE)) {
            return new Incoming.PassedOver("the button is not the gateway's");
        }
        return occurrence(
                source(told, chat, user.path("id").asText()).userName(name(json.path("member"), user)),
                new ChatEvent.Pressed(message, custom.substring(CHOICE.length())),
                told);
    }

    private Incoming command(Told told, Chat chat) throws LookupFailed {
        JsonNode json = told.json();
        JsonNode user = person(json);
        String id = user.path("id").asText();
        String name = json.path("data").path("name").asText();
        if (id.isEmpty() || name.isEmpty()) {
            return new Incoming.Unreadable("it is a command and does not say which or whose");
        }
        if (verdict(told, chat, true, false, "") != Gate.Verdict.PASS) {
            return new Incoming.PassedOver("it is not for the agent");
        }
        StringBuilder text = new StringBuilder("/" + name);
        json.path("data")
                .path("options")
                .forEach(option -> text.append(' ').append(option.path("value").asText("")));
        SessionSource source = source(told, chat, id)
                .userName(name(json.path("member"), user))
                .messageId(told.id())
                .roleAuthorized(hasRole(json.path("member"), chat, id, true))
                .build();
        return new Incoming.Message(new ReadMessage(
                source,
                text.toString().strip(),
                List.of(),
                told.id(),
                told.at().map(Snowflake::instant),
                Optional.empty(),
                true,
                List.of()));
    }

    private static JsonNode person(JsonNode interaction) {
        JsonNode member = interaction.path("member").path("user");
        return member.isObject() ? member : interaction.path("user");
    }

    private static Incoming occurrence(SessionSource.Builder source, ChatEvent what, Told told) {
        return new Incoming.Occurrence(new Happened(source.build(), what, Optional.of(told.id())));
    }

    private SessionSource.Builder source(Told told, Chat chat, String user) {
        String person = name(told.json().path("member"), told.json().path("author"));
        return SOURCES.inChat(chat.parent().orElse(told.channel()))
                .chatType(chat.isDirect() ? ChatType.DM : ChatType.GROUP)
                .chatName(
                        chat.isDirect()
                                ? person
                                : directory.name(told.channel(), chat).orElse(null))
                .chatTopic(
                        chat.isDirect()
                                ? null
                                : directory.topic(told.channel(), chat).orElse(null))
                .userId(user)
                .threadId(chat.parent().map(parent -> told.channel()).orElse(null))
                .scopeId(chat.guild().orElse(null));
    }
}
