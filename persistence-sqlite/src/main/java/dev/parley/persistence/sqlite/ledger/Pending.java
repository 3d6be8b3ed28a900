package dev.parley.persistence.sqlite.ledger;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A batch on its way to the writer, and the answer on its way back. Answered by one thread at a time. */
final class Pending {
    private final BatchId id;
    private final List<Precondition> preconditions;
    private final Encoding encoding;
    private final CountDownLatch answered = new CountDownLatch(1);
    private @Nullable CommitResult result;
    private @Nullable RuntimeException failure;

    Pending(Batch batch) {
        this.id = batch.id();
        this.preconditions = batch.preconditions();
        this.encoding = Encoding.of(batch.changes());
    }

    BatchId id() {
        return id;
    }

    List<Precondition> preconditions() {
        return preconditions;
    }

    Encoding encoding() {
        return encoding;
    }

    /** Answers the batch; does nothing where it was answered. */
    void answer(CommitResult value) {
        if (answered.getCount() > 0) {
            result = value;
            answered.countDown();
        }
    }

    /** Answers the batch with a failure; does nothing where it was answered. */
    void fail(RuntimeException why) {
        if (answered.getCount() > 0) {
            failure = why;
            answered.countDown();
        }
    }

    /** Waits for the answer, also while the thread is interrupted: what becomes of the batch is no longer in its hands. */
    CommitResult await() {
        boolean interrupted = false;
        while (true) {
            try {
                answered.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
        if (result == null) {
            throw new IllegalStateException("A batch was answered without an answer.");
        }
        return result;
    }
}
