package dev.parley.bootstrap.wiring;

import dev.parley.application.gateway.ScheduledTimers;
import dev.parley.application.port.Timers;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads a gateway runs on: virtual ones where this Java has them, otherwise a pool that grows; and its timers. */
public final class Threads implements Timers, AutoCloseable {
    private final ExecutorService executor = growing();
    private final ScheduledThreadPoolExecutor scheduler;
    private final ScheduledTimers timers;

    /** Threads that are not used yet. */
    public Threads() {
        scheduler = new ScheduledThreadPoolExecutor(1, ProcessSurroundings.threads("timer"));
        scheduler.setRemoveOnCancelPolicy(true);
        timers = new ScheduledTimers(scheduler, executor);
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
        return timers.after(delay, task);
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
