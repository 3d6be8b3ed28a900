package dev.parley.application.replay;

import dev.parley.application.port.Ids;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;

/** Ids and chance from a seed: the same calls in the same order give the same answers. Unique among all calls of one object. */
public final class SeededIds implements Ids {
    private final Random random;
    private final String mark;
    private long made;

    /** Ids from this seed. */
    public SeededIds(long seed) {
        this.random = new Random(seed);
        this.mark = Long.toHexString(seed);
    }

    @Override
    public synchronized String sessionSuffix() {
        return String.format(Locale.ROOT, "%08x", random.nextInt());
    }

    @Override
    public synchronized String unique(String prefix) {
        return prefix + "-" + mark + "-" + ++made;
    }

    @Override
    public synchronized Duration jitter(Duration least, Duration most) {
        long span = most.minus(least).toNanos();
        return span <= 0 ? least : least.plusNanos((long) (random.nextDouble() * (span + 1)));
    }
}
