package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What waits in one conversation, in the order in which it happened. One thing is handed in at a time, and the next once it is settled.
 * After an absence nothing is handed in until what was written meanwhile has been read. Safe for concurrent use.
 */
final class Conversation {
    /** Something that makes the gateway fail so often is left out: it would fail for ever. */
    private static final int MOST_FAILURES = 3;

    private static final int MOST_REMEMBERED = 2_000;
    /** Slack offers again for so long what was not acknowledged, so it may come behind what was written after it. */
    private static final Duration OVERLAP = Duration.ofMinutes(5);

    private static final Backoff AGAIN = new Backoff(Conversations.LEAST_PAUSE, 5);

    private final String channel;
    private final Conversations host;
    private final List<Item> waiting = new ArrayList<>();
    private final Map<String, Boolean> settled = bounded(MOST_REMEMBERED);
    private final Map<String, Boolean> threads = bounded(MOST_REMEMBERED);
    private Place place = Place.NONE;
    private boolean loaded;
    private boolean absent = true;
    private boolean overflowed;
    private boolean looking;
    private boolean busy;
    private int failures;
    private Optional<Timers.Timer> pausing = Optional.empty();

    /** Something that was told and not settled. */
    private static final class Item {
        final Told told;
        final List<Envelope> envelopes = new ArrayList<>();
        int failures;

        Item(Told told) {
            this.told = told;
        }
    }

    Conversation(String channel, Conversations host) {
        this.channel = channel;
        this.host = host;
    }

