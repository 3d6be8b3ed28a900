package dev.parley.home.log;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which lines of a log are due, so that a line that comes often is written once in a minute. Counts what is left out, for at most a
 * hundred lines at a time. Safe for concurrent use.
 */
final class RepeatedLines {
    private static final Duration APART = Duration.ofMinutes(1);
    private static final int MOST = 100;

    private final InstantSource clock;
    private final Map<String, Repeated> lines = new LinkedHashMap<>();

    private static final class Repeated {
        private Instant written;
        private int since;

        Repeated(Instant written) {
            this.written = written;
        }
    }

    RepeatedLines(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns how often a line was left out since it was written; absent if it is left out now too. */
    synchronized Optional<Integer> due(String line) {
        Instant now = clock.instant();
        Repeated known = lines.get(line);
        if (known == null) {
            lines.put(line, new Repeated(now));
            return Optional.of(0);
        }
        if (now.isBefore(known.written.plus(APART)) && !now.isBefore(known.written)) {
            known.since++;
            return Optional.empty();
        }
        int since = known.since;
        known.written = now;
        known.since = 0;
        return Optional.of(since);
    }

    /** Returns whether the next new line needs {@link #takeRests} first. */
    synchronized boolean isFull() {
        return lines.size() >= MOST;
    }

    /** Forgets all lines and returns how often each was left out since it was written, in the order in which they first came. */
    synchronized Map<String, Integer> takeRests() {
        Map<String, Integer> rests = new LinkedHashMap<>();
        lines.forEach((line, repeated) -> {
            if (repeated.since > 0) {
                rests.put(line, repeated.since);
            }
        });
        lines.clear();
        return rests;
    }
}
