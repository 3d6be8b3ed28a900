package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.discord.api.Bot;
import dev.parley.adapter.discord.api.DiscordApi;
import dev.parley.adapter.kit.flow.Backlogs;
import dev.parley.adapter.kit.flow.ChatBacklog;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The channels of one bot: what Discord tells of them is handed to the gateway in the order of each, and an event counts as settled once it
 * is. What was written while nobody listened is read from their histories first, one channel after the other, those first in which something
 * waits. Up to where each is settled is kept. Safe for concurrent use.
 */
final class Conversations {
    /** How long to wait at least before what could not be stored is handed in again. */
    static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

    /** So far ahead of this machine's clock the other side's may be. */
    private static final Duration CLOCKS_APART = Duration.ofDays(1);

    private static final int MOST_NOTED = 500;
    private static final String INDEX = "channels";
    private static final String BEGUN = "begun";
    private static final String SESSION = "session";
    private static final Duration SURELY = Duration.ofMinutes(5);

    private final Bot bot;
    private final ProviderSettings settings;
    private final Reader reader;
    private final Directory directory;
    private final History history;
    private final Interactions interactions;
    private final InboundListener listener;
    private final HandingIn handingIn;
    private final Consumer<String> warnings;
    private final Map<String, Conversation> known = new LinkedHashMap<>();
    private final Set<String> noted = new LinkedHashSet<>();
    private final Backlogs backlogs;
    private Snowflake unseen;

    /**
     * The channels of one bot.
     *
     * @param bot the bot
     * @param reader reads what is told
     * @param directory knows channels
     * @param history reads what was written
     * @param interactions answers commands and buttons
     * @param api fetches files
     * @param settings what the platform was made with
     * @param listener takes what was read
     * @param warnings takes one line for everything an operator should know
     * @param begun when the platform was made: at its first start ever, what was written before is history
     */
    Conversations(
            Bot bot,
            Reader reader,
            Directory directory,
            History history,
            Interactions interactions,
            DiscordApi api,
            ProviderSettings settings,
            InboundListener listener,
            Consumer<String> warnings,
            Instant begun) {
        this.bot = bot;
        this.settings = settings;
        this.backlogs = new Backlogs(settings, LEAST_PAUSE);
        this.reader = reader;
        this.directory = directory;
        this.history = history;
        this.interactions = interactions;
        this.listener = listener;
        this.handingIn = new HandingIn(
                new FileFetch(new Files(api), Long.MAX_VALUE, settings.media(), warnings),
                listener,
                settings.executor(),
                LEAST_PAUSE);
        this.warnings = warnings;
        this.unseen = Snowflake.of(begun);
    }

    /**
     * Learns which channels there were and up to where they are settled; returns the session that may be resumed.
     *
     * @throws ParleyException where the storage does not say now
     */
    Optional<Session> load() {
        Optional<String> begun = settings.cursors().get(name(BEGUN));
        synchronized (this) {
            unseen = begun.flatMap(Snowflake::of).orElse(unseen);
        }
        if (begun.isEmpty()) {
            settings.cursors().put(name(BEGUN), unseen.text());
        }
        Optional<String> index = settings.cursors().get(name(INDEX));
        for (String channel : index.orElse("").split(" ", -1)) {
            if (!channel.isBlank()) {
                synchronized (this) {
                    noted.add(channel);
                }
                conversation(channel).load();
            }
        }
        return Session.of(settings.cursors().get(name(SESSION)));
    }

    /** Keeps a session, as far as it is settled. */
    void keep(Session session) {
        settings.cursors().put(name(SESSION), session.text());
    }

    /** Notes that nobody listens. */
    void leave() {
        backlogs.listening(false);
    }

    /** Notes that a session was resumed: what happened meanwhile is told by it. */
    void resumed() {
        backlogs.listening(true);
        all().forEach(each -> each.backlog().next());
    }

    /** Notes that nobody may have listened until now: each channel in which the bot was spoken to is read. */
    void wereAbsent() {
        List<Conversation> all = all();
        // By Discord's clock where it has said anything: what is new elsewhere was written later.
        Optional<Snowflake> latest = all.stream()
                .map(Conversation::at)
                .flatMap(Optional::stream)
                .max(Snowflake::compareTo)
                .map(at -> at.minus(SURELY));
        synchronized (this) {
            unseen = latest.filter(at -> at.compareTo(unseen) > 0).orElse(unseen);
        }
        all.forEach(each -> each.backlog().absent(true));
        backlogs.listening(true);
        all.forEach(each -> each.backlog().next());
    }

    private synchronized List<Conversation> all() {
        return List.copyOf(known.values());
    }

    /** Takes what an event tells; what is of no use here is settled at once. */
    void take(String type, JsonNode json, Event event) {
        switch (type) {
            case "GUILD_CREATE" -> backlogs.execute(() -> guild(json, event));
            case "CHANNEL_CREATE", "CHANNEL_UPDATE", "THREAD_CREATE", "THREAD_UPDATE" -> {
                directory.channel(json, Chat.text(json, "guild_id"));
                event.settle();
            }
            case "CHANNEL_DELETE", "THREAD_DELETE" -> {
                directory.gone(json.path("id").asText());
                event.settle();
            }
            default -> {
                Optional<Told> told = Told.of(type, json);
                if (told.isEmpty()) {
                    event.settle();
                    return;
                }
                boolean direct = told.get().kind() == Told.Kind.MESSAGE && !json.has("guild_id");
                if (direct) {
                    note(told.get().channel());
                }
                conversation(told.get().channel()).backlog().take(told.get(), event);
            }
        }
    }