    private static <V> Map<String, V> bounded(int most) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > most;
            }
        };
    }

    String channel() {
        return channel;
    }

    /** Takes something that was told live. What is settled already is acknowledged; what waits already is acknowledged with it. */
    void take(Told told, Envelope envelope) {
        boolean known;
        synchronized (this) {
            known = settled.containsKey(told.id());
            if (!known) {
                // Without room it is left to the history, and so is what comes behind it, for the order.
                overflowed = overflowed || !host.hasRoom();
                Optional<Item> item = overflowed ? waitingAs(told) : Optional.of(add(told));
                item.ifPresent(each -> each.envelopes.add(envelope));
            }
        }
        if (known) {
            envelope.acknowledge();
        } else {
            next();
        }
    }

    private Optional<Item> waitingAs(Told told) {
        return waiting.stream().filter(item -> item.told.id().equals(told.id())).findFirst();
    }

    /** Adds in order what does not wait yet. */
    private Item add(Told told) {
        Optional<Item> before = waitingAs(told);
        if (before.isPresent()) {
            return before.get();
        }
        Item item = new Item(told);
        int at = waiting.size();
        while (at > (busy ? 1 : 0) && isBefore(told, waiting.get(at - 1).told)) {
            at--;
        }
        waiting.add(at, item);
        host.waits(1);
        return item;
    }

    private static boolean isBefore(Told told, Told other) {
        return told.at().isPresent()
                && other.at().isPresent()
                && told.at().get().compareTo(other.at().get()) < 0;
    }

    /** Notes that nobody listens. */
    synchronized void leave() {
        absent = true;
    }

    /** Notes that nobody may have read what was written: it is read before anything else is handed in. */
    void wasAbsent() {
        synchronized (this) {
            absent = true;
        }
        next();
    }

    /** Notes what kind of conversation it is. */
    synchronized void is(String kind) {
        if (place.kind().isEmpty()) {
            place = place.of(kind);
        }
    }

    synchronized boolean isWaitedFor() {
        return !waiting.isEmpty();
    }

    /** Returns the latest message that is settled, as it is kept. */
    synchronized Optional<Timestamp> at() {
        return place.at();
    }

    /** Reads the kept place, unless that was done. */
    void load() {
        synchronized (this) {
            if (loaded) {
                return;
            }
        }
        Optional<Place> kept = host.kept(channel);
        synchronized (this) {
            if (!loaded) {
                loaded = true;
                String kind = place.kind();
                place = kept.orElse(place);
                place = place.kind().isEmpty() ? place.of(kind) : place;
            }
        }
    }

    /** Reads what was written in an absence, and adds it, unless nobody listens now; called by one thread at a time. */
    void look(History history, Timestamp unseen) throws LookupFailed {
        load();
        Timestamp oldest;
        List<String> roots;
        synchronized (this) {
            if (!host.isListening()) {
                // What is written from now on would not be read: it is looked into once somebody listens.
                absent = true;
                return;
            }
            // What nobody has answered before counts from when the gateway began to listen.
            oldest = place.at().map(at -> at.minus(OVERLAP)).orElse(unseen);
            roots = List.copyOf(place.threads().keySet());
            absent = false;
            overflowed = false;
            looking = true;
        }
        try {
            for (JsonNode message : history.since(channel, oldest, new LinkedHashSet<>(roots))) {
                Optional<Told> told = Told.history(channel, message);
                synchronized (this) {
                    told.filter(each -> !settled.containsKey(each.id())).ifPresent(this::add);
                }
            }
        } catch (LookupFailed e) {
            synchronized (this) {
                absent = true;
            }
            throw e;
        } finally {
            synchronized (this) {
                looking = false;
            }
        }
    }

    /** Does what is next, unless something is under way. */
    void next() {
        Item head;
        synchronized (this) {
            if (busy || looking || pausing.isPresent() || host.isStopped()) {
                return;
            }
            if (absent || !loaded || (overflowed && waiting.isEmpty())) {
                if (host.isListening()) {
                    host.lookInto(this);
                }
                return;
            }
            if (waiting.isEmpty()) {
                return;
            }
            busy = true;
            head = waiting.get(0);
        }
        host.execute(() -> handIn(head));
    }

    private void handIn(Item item) {
        CompletionStage<Settlement> stage;
        Incoming incoming;
        try {
            String kind = kind(item.told);
            incoming = read(item.told, kind);
            stage = host.handIn(item.told, incoming);
        } catch (LookupFailed e) {
            again(e.retryAfter().orElse(Duration.ZERO));
            return;
        } catch (RuntimeException | Error e) {
            failed(item, e);
            return;
        }
        stage.whenComplete((settlement, failure) -> {
            if (failure != null) {
                failed(item, failure.getCause() == null ? failure : failure.getCause());
            } else if (settlement.again().isPresent()) {
                again(settlement.again().get());
            } else {
                done(item, incoming);
            }
        });
    }

    private Incoming read(Told told, String kind) throws LookupFailed {
        try {
            return host.reader().read(told, kind, new Replies(told));
        } catch (RuntimeException e) {
            return new Incoming.Unreadable("it cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** Returns what kind of conversation it is: as the event says, as is known, as Slack says, as its id begins. */
    private String kind(Told told) {
        synchronized (this) {
            if (!place.kind().isEmpty()) {
                return place.kind();
            }
        }
        String said = told.json().path("channel_type").asText();
        String kind = said.equals("im") || said.equals("mpim")
                ? said
                : channel.startsWith("D")
                        ? "im"
                        : said.equals("channel")
                                ? said
                                : host.directory().kind(channel).orElse("channel");
        is(kind);
        return kind;
    }

    private void failed(Item item, Throwable failure) {
        if (++item.failures < MOST_FAILURES) {
            again(Duration.ZERO);
            return;
        }
        host.warn("A message in " + channel + " was left out: the gateway failed with it, with a "
                + failure.getClass().getSimpleName() + ".");
        done(item, new Incoming.PassedOver("the gateway fails with it"));
    }

    private void again(Duration asked) {
        Duration own;
        synchronized (this) {
            busy = false;
            own = AGAIN.pause(failures++, host.ids());
        }
        pause(own.compareTo(asked) > 0 ? own : asked);
    }

    private void pause(Duration time) {
        synchronized (this) {
            pausing = Optional.of(host.after(time, () -> {
                synchronized (this) {
                    pausing = Optional.empty();
                }
                next();
            }));
        }
    }

    private void done(Item item, Incoming incoming) {
        Optional<Place> changed = Optional.empty();
        List<Envelope> envelopes;
        synchronized (this) {
            busy = false;
            failures = 0;
            waiting.remove(item);
            settled.put(item.told.id(), true);
            envelopes = List.copyOf(item.envelopes);
            Place before = place;
            if (item.told.kind() == Told.Kind.MESSAGE) {
                place = item.told.at().filter(host::isPast).map(place::settled).orElse(place);
                if (incoming instanceof Incoming.Message message) {
                    place = message.message()
                            .source()
                            .threadId()
                            .flatMap(root -> item.told.at().map(ts -> place.within(root, ts)))
                            .orElse(place);
                }
            }
            if (!place.equals(before)) {
                changed = Optional.of(place);
            }
        }
        host.waits(-1);
        changed.ifPresent(now -> host.keep(channel, now));
        envelopes.forEach(Envelope::acknowledge);
        next();
    }

    /** The thread of a message, asked for once. */
    private final class Replies implements Reader.InThread {
        private final String root;
        private Optional<List<JsonNode>> said = Optional.empty();

        Replies(Told told) {
            this.root = told.json().path("thread_ts").asText();
        }

        @Override
        public boolean participates() throws LookupFailed {
            synchronized (Conversation.this) {
                if (place.threads().containsKey(root)) {
                    return true;
                }
                if (threads.containsKey(root)) {
                    return threads.get(root);
                }
            }
            boolean ours = said().stream().anyMatch(host::isOurs);
            synchronized (Conversation.this) {
                threads.put(root, ours);
            }
            return ours;
        }

        @Override
        public List<JsonNode> before() {
            synchronized (Conversation.this) {
                if (place.threads().containsKey(root)) {
                    return List.of();
                }
            }
            try {
                return said();
            } catch (LookupFailed e) {
                // A message is answered without it rather than late.
                return List.of();
            }
        }

        private List<JsonNode> said() throws LookupFailed {
            if (said.isEmpty()) {
                said = Optional.of(host.history().thread(channel, root));
            }
            return said.get();
        }
    }

    /** Ends waiting. */
    synchronized void stop() {
        pausing.ifPresent(Timers.Timer::cancel);
        pausing = Optional.empty();
        waiting.clear();
    }
}
