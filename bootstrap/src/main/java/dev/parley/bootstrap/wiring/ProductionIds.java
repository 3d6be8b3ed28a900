package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Ids;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Ids from a secure source: a random part for each process, and a number that rises. */
final class ProductionIds implements Ids {
    private static final int PROCESS_BYTES = 8;

    private final SecureRandom random = new SecureRandom();
    private final String process = hex(PROCESS_BYTES);
    private final AtomicLong next = new AtomicLong();

    @Override
    public String sessionSuffix() {
        return hex(4);
    }

    @Override
    public String unique(String prefix) {
        return prefix + "-" + process + "-" + next.incrementAndGet();
    }

    @Override
    public Duration jitter(Duration least, Duration most) {
        long nanos = most.minus(least).toNanos();
        return nanos <= 0 ? least : least.plusNanos(ThreadLocalRandom.current().nextLong(nanos + 1));
    }

    private String hex(int bytes) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
