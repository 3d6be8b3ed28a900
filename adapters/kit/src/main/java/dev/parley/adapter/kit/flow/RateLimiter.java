package dev.parley.adapter.kit.flow;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps a platform's limits: so often for a chat, so often over all, and not before a server's own time-out has passed. It answers
 * how long to wait and blocks nobody: a delivery that has to wait long goes back to the gateway, which knows how to wait. Written
 * here since libraries for it read the wall clock or keep threads; this one is an instant for each name. Safe for concurrent use.
 */
public final class RateLimiter {
    private static final int MANY = 10_000;

    /** For each name the instant from which an even pace has used up nothing. */
    private final Map<String, Instant> used = new HashMap<>();

    private final Map<String, Instant> paused = new HashMap<>();
    private final InstantSource clock;

    /** A limiter in which nothing has been used up. */
    public RateLimiter(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * What is asked of one limit.
     *
     * @param name whose limit it is, such as a chat
     * @param rate the limit
     */
    public record Demand(String name, Rate rate) {}

    /** Takes one permit of each limit and returns zero, or takes none and returns how long to wait. */
    public synchronized Duration take(List<Demand> demands) {
        Instant now = clock.instant();
        Duration wait = Duration.ZERO;
        for (Demand demand : demands) {
            wait = longer(wait, wait(demand, now));
        }
        if (wait.isZero()) {
            for (Demand demand : demands) {
                Instant from = used.getOrDefault(demand.name(), now);
                used.put(
                        demand.name(),
                        (from.isBefore(now) ? now : from).plus(demand.rate().interval()));
            }
            forgetIdle(now);
        }
        return wait;
    }

    /** Lets nothing of this name pass until a time has passed; a longer pause stands. */
    public synchronized void pause(String name, Duration time) {
        Instant until = clock.instant().plus(time);
        paused.merge(name, until, (a, b) -> a.isAfter(b) ? a : b);
    }

    /** Returns how long the pause of a name still lasts; zero where none does. */
    public synchronized Duration paused(String name) {
        Instant now = clock.instant();
        return Duration.between(now, later(paused.getOrDefault(name, now), now));
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    private Duration wait(Demand demand, Instant now) {
        Instant from = used.getOrDefault(demand.name(), now);
        Duration ahead = Duration.between(now, from);
        Duration allowed = demand.rate().interval().multipliedBy(demand.rate().burst() - 1L);
        Duration wait = ahead.minus(allowed);
        Instant until = paused.get(demand.name());
        if (until != null) {
            wait = longer(wait, Duration.between(now, until));
        }
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    private void forgetIdle(Instant now) {
        if (used.size() > MANY) {
            used.values().removeIf(until -> !until.isAfter(now));
        }
        if (paused.size() > MANY) {
            paused.values().removeIf(until -> !until.isAfter(now));
        }
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) >= 0 ? a : b;
    }
}
