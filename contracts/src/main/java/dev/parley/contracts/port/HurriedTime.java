package dev.parley.contracts.port;

import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes twenty times as fast as on the wall, with timers and ids: pauses of minutes are waited for in seconds. */
public final class HurriedTime implements InstantSource, Timers, Ids, AutoCloseable {
    /** How much faster it passes. */
    public static final int HASTE = 20;

    private static final Instant START = Instant.parse("2026-03-10T09:00:00Z");

    private final long begun = System.nanoTime();
    private final AtomicLong next = new AtomicLong();
    private final ScheduledExecutorService timers = Executors.newScheduledThreadPool(2, task -> {
        Thread thread = new Thread(task, "hurried-time");
        thread.setDaemon(true);
        return thread;
    });

    /** Begins now. */
    public HurriedTime() {}

    @Override
    public Instant instant() {
        return START.plusNanos((System.nanoTime() - begun) * HASTE);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        ScheduledFuture<?> scheduled = timers.schedule(task, delay.toNanos() / HASTE, TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public String sessionSuffix() {
        return String.format("%08x", next.incrementAndGet());
    }

    @Override
    public String unique(String prefix) {
        return prefix + "-" + next.incrementAndGet();
    }

    @Override
    public Duration jitter(Duration least, Duration most) {
        return least;
    }

    @Override
    public void close() {
        timers.shutdownNow();
    }
}
