package dev.parley.adapter.console;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.WebStream;
import dev.parley.domain.key.SessionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells open pages what has changed: ids only, never a text. The last changes are kept in a ring; a reader has nothing but its
 * place in it, so one that is slow costs nothing and gets each topic once. Readers are woken at most four times a second.
 */
final class Feed {
    /** The topic of how far a degraded storage is, for those who look at that alone. */
    static final String HEALING = "healing";

    private static final Duration LOOK = Duration.ofSeconds(2);
    private static final int KEPT = 4_096;
    private static final Duration TOGETHER = Duration.ofMillis(250);

    private final Timers timers;
    private final String[] ring = new String[KEPT];
    private final Set<Reading> readers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean due = new AtomicBoolean();
    private final AtomicBoolean degraded = new AtomicBoolean();
    private long told;

    Feed(Timers timers) {
        this.timers = timers;
        java.util.Arrays.fill(ring, "");
    }

    void on(GatewayEvent event) {
        topics(event).forEach(this::tell);
        if (event instanceof GatewayEvent.Degraded && degraded.compareAndSet(false, true)) {
            lookAgain();
        } else if (event instanceof GatewayEvent.Healed) {
            degraded.set(false);
        }
    }

    /** While the storage is degraded its page is told at a pace: how much waits changes without an event. */
    private void lookAgain() {
        Timers.Timer unused = timers.after(LOOK, () -> {
            if (degraded.get()) {
                tell(HEALING);
                lookAgain();
            }
        });
    }

    private static List<String> topics(GatewayEvent event) {
        if (event instanceof GatewayEvent.Admitted admitted) {
            return lane(admitted.inbound().lane());
        }
        if (event instanceof GatewayEvent.TurnClaimed claimed) {
            return lane(claimed.turn().lane());
        }
        if (event instanceof GatewayEvent.TurnEnded ended) {
            List<String> both = new ArrayList<>(lane(ended.turn().lane()));
            both.add("session:" + ended.turn().session().value());
            return both;
        }
        if (event instanceof GatewayEvent.Transition transition) {
            return lane(transition.event().lane());
        }
        if (event instanceof GatewayEvent.Sent sent) {
            return delivery(sent.outgoing().lane());
        }
        if (event instanceof GatewayEvent.Expired expired) {
            return delivery(expired.outgoing().lane());
        }
        if (event instanceof GatewayEvent.SendFailed failed) {
            return delivery(failed.outgoing().lane());
        }
        if (event instanceof GatewayEvent.Dropped dropped) {
            return lane(dropped.lane());
        }
        if (event instanceof GatewayEvent.Degraded
                || event instanceof GatewayEvent.Healed
                || event instanceof GatewayEvent.Started
                || event instanceof GatewayEvent.Trouble) {
            return List.of("storage");
        }
        return event instanceof GatewayEvent.Pruned pruned ? lane(pruned.lane()) : List.of();
    }

    private static List<String> lane(SessionKey key) {
        return List.of("lane", "lane:" + key.value());
    }

    private static List<String> delivery(Optional<SessionKey> lane) {
        return lane.map(key -> List.of("delivery", "lane:" + key.value())).orElse(List.of("delivery"));
    }

    /** Tells the readers of a topic that something has changed. */
    void tell(String topic) {
        synchronized (this) {
            ring[(int) (told % KEPT)] = topic;
            told++;
        }
        if (!readers.isEmpty() && due.compareAndSet(false, true)) {
            Timers.Timer unused = timers.after(TOGETHER, () -> {
                due.set(false);
                readers.forEach(Reading::wake);
            });
        }
    }

    /** Returns the place behind what was told last: a page that is read from now on shows all that was told before. */
    synchronized long place() {
        return told;
    }

    /** Returns what a reader is told: from now on, or from behind the place it had before. */
    WebStream read(Set<String> topics, Optional<String> before) {
        return new Reading(topics, before);
    }

    int readers() {
        return readers.size();
    }

    private final class Reading implements WebStream {
        private final Set<String> topics;
        private long place;
        private boolean lost;
        private volatile Runnable wake = () -> {};

        Reading(Set<String> topics, Optional<String> before) {
            this.topics = Set.copyOf(topics);
            synchronized (Feed.this) {
                place = told;
                before.ifPresent(this::goBack);
            }
        }

        private void goBack(String before) {
            try {
                long wanted = Long.parseLong(before);
                lost = wanted > told || wanted < told - KEPT;
                place = lost ? told : wanted;
            } catch (NumberFormatException notOurs) {
                lost = true;
            }
        }

        @Override
        public String next() {
            Set<String> changed = new LinkedHashSet<>();
            long now;
            synchronized (Feed.this) {
                now = told;
                lost |= place < now - KEPT;
                for (long i = Math.max(place, now - KEPT); i < now; i++) {
                    String topic = ring[(int) (i % KEPT)];
                    if (topics.contains(topic)) {
                        changed.add(topic);
                    }
                }
            }
            place = now;
            boolean starts = lost;
            lost = false;
            if (starts) {
                return "id: " + now + "\nevent: reset\ndata: \n\n";
            }
            if (changed.isEmpty()) {
                return "";
            }
            return "id: " + now + "\nevent: change\ndata: " + String.join("\ndata: ", changed) + "\n\n";
        }

        void wake() {
            wake.run();
        }

        @Override
        public void whenMore(Runnable more) {
            wake = more;
            readers.add(this);
        }

        @Override
        public void close() {
            readers.remove(this);
        }
    }
}
