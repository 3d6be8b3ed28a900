package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.flow.HandingIn;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.adapter.slack.api.Bot;
import dev.parley.adapter.slack.api.SlackApi;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
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

    private static final int MOST_WAITING = 512;
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
    private final Set<Conversation> unread = new LinkedHashSet<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private Timestamp unseen;
    private boolean listing;
    private boolean looking;
    private int failures;
    private volatile boolean listening;
    private volatile boolean stopped;

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
        listening = false;
        List<Conversation> all;
        synchronized (this) {
            all = List.copyOf(known.values());
        }
        all.forEach(Conversation::leave);
    }

    /** Notes that nobody may have listened until now: each conversation is read, those too that the bot was added to meanwhile. */
    void wereAbsent() {
        List<Conversation> all;
        boolean list;
        synchronized (this) {
            all = List.copyOf(known.values());
        }
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
        listening = true;
        all.forEach(Conversation::wasAbsent);
        if (list) {
            execute(() -> list(0));
        }
    }

    private void list(int failed) {
        try {
            for (JsonNode each : history.conversations()) {
                String channel = each.path("id").asText();
                if (!channel.isEmpty()) {
                    Conversation conversation = conversation(channel);
                    conversation.is(Directory.kind(each));
                    conversation.next();
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
        if (!stopped) {
            after(asked.orElse(AWAY.pause(failed, settings.ids())), () -> execute(() -> list(failed + 1)));
        }
    }

    /** Takes what an envelope holds; what is of no use here is acknowledged at once. */
    void take(Optional<Told> told, Envelope envelope) {
        if (told.isEmpty()) {
            envelope.acknowledge();
            return;
        }
        conversation(told.get().channel()).take(told.get(), envelope);
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

    /** Has a conversation read before it goes on. */
    void lookInto(Conversation conversation) {
        synchronized (this) {
            unread.add(conversation);
            if (looking) {
                return;
            }
            looking = true;
        }
        execute(this::look);
    }

    private void look() {
        List<Conversation> all;
        synchronized (this) {
            all = List.copyOf(unread);
        }
        Optional<Conversation> awaited =
                all.stream().filter(Conversation::isWaitedFor).findFirst();
        Optional<Conversation> next;
        Timestamp from;
        synchronized (this) {
            next = awaited.filter(unread::contains).or(() -> unread.stream().findFirst());
            next.ifPresent(unread::remove);
            looking = next.isPresent() && !stopped;
            from = unseen;
        }
        if (next.isEmpty() || stopped) {
            return;
        }
        Optional<Duration> pause = look(next.get(), from);
        if (stopped) {
            return;
        }
        if (pause.isPresent()) {
            synchronized (this) {
                unread.add(next.get());
            }
            after(pause.get(), () -> execute(this::look));
        } else {
            next.get().next();
            execute(this::look);
        }
    }

    private Optional<Duration> look(Conversation conversation, Timestamp from) {
        try {
            conversation.look(history, from);
            failures = 0;
            return Optional.empty();
        } catch (LookupFailed e) {
            return Optional.of(e.retryAfter().orElse(AWAY.pause(failures++, settings.ids())));
        } catch (RuntimeException unknown) {
            // Without its place what was settled cannot be told from what was not.
            return Optional.of(AWAY.pause(failures++, settings.ids()));
        }
    }

    /** Returns whether more may wait. */
    boolean hasRoom() {
        return waiting.get() < MOST_WAITING;
    }

    void waits(int change) {
        waiting.addAndGet(change);
    }

    boolean isListening() {
        return listening;
    }

    boolean isStopped() {
        return stopped;
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

    Ids ids() {
        return settings.ids();
    }

    void execute(Runnable task) {
        settings.executor().execute(task);
    }

    Timers.Timer after(Duration time, Runnable task) {
        return settings.timers().after(time, task);
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
        stopped = true;
        List<Conversation> all;
        synchronized (this) {
            all = new ArrayList<>(known.values());
            unread.clear();
        }
        all.forEach(Conversation::stop);
    }
}
