package dev.parley.contracts.storage;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.testing.memory.MemoryStorage;
import java.util.List;

/** Stores filled at random, and everything that the reads of a store say, to compare stores that should hold the same. */
public final class RandomStores {
    private RandomStores() {}

    /** Commits so many random batches to an empty store; the same seed fills it with the same. */
    public static void fill(Storage storage, long seed, int batches) {
        try (Storage model = new MemoryStorage()) {
            RandomOperations operations = new RandomOperations(seed, model);
            for (int i = 0; i < batches; i++) {
                Batch batch = operations.next();
                try {
                    model.ledger().commit(batch);
                } catch (InvalidRequest refused) {
                    continue;
                }
                storage.ledger().commit(batch);
            }
        }
    }

    /** Returns everything the reads say, line by line; messages are named by their place in the one order of all messages. */
    public static List<String> contents(Storage storage) {
        return StoreSnapshot.of(storage, RandomOperations.WORDS, RandomOperations.viewers());
    }
}
