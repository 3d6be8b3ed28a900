package dev.parley.adapter.whatsappcloud;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Tells of something once an hour, however often it happens: others make it happen, as often as they like. Safe for concurrent use. */
final class OncePerHour {
    private static final Duration HOUR = Duration.ofHours(1);

    private final InstantSource clock;
    private final Runnable telling;
    private Instant quietUntil = Instant.MIN;

    OncePerHour(InstantSource clock, Runnable telling) {
        this.clock = clock;
        this.telling = telling;
    }

    void happened() {
        Instant now = clock.instant();
        synchronized (this) {
            if (now.isBefore(quietUntil)) {
                return;
            }
            quietUntil = now.plus(HOUR);
        }
        telling.run();
    }
}
