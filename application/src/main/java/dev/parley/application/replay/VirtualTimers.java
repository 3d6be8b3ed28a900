package dev.parley.application.replay;

import dev.parley.application.port.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Timers on a virtual clock: time passes only in {@link #advanceTo}, which runs everything due on the way, by time and among
 * equal times in the order given. Timers may be set from any thread; time is moved by one.
 */
public final class VirtualTimers implements Timers {
    private final VirtualClock clock;
    private final SerialExecutor executor;
    private final PriorityQueue<Waiting> waiting =
            new PriorityQueue<>(Comparator.comparing(Waiting::due).thenComparing(Waiting::order));
    private long created;

    /** Timers that read and move {@code clock} and hand their tasks to {@code executor}. */
    public VirtualTimers(VirtualClock clock, SerialExecutor executor) {
        this.clock = clock;
        this.executor = executor;
    }

    /** A delay that is negative counts as none; also then the task runs later, never inside this call. */
    @Override
    public Timer after(Duration delay, Runnable task) {
        synchronized (waiting) {
            Instant due = clock.instant().plus(delay.isNegative() ? Duration.ZERO : delay);
            Waiting timer = new Waiting(due, created++, task);
            waiting.add(timer);
            return () -> cancel(timer);
        }
    }

    /** Runs what waits in the executor and what is due now, until nothing is left to do at this instant. */
    public void runUntilIdle() {
        advanceTo(clock.instant());
    }

    /**
     * Moves the clock to {@code instant}. Everything due up to and at it happens first, each at its own time: a task sees the
     * instant it was due at. An instant that has passed moves nothing, what is due now runs all the same.
     */
    public void advanceTo(Instant instant) {
        executor.runUntilIdle();
        for (Optional<Waiting> due = takeDue(instant); due.isPresent(); due = takeDue(instant)) {
            if (due.get().due().isAfter(clock.instant())) {
                clock.set(due.get().due());
            }
            executor.execute(due.get().task());
            executor.runUntilIdle();
        }
        if (instant.isAfter(clock.instant())) {
            clock.set(instant);
        }
    }

    /** Lets {@code step} pass, as {@link #advanceTo}. */
    public void advance(Duration step) {
        advanceTo(clock.instant().plus(step));
    }

    /** Returns when the next timer is due; absent where none is set. */
    public Optional<Instant> next() {
        synchronized (waiting) {
            return Optional.ofNullable(waiting.peek()).map(Waiting::due);
        }
    }

    /** Forgets all timers, as the death of a process does. */
    public void discard() {
        synchronized (waiting) {
            waiting.clear();
        }
    }

    private void cancel(Waiting timer) {
        synchronized (waiting) {
            waiting.remove(timer);
        }
    }

    private Optional<Waiting> takeDue(Instant until) {
        synchronized (waiting) {
            @Nullable Waiting first = waiting.peek();
            return first == null || first.due().isAfter(until) ? Optional.empty() : Optional.ofNullable(waiting.poll());
        }
    }

    private record Waiting(Instant due, long order, Runnable task) {}
}
