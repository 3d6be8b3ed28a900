package dev.parley.home;

import dev.parley.application.gateway.ScheduledTimers;
import dev.parley.application.port.Timers;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads a gateway runs on: virtual ones where this Java has them, otherwise pools; and its timers. The gateway's
 * tasks have a pool that grows only while they block, so that very many lanes with work do not take a thread each. Agents that block have
 * threads of their own, so that however many of them wait, the gateway takes messages, answers commands and stops. Safe for concurrent
 * use.
 */
public final class GatewayThreads implements Timers, AutoCloseable {
    private final ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, named("timer"));
    private final ExecutorService executor = virtual().orElseGet(() -> new GrowingPool(named("lane"), scheduler));
    private final ExecutorService agents = virtual().orElseGet(() -> Executors.newCachedThreadPool(named("agent")));
    private final ScheduledTimers timers;

    /** Threads that are not used yet. */
    public GatewayThreads() {
        scheduler.setRemoveOnCancelPolicy(true);
        timers = new ScheduledTimers(scheduler, executor);
    }

    /** Returns a factory of threads with names that begin with {@code parley-} and the given word; they keep no process alive. */
    public static ThreadFactory named(String word) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "parley-" + word + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static Optional<ExecutorService> virtual() {
        try {
            MethodHandle virtual = MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class));
            return Optional.of((ExecutorService) virtual.invokeExact());
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return Optional.empty();
        } catch (Throwable e) {
            throw new IllegalStateException("Virtual threads are there and cannot be used", e);
        }
    }

    /** Returns what runs the gateway's tasks; nothing that blocks for long belongs there. */
    public ExecutorService executor() {
        return executor;
    }

    /** Returns what runs agents that block, such as those of {@link dev.parley.application.agents.BlockingAgents}. */
    public ExecutorService agents() {
        return agents;
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return timers.after(delay, task);
    }

    @Override
    public Timer beside(Duration delay, Runnable task) {
        return timers.beside(delay, task);
    }

    /** Runs no timer any more, interrupts agents, and waits up to five seconds for the gateway's tasks. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        agents.shutdownNow();
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
