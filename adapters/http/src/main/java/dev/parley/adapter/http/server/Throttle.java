package dev.parley.adapter.http.server;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Counts wrong tokens: after some in a minute, of one address or of all together, no more are looked at. Safe for concurrent use. */
final class Throttle {
    private static final Duration SPAN = Duration.ofMinutes(1);
    private static final int OF_ONE = 5;
    private static final int OF_ALL = 50;
    private static final int MOST_ADDRESSES = 1_000;

    private final InstantSource clock;
    private final Deque<Instant> all = new ArrayDeque<>();
    private final Map<String, Deque<Instant>> byAddress = new HashMap<>();

    Throttle(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns how long an address has to wait; nothing where it need not. */
    synchronized Optional<Duration> pause(String address) {
        Instant now = clock.instant();
        Deque<Instant> own = recent(byAddress.getOrDefault(address, new ArrayDeque<>()), now);
        Deque<Instant> together = recent(all, now);
        if (own.size() >= OF_ONE) {
            return Optional.of(Duration.between(now, own.getFirst().plus(SPAN)));
        }
        return together.size() >= OF_ALL
                ? Optional.of(Duration.between(now, together.getFirst().plus(SPAN)))
                : Optional.empty();
    }

    /** Notes a wrong token of an address. */
    synchronized void wrong(String address) {
        Instant now = clock.instant();
        if (byAddress.size() >= MOST_ADDRESSES) {
            byAddress.values().removeIf(times -> recent(times, now).isEmpty());
        }
        if (byAddress.size() < MOST_ADDRESSES || byAddress.containsKey(address)) {
            byAddress.computeIfAbsent(address, any -> new ArrayDeque<>()).addLast(now);
        }
        all.addLast(now);
    }

    private static Deque<Instant> recent(Deque<Instant> times, Instant now) {
        while (!times.isEmpty() && !now.isBefore(times.getFirst().plus(SPAN))) {
            times.removeFirst();
        }
        return times;
    }
}