    /** Learns a guild, and reads its channels in which something was written that nobody has heard. */
    private void guild(JsonNode json, Event event) {
        try {
            directory.guild(json);
            json.path("channels").forEach(this::heard);
            json.path("threads").forEach(this::heard);
            event.settle();
        } catch (RuntimeException unknown) {
            if (!backlogs.isStopped()) {
                // Without the places it is not known what was heard.
                backlogs.after(LEAST_PAUSE, () -> backlogs.execute(() -> guild(json, event)));
            }
        }
    }

    private void heard(JsonNode channel) {
        Optional<Snowflake> last = Snowflake.of(channel.path("last_message_id").asText());
        String id = channel.path("id").asText();
        Snowflake from;
        boolean spoken;
        synchronized (this) {
            from = unseen;
            spoken = known.containsKey(id);
        }
        if (last.isPresent() && !id.isEmpty() && (spoken || last.get().compareTo(from) > 0)) {
            conversation(id).last(last.get());
        }
    }

    private synchronized Conversation conversation(String channel) {
        return known.computeIfAbsent(channel, id -> new Conversation(id, this));
    }

    private CursorName name(String what) {
        return new CursorName(Platform.DISCORD, bot.id(), what);
    }

    // what conversations ask for

    /** Notes that a channel is to be read after an absence; the five hundred that were noted last are. */
    void note(String channel) {
        synchronized (this) {
            if (!noted.add(channel)) {
                return;
            }
            if (noted.size() > MOST_NOTED) {
                noted.remove(noted.iterator().next());
            }
            settings.cursors().put(name(INDEX), String.join(" ", noted));
        }
    }

    ChatBacklog<Told, Incoming> backlog(Conversation conversation) {
        return new ChatBacklog<>(conversation, backlogs, LEAST_PAUSE);
    }

    /** Returns since when messages count where none is settled. */
    synchronized Snowflake unseen() {
        return unseen;
    }

    boolean isOurs(JsonNode message) {
        return History.author(message).filter(bot.id()::equals).isPresent()
                || Texts.names(message.path("content").asText(""), bot.id());
    }

    Reader reader() {
        return reader;
    }

    Directory directory() {
        return directory;
    }

    History history() {
        return history;
    }

    /** Returns whether something may have been written by now: the mark of what is settled goes no further. */
    boolean isPast(Snowflake id) {
        return id.instant().isBefore(settings.clock().instant().plus(CLOCKS_APART));
    }

    void warn(String line) {
        warnings.accept(line);
    }

    Optional<Place> kept(String channel) {
        return Place.of(settings.cursors().get(name(channel)));
    }

    void keep(String channel, Place place) {
        settings.cursors().put(name(channel), place.text());
    }

    /** Hands in what was read. */
    CompletionStage<Settlement> handIn(Told told, Incoming incoming) {
        if (incoming instanceof Incoming.Message message) {
            return told.kind() == Told.Kind.COMMAND
                    ? command(told, message.message())
                    : handingIn.message(message.message());
        }
        if (incoming instanceof Incoming.Occurrence occurrence) {
            CompletionStage<Settlement> settled = handingIn.happened(occurrence.what());
            return told.kind() == Told.Kind.PRESS
                    ? settled.whenComplete((settlement, failure) -> {
                        if (settlement != null && settlement.again().isEmpty()) {
                            backlogs.execute(() -> interactions.received(told.json(), false));
                        }
                    })
                    : settled;
        }
        if (incoming instanceof Incoming.Unreadable unreadable) {
            warn("Something in channel " + told.channel() + " was left out: " + unreadable.why() + ".");
        }
        return CompletableFuture.completedFuture(Settlement.DONE);
    }

    /** Hands in a command, and tells Discord that an answer comes once it is stored. */
    private CompletionStage<Settlement> command(Told told, ReadMessage message) {
        interactions.expect(told.json());
        Received received = new Received(
                message.source(),
                message.text(),
                List.of(),
                Optional.of(message.messageId()),
                message.sentAt(),
                message.replyTo(),
                message.mentioned(),
                message.context());
        return listener.receive(received, AnswerListener.NONE).thenApply(receipt -> {
            Settlement settlement = Settlement.of(receipt, LEAST_PAUSE);
            if (receipt instanceof Receipt.Admitted) {
                backlogs.execute(() -> interactions.received(told.json(), true));
            } else if (settlement.again().isEmpty()) {
                interactions.forget(told.json());
            }
            return settlement;
        });
    }

    /** Ends: nothing more is handed in; what is not settled is told again. */
    void stop() {
        backlogs.stop();
        all().forEach(each -> each.backlog().stop());
    }
}
