package dev.parley.application.gateway;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.actor.Mailbox;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A place where work happens one task at a time: a mailbox, a writer, and messages to be delivered. A task ends with at most one
 * commit; what follows it goes on the agenda. Where the store is unavailable the desk stops and repeats the very same step later,
 * so that nothing overtakes it.
 */
abstract class Desk {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final int MOST_DOUBLINGS = 8;

    final Workings works;
    private final Mailbox mailbox;
    private final Deque<Runnable> agenda = new ArrayDeque<>();
    private @Nullable BatchWriter writer;
    private boolean stalled;
    private int failures;
    private volatile @Nullable String trouble;

    Desk(Workings works) {
        this.works = works;
        this.mailbox = new Mailbox(works.executor, this::mayRetire, this::retired, this::failed);
    }

    /** Returns the lane this is about; absent for the operator's. */
    abstract Optional<SessionKey> lane();

    /** Returns whether nothing is going on here. */
    abstract boolean isIdle();

    /** Told that this desk has retired. */
    abstract void forgotten();

    /** Told, each time, that this desk waits for the store; returns at once. */
    void troubled(String why) {}

    /** Told that a task failed in a way that repeating it cannot help. */
    abstract void faulted(Throwable failure);

    /** Runs a task on this desk, behind the others; returns false where it has retired. */
    final boolean post(Runnable task) {
        return mailbox.post(() -> perform(task));
    }

    /** Returns what the store said, while this desk waits for it. */
    final Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Puts work behind the current task, before the next one in the mailbox. */
    final void then(Runnable work) {
        agenda.add(work);
    }

    /** Puts work directly behind the current task. */
    final void thenFirst(Runnable work) {
        agenda.addFirst(work);
    }

    /** Returns the next batch of this desk. */
    final Batch batch(List<Precondition> preconditions, List<? extends Change> changes) {
        BatchWriter mine = writer;
        if (mine == null) {
            mine = works.writers.lend();
            writer = mine;
        }
        return mine.next(preconditions, changes);
    }

    /** Commits changes and goes on with what became of them; repeats while the store is unavailable. The last thing a task does. */
    final void commit(List<Precondition> preconditions, List<? extends Change> changes, Consumer<CommitResult> next) {
        commit(batch(preconditions, changes), next);
    }

    private void commit(Batch batch, Consumer<CommitResult> next) {
        CommitResult result;
        try {
            result = works.storage.ledger().commit(batch);
        } catch (StorageUnavailable | StorageCorrupt e) {
            stall(e, () -> commit(batch, next));
            return;
        }
        recovered();
        step(() -> next.accept(result));
    }

    /** Runs a step that may read; repeats it while the store is unavailable. The last thing a task does. */
    final void step(Runnable step) {
        try {
            step.run();
        } catch (StorageUnavailable | StorageCorrupt e) {
            stall(e, () -> step(step));
        }
    }

    private void stall(RuntimeException cause, Runnable again) {
        if (failures == 0) {
            works.tell(
                    new GatewayEvent.Trouble(lane(), "The store does not answer; trying again.", Optional.of(cause)));
        }
        String why = String.valueOf(cause.getMessage());
        trouble = why;
        troubled(why);
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        failures++;
        stalled = true;
        mailbox.pause();
        works.timers.after(
                pause.plus(works.ids.jitter(Duration.ZERO, pause.dividedBy(4))),
                () -> mailbox.resume(() -> perform(() -> {
                    stalled = false;
                    again.run();
                })));
    }

    private void recovered() {
        failures = 0;
        trouble = null;
    }

    private void perform(Runnable task) {
        if (works.isClosed()) {
            return;
        }
        Runnable next = task;
        while (next != null) {
            try {
                step(next);
            } catch (Throwable e) {
                failed(e);
                agenda.addFirst(() -> faulted(e));
            }
            next = stalled ? null : agenda.poll();
        }
    }

    private void failed(Throwable failure) {
        works.tell(new GatewayEvent.Trouble(lane(), "A task failed.", Optional.of(failure)));
    }

    private boolean mayRetire() {
        return !stalled && agenda.isEmpty() && isIdle();
    }

    private void retired() {
        BatchWriter mine = writer;
        if (mine != null) {
            works.writers.giveBack(mine);
            writer = null;
        }
        forgotten();
    }
}
