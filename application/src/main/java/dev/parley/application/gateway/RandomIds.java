package dev.parley.application.gateway;

import dev.parley.application.port.Ids;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** Ids from a source of chance: a random part of eight bytes for this object, and a number that rises. As safe as the source is. */
public final class RandomIds implements Ids {
    private static final int OWN_BYTES = 8;
    private static final int SUFFIX_BYTES = 4;

    private final RandomGenerator random;
    private final String own;
    private final AtomicLong next = new AtomicLong();

    /** Draws from {@code random}, which must never repeat itself in another process, such as a {@code SecureRandom}. */
    public RandomIds(RandomGenerator random) {
        this.random = random;
        this.own = hex(OWN_BYTES);
    }

    @Override
    public String sessionSuffix() {
        return hex(SUFFIX_BYTES);
    }

    @Override
    public String unique(String prefix) {
        return prefix + "-" + own + "-" + next.incrementAndGet();
    }

    @Override
    public Duration jitter(Duration least, Duration most) {
        long nanos = most.minus(least).toNanos();
        return nanos <= 0 ? least : least.plusNanos(random.nextLong(nanos + 1));
    }

    private String hex(int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
