package dev.parley.bootstrap.cli;

import dev.parley.application.port.Ledger;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Commits, and rests after each commit for as long as it took: a command that changes much leaves the lock of a database to the gateway
 * that writes into it meanwhile. For one thread.
 */
final class SpacedLedger implements Ledger {
    /** A rest is no longer, whatever a commit waited for. */
    private static final long LONGEST = Duration.ofMillis(100).toNanos();

    private final Ledger ledger;

    SpacedLedger(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public CommitResult commit(Batch batch) {
        long begun = System.nanoTime();
        CommitResult result = ledger.commit(batch);
        LockSupport.parkNanos(this, Math.min(LONGEST, System.nanoTime() - begun));
        return result;
    }
}
