package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.Backlogs;
import dev.parley.adapter.kit.flow.ChatBacklog;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.kit.flow.LookupFailed;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.slack.api.Bot;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.ParleyException;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The conversations of one bot: what Slack tells of them is handed to the gateway in the order of each, and acknowledged once it is
 * settled. What was written while nobody listened is read from their histories first, one conversation after the other, those first in
 * which something waits. Up to where each is settled is kept. Safe for concurrent use.
 */
final class Conversations {
    /** How long to wait at least before what could not be stored is handed in again. */
    static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

    /** So far ahead of this machine's clock the other side's may be. */
    private static final Duration CLOCKS_APART = Duration.ofDays(1);

    private static final String INDEX = "conversations";
    private static final String BEGUN = "begun";
    private static final Backoff AWAY = new Backoff(LEAST_PAUSE, 4);

    private final Bot bot;
    private final ProviderSettings settings;
    private final Reader reader;
    private final Directory directory;
    private final History history;
    private final HandingIn handingIn;
    private final Consumer<String> warnings;
    private final Map<String, Conversation> known = new LinkedHashMap<>();
    private final Backlogs backlogs;
    private Timestamp unseen;
    private boolean listing;

    /**
     * The conversations of one bot.
     *
     * @param bot the bot
     * @param reader reads what is told
     * @param directory knows names
     * @param history reads what was written
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
            SlackApi api,
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
        this.handingIn = new HandingIn(
                new FileFetch(new Files(api), Long.MAX_VALUE, settings.media(), warnings),
                listener,
                settings.executor(),
                LEAST_PAUSE);
        this.warnings = warnings;
        this.unseen = Timestamp.of(begun);
    }

    /**
     * Learns which conversations there were and up to where they are settled.
     *
     * @throws ParleyException where the storage does not say now
     */
    void load() {
        Optional<String> begun = settings.cursors().get(name(BEGUN));
        synchronized (this) {
            unseen = begun.flatMap(Timestamp::of).orElse(unseen);
        }
        if (begun.isEmpty()) {
            settings.cursors().put(name(BEGUN), unseen.text());
        }
        Optional<String> index = settings.cursors().get(name(INDEX));
        for (String channel : index.orElse("").split(" ", -1)) {
            if (!channel.isBlank()) {
                conversation(channel).load();
            }
        }
    }

    /** Notes that nobody listens: nothing is handed in until what is written from now on can be put before it. */
    void leave() {
        backlogs.listening(false);
        all().forEach(each -> each.backlog().absent(true));
    }

    /** Notes that nobody may have listened until now: each conversation is read, those too that the bot was added to meanwhile. */
    void wereAbsent() {
        List<Conversation> all = all();
        boolean list;
        // By Slack's clock where it has said anything: what is new elsewhere was written later.
        Optional<Timestamp> latest = all.stream()
                .map(Conversation::at)
                .flatMap(Optional::stream)
                .max(Timestamp::compareTo)
                .map(at -> at.minus(Duration.ofMinutes(5)));
        synchronized (this) {
            unseen = latest.filter(at -> at.compareTo(unseen) > 0).orElse(unseen);
            list = !listing;
            listing = true;
        }
        backlogs.listening(true);
        all.forEach(each -> {
            each.backlog().absent(true);
            each.backlog().next();
        });
        if (list) {
            backlogs.execute(() -> list(0));
        }
    }

    private synchronized List<Conversation> all() {
        return List.copyOf(known.values());
    }

    private void list(int failed) {
        try {
            for (JsonNode each : history.conversations()) {
                String channel = each.path("id").asText();
                if (!channel.isEmpty()) {
                    Conversation conversation = conversation(channel);
                    conversation.is(Directory.kind(each));
                    conversation.backlog().next();
                }
            }
            synchronized (this) {
                listing = false;
            }
        } catch (LookupFailed e) {
            listAgain(failed, e.retryAfter());
        } catch (RuntimeException e) {
            listAgain(failed, Optional.empty());
        }
    }

    private void listAgain(int failed, Optional<Duration> asked) {
        if (!backlogs.isStopped()) {
            backlogs.after(
                    asked.orElse(AWAY.pause(failed, settings.ids())), () -> backlogs.execute(() -> list(failed + 1)));
        }
    }

    /** Takes what an envelope holds; what is of no use here is acknowledged at once. */
    void take(Optional<Told> told, Envelope envelope) {
        if (told.isEmpty()) {
            envelope.settle();
            return;
        }
        conversation(told.get().channel()).backlog().take(told.get(), envelope);
    }

    private Conversation conversation(String channel) {
        synchronized (this) {
            Conversation before = known.get(channel);
            if (before != null) {
                return before;
            }
            Conversation found = new Conversation(channel, this);
            known.put(channel, found);
            // Noted behind the lock, so that a longer list is never followed by a shorter one.
            settings.cursors().put(name(INDEX), String.join(" ", known.keySet()));
            return found;
        }
    }

    private CursorName name(String what) {
        return new CursorName(Platform.SLACK, bot.account(), what);
    }

    // what conversations ask for

    ChatBacklog<Told, Incoming> backlog(Conversation conversation) {
        return new ChatBacklog<>(conversation, backlogs, LEAST_PAUSE);
    }

    /** Returns since when messages count where none is settled. */
    synchronized Timestamp unseen() {
        return unseen;
    }

    boolean isOurs(JsonNode message) {
        return bot.wrote(message.path("user").asText(), message.path("bot_id").asText())
                || Texts.names(message.path("text").asText(), bot.userId());
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
    boolean isPast(Timestamp ts) {
        Instant latest = settings.clock().instant().plus(CLOCKS_APART);
        return ts.instant().filter(at -> at.isBefore(latest)).isPresent();
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
            return handingIn.message(message.message());
        }
        if (incoming instanceof Incoming.Event event) {
            return handingIn.happened(event.what());
        }
        if (incoming instanceof Incoming.Unreadable unreadable) {
            warn("Something in " + told.channel() + " was left out: " + unreadable.why() + ".");
        }
        return CompletableFuture.completedFuture(Settlement.DONE);
    }

    /** Ends: nothing more is handed in; what is not settled is told again. */
    void stop() {
        backlogs.stop();
        all().forEach(each -> each.backlog().stop());
    }
}
