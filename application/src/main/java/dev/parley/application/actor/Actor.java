package dev.parley.application.actor;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Something that does one task at a time: a mailbox, an agenda and a writer. A task ends with at most one commit; what follows it
 * goes on the agenda. Where the store is unavailable the actor stops and repeats the very same step later, so that nothing overtakes
 * it; where the store throws what it may not throw, it repeats the step a few times and then gives it up. Whatever a task throws, an
 * {@code Error} too, is told and ends that task alone.
 *
 * <p>A step is repeated whole, so what it does before its last read of the store must bear being done again; what need not goes into a step
 * of its own ({@link #then}). It commits or waits once, and last: behind that it may put steps on the agenda and nothing else. One that
 * does more is told as a failed task.
 *
 * <p>A lock that a step holds ({@link #lock}) is released when the step is over, however it ends, and where it has to be repeated.
 *
 * <p>What may hang happens on another thread while the actor waits for it ({@link #await}), for as long as its deadline.
 *
 * <p>{@link #post} and {@link #trouble} may be called from any thread, everything else by the actor's own tasks.
 */
public abstract class Actor {
    private static final Backoff PAUSES = new Backoff(Duration.ofMillis(100), 8);
    private static final int FAULTS = 6;

    private final ActorHost host;
    private final Optional<SessionKey> lane;
    private final Consumer<? super Actor> gone;
    private final Mailbox mailbox;
    private final Deque<Runnable> agenda = new ArrayDeque<>();
    private @Nullable BatchWriter writer;
    private boolean waiting;
    private KeyedLocks.@Nullable Lock lock;
    private int failures;
    private int faults;
    private volatile @Nullable String trouble;

    /**
     * Makes an actor with nothing to do.
     *
     * @param host what it runs on
     * @param lane the lane it is about, for what is told of it
     * @param gone told once that it has retired
     */
    protected Actor(ActorHost host, Optional<SessionKey> lane, Consumer<? super Actor> gone) {
        this.host = host;
        this.lane = lane;
        this.gone = gone;
        this.mailbox = new Mailbox(host.executor(), this::mayRetire, this::retire, this::tellFailure);
    }

    /** Returns whether nothing is going on here, so that the actor may retire. */
    protected abstract boolean isIdle();

    /** Told that a task failed in a way that repeating it cannot help. */
    protected abstract void faulted(Throwable failure);

    /** Returns what every batch of this actor requires beside what its step requires, given the changes. */
    protected List<Precondition> fence(List<? extends Change> changes) {
        return List.of();
    }

    /** Returns the changes as they are stored. */
    protected List<? extends Change> marked(List<? extends Change> changes) {
        return changes;
    }

    /** Told, each time, that the actor waits for the store; returns at once. */
    protected void troubled(String why) {}

    /** Told that nothing of a task is left to do. */
    protected void settled() {}

    /** Runs a task behind the others, none any more once the gateway is over; returns false where the actor has retired. */
    public final boolean post(Runnable task) {
        try {
            return mailbox.post(() -> perform(task));
        } catch (RejectedExecutionException e) {
            if (isOver()) {
                return true;
            }
            throw e;
        }
    }

    /** Returns what the store said, while the actor waits for it. */
    public final Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Puts a step behind the current task, before the next one in the mailbox. */
    protected final void then(Runnable step) {
        agenda.add(step);
    }

    /** Runs a task behind the others once {@code delay} has passed, unless the actor has retired. */
    protected final Timers.Timer later(Duration delay, Runnable task) {
        return host.timing().after(delay, () -> post(task));
    }

    /** Commits changes and goes on with what became of them; repeats while the store is unavailable. The last thing a step does. */
    protected final void commit(
            List<Precondition> preconditions, List<? extends Change> changes, Consumer<CommitResult> next) {
        checkNotWaiting();
        commit(batch(preconditions, changes), next);
    }

    /**
     * Commits changes once.
     *
     * @throws StorageUnavailable where it is not known whether they were stored
     */
    protected final CommitResult commitOnce(List<Precondition> preconditions, List<? extends Change> changes) {
        return host.ledger().commit(batch(preconditions, changes));
    }

    private Batch batch(List<Precondition> preconditions, List<? extends Change> changes) {
        BatchWriter mine = writer;
        if (mine == null) {
            mine = host.writers().lend();
            writer = mine;
        }
        List<Precondition> all = new ArrayList<>(fence(changes));
        all.addAll(preconditions);
        return mine.next(all, marked(changes));
    }

    private void commit(Batch batch, Consumer<CommitResult> next) {
        CommitResult result;
        try {
            result = host.ledger().commit(batch);
        } catch (StorageUnavailable | StorageCorrupt e) {
            giveUpOn(e);
            stall(e, () -> commit(batch, next));
            return;
        }
        answered();
        step(() -> next.accept(result));
    }

    private void step(Runnable step) {
        try {
            step.run();
        } catch (StorageUnavailable | StorageCorrupt e) {
            giveUpOn(e);
            stall(e, () -> step(step));
            return;
        } finally {
            unlock();
        }
        if (!waiting) {
            answered();
        }
    }

    /** The store did what a step asked of it, or the step is given up. */
    private void answered() {
        failures = 0;
        faults = 0;
        trouble = null;
    }

    /** Throws on what the store may not throw, once repeating has not helped. */
    private void giveUpOn(RuntimeException failure) {
        faults = failure.getCause() instanceof StorageFault ? faults + 1 : 0;
        if (faults > FAULTS) {
            answered();
            throw new IllegalStateException(failure.getMessage(), failure);
        }
    }

    private void stall(RuntimeException cause, Runnable again) {
        if (failures == 0) {
            tell("The store does not answer; trying again.", cause);
        }
        String why = String.valueOf(cause.getMessage());
        trouble = why;
        waiting = true;
        mailbox.pause();
        Duration pause = PAUSES.pause(failures, host.timing().ids());
        failures++;
        host.timing()
                .after(
                        pause,
                        () -> mailbox.resume(() -> {
                            waiting = false;
                            perform(again);
                        }));
        troubled(why);
    }

    /**
     * Takes no task until something that happens elsewhere is over. The last thing a step does.
     *
     * @param begin begins it; is given what to call, from any thread, with the step that follows: the first call counts. What it throws
     *     ends the wait as a failure of the task
     */
    protected final void await(Consumer<? super Consumer<Runnable>> begin) {
        checkNotWaiting();
        waiting = true;
        mailbox.pause();
        AtomicBoolean over = new AtomicBoolean();
        Consumer<Runnable> resume = step -> {
            if (over.compareAndSet(false, true)) {
                mailbox.resume(() -> {
                    waiting = false;
                    perform(step);
                });
            }
        };
        try {
            begin.accept(resume);
        } catch (Throwable e) {
            resume.accept(() -> failed(e));
        }
    }

    /**
     * Takes a lock that was asked for, for as long as the step lasts; where it is not to be had yet, takes no task until it is. The last
     * thing a step does where it returns false.
     *
     * @param later the step that follows once the lock is held, which holds it then
     * @return whether it is held now
     */
    protected final boolean lock(KeyedLocks.Lock asked, Runnable later) {
        checkNotWaiting();
        if (lock != null) {
            asked.release();
            throw new IllegalStateException("A step holds one lock.");
        }
        if (asked.isHeld()) {
            lock = asked;
            return true;
        }
        Runnable holding = () -> {
            lock = asked;
            later.run();
        };
        await(resume -> {
            try {
                asked.whenHeld(() -> resume.accept(holding));
            } catch (Throwable e) {
                asked.release();
                throw e;
            }
        });
        return false;
    }

    private void unlock() {
        KeyedLocks.Lock held = lock;
        if (held != null) {
            lock = null;
            held.release();
        }
    }

    private void checkNotWaiting() {
        if (waiting) {
            throw new IllegalStateException("A step that waits for something can commit or wait for nothing else.");
        }
    }

    private void perform(Runnable task) {
        Runnable next = task;
        while (next != null && !isOver()) {
            try {
                step(next);
            } catch (RejectedExecutionException e) {
                if (isOver()) {
                    return;
                }
                failed(e);
            } catch (Throwable e) {
                failed(e);
            }
            next = waiting ? null : agenda.poll();
        }
        if (!waiting) {
            settled();
        }
    }

    private boolean isOver() {
        return host.over().getAsBoolean();
    }

    private void failed(Throwable failure) {
        tellFailure(failure);
        agenda.addFirst(() -> faulted(failure));
    }

    private void tellFailure(Throwable failure) {
        tell("A task failed.", failure);
    }

    /** Tells the operator what went wrong. */
    protected final void tell(String what, Throwable cause) {
        host.events().on(new GatewayEvent.Trouble(lane, what, Optional.of(cause)));
    }

    /** Returns whether the actor takes no task now: it waits for the store, or for something that happens elsewhere. */
    protected final boolean isWaiting() {
        return waiting;
    }

    private boolean mayRetire() {
        return !waiting && agenda.isEmpty() && isIdle();
    }

    private void retire() {
        BatchWriter mine = writer;
        if (mine != null) {
            host.writers().giveBack(mine);
            writer = null;
        }
        gone.accept(this);
    }
}
