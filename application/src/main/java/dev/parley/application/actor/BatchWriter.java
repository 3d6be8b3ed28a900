package dev.parley.application.actor;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import java.util.List;

/**
 * Numbers batches. Used by one thread, or mailbox, at a time, which sends the next batch only after it knows what became of the one before,
 * or has given it up: so a sequence at or below the last stored one was applied or will never come.
 */
public final class BatchWriter {
    private final String name;
    private long last;

    /** Numbers batches from 1 under a name that no other writer ever had or has. */
    public BatchWriter(String name) {
        this.name = name;
    }

    /** Returns the next batch. */
    public Batch next(List<Precondition> preconditions, List<? extends Change> changes) {
        last++;
        return new Batch(new BatchId(name, last), preconditions, List.copyOf(changes));
    }
}
