package dev.parley.domain.change;

import java.util.List;

/**
 * Changes that are applied together or not at all.
 *
 * @param id names the batch, so that repeating it does nothing
 * @param preconditions what must hold
 * @param changes what is stored, in order
 */
public record Batch(BatchId id, List<Precondition> preconditions, List<Change> changes) {
    public Batch {
        preconditions = List.copyOf(preconditions);
        changes = List.copyOf(changes);
    }
}
