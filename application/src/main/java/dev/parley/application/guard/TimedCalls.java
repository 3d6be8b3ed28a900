package dev.parley.application.guard;

import dev.parley.application.actor.Timing;
import dev.parley.application.port.Timers;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.text.Spans;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes foreign calls as tasks of their own, each with a deadline, so that a call that does not return holds nothing but its thread.
 * What follows a call is told once: what came of it, or that it is late. A call that is late goes on, and what comes of it then is
 * left out. Where too many calls are late, further calls fail at once. Safe for concurrent use.
 */
public final class TimedCalls {
    private static final int MOST_LATE = 100;

    private final Executor executor;
    private final Timing timing;
    private final Guard guard;
    private final Duration limit;
    private final AtomicInteger late = new AtomicInteger();

    /**
     * Makes calls on an executor.
     *
     * @param executor makes the calls; where it takes nothing more, a call is made on the caller's thread
     * @param timing time
     * @param guard tells what calls throw, and which are late
     * @param limit how long a call may take
     */
    public TimedCalls(Executor executor, Timing timing, Guard guard, Duration limit) {
        this.executor = executor;
        this.timing = timing;
        this.guard = guard;
        this.limit = limit;
    }

    /** Makes a call; what it throws, or that it is late, is told as {@code failed} and goes no further. */
    public void run(Optional<SessionKey> lane, String failed, Runnable call) {
        attempt(call, failure -> failure.ifPresent(e -> guard.tell(lane, failed, e)));
    }

    /**
     * Makes a call that returns something.
     *
     * @param failed what the operator is told where the call throws, returns null or is late
     * @param otherwise what {@code next} is given then
     * @param next told once, on any thread, what the call returned
     */
    public <T> void ask(
            Optional<SessionKey> lane,
            String failed,
            Supplier<? extends @Nullable T> call,
            T otherwise,
            Consumer<? super T> next) {
        AtomicReference<T> answer = new AtomicReference<>(otherwise);
        attempt(() -> answer.set(Guard.unchecked("The call", call)), failure -> {
            failure.ifPresent(e -> guard.tell(lane, failed, e));
            next.accept(failure.isPresent() ? otherwise : answer.get());
        });
    }

    /**
     * Makes a call and tells the operator nothing.
     *
     * @param ended told once, on any thread, what the call threw, or that it is late; nothing where it returned
     */
    public void attempt(Runnable call, Consumer<? super Optional<Throwable>> ended) {
        if (late.get() >= MOST_LATE) {
            ended.accept(Optional.of(new RejectedExecutionException(
                    MOST_LATE + " calls before this one have not returned; it was not made.")));
            return;
        }
        Attempt attempt = new Attempt(ended);
        Timers.Timer deadline = timing.after(limit, attempt::isLate);
        Runnable task = () -> {
            @Nullable Throwable failure = null;
            try {
                call.run();
            } catch (Throwable e) {
                failure = e;
            }
            deadline.cancel();
            attempt.returned(Optional.ofNullable(failure));
        };
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }

    /** One call. */
    private final class Attempt {
        private final Consumer<? super Optional<Throwable>> ended;
        private boolean isLate;
        private boolean hasReturned;

        Attempt(Consumer<? super Optional<Throwable>> ended) {
            this.ended = ended;
        }

        void isLate() {
            synchronized (this) {
                if (hasReturned) {
                    return;
                }
                isLate = true;
                late.incrementAndGet();
            }
            ended.accept(
                    Optional.of(new TimeoutException("The call has not returned within " + Spans.inFull(limit) + ".")));
        }

        void returned(Optional<Throwable> failure) {
            synchronized (this) {
                hasReturned = true;
                if (isLate) {
                    late.decrementAndGet();
                    return;
                }
            }
            ended.accept(failure);
        }
    }
}
