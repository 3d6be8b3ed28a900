package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.contracts.level.Power;

/**
 * What is acknowledged was handed to the medium: the store has asked for a sync, and has waited for it. Killed processes cannot tell, since
 * the system keeps what they wrote. Whether the medium keeps what it was handed is its own affair.
 */
public interface PowerContract extends StoreContract {
    /** How many batches are looked at. */
    int BATCHES = 20;

    /** Looks at the system calls of a process of its own that commits batch after batch. */
    @Power
    @Having(Capability.DURABLE)
    default void aFileOfTheStoreIsSyncedBeforeEachAcknowledgement(StoreUnderTest store) {
        assumeTrue(store.harness().syncsItself(), "The harness says that not the store's own process syncs.");
        assumeTrue(
                SyncTrace.isPossible(),
                "System calls cannot be traced here; that needs Linux, strace and the right to trace.");
        store.storage();
        store.closeStorage();
        StorageHarness.Elsewhere elsewhere = store.harness().elsewhere().orElseThrow();

        assertThat(SyncTrace.of(WriterProcess.command(elsewhere, "w", BATCHES), elsewhere.home())
                        .unsynced(BATCHES))
                .as(
                        "batches of %s that were acknowledged although no file of the store was synced since the one before",
                        BATCHES)
                .isEmpty();
    }

    /** Asks the harness how often the store has synced, where it counts that. */
    @Power
    @Having(Capability.DURABLE)
    default void theStoreSyncsForEachCommit(StoreUnderTest store) {
        store.commit(created("s"));
        assumeTrue(store.harness().syncs().isPresent(), "The harness counts no syncs.");

        for (int batch = 1; batch <= BATCHES; batch++) {
            long before = store.harness().syncs().getAsLong();
            store.commit(append("s", user("m" + batch, "one")));
            assertThat(store.harness().syncs().getAsLong())
                    .as("syncs after batch %s was acknowledged", batch)
                    .isGreaterThan(before);
        }
    }
}
