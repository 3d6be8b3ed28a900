package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Timers;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads a gateway runs on: virtual ones where this Java has them, otherwise a pool that grows; and its timers. */
public final class Threads implements Timers, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

    private final ExecutorService executor = growing();
    private final ScheduledThreadPoolExecutor scheduler;

    /** Threads that are not used yet. */
    public Threads() {
        scheduler = new ScheduledThreadPoolExecutor(1, ProcessSurroundings.threads("timer"));
        scheduler.setRemoveOnCancelPolicy(true);
    }

    private static ExecutorService growing() {
        try {
            MethodHandle virtual = MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class));
            return (ExecutorService) virtual.invokeExact();
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return Executors.newCachedThreadPool(ProcessSurroundings.threads("lane"));
        } catch (Throwable e) {
            throw new IllegalStateException("Virtual threads are there and cannot be used", e);
        }
    }

    /** Returns what runs the gateway's tasks. */
    public ExecutorService executor() {
        return executor;
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        ScheduledFuture<?> due = scheduler.schedule(
                () -> {
                    try {
                        executor.execute(task);
                    } catch (RejectedExecutionException e) {
                        LOG.debug("A timer was due after the gateway had stopped");
                    }
                },
                Math.max(0, delay.toNanos()),
                TimeUnit.NANOSECONDS);
        return () -> due.cancel(false);
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        executor.shutdown();
        try {
            if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
