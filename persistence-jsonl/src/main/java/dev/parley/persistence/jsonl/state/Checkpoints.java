package dev.parley.persistence.jsonl.state;

import dev.parley.persistence.jsonl.journal.Reasons;
import java.io.IOException;
import java.time.ZoneId;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Writes checkpoints in the background, one at a time, seldom enough to cost each batch little. */
final class Checkpoints {
    private static final long JOURNAL = 16L << 20;
    private static final long LONGEST_JOURNAL = 128L << 20;
    /** How long the journal may grow for each file that has to be made durable with the next checkpoint. */
    private static final long PER_FILE = 16L << 10;

    private final Layout layout;
    private final Store store;
    private final ThreadFactory threads;
    private final ZoneId zone;
    private @Nullable Thread running;
    private volatile long size;

    Checkpoints(Layout layout, Store store, ThreadFactory threads, ZoneId zone) {
        this.layout = layout;
        this.store = store;
        this.threads = threads;
        this.zone = zone;
    }

    /** Returns whether the journal has grown so long that a checkpoint costs as much again at most. */
    boolean isDue(long journalSize, int unsyncedFiles) {
        long enough = Math.max(JOURNAL, Math.max(size, Math.min(unsyncedFiles * PER_FILE, LONGEST_JOURNAL)));
        return journalSize > enough && (running == null || !running.isAlive());
    }

    void start(Checkpoint checkpoint) {
        await();
        Thread thread = threads.newThread(() -> write(checkpoint));
        running = thread;
        thread.start();
    }

    private void write(Checkpoint checkpoint) {
        try {
            size = checkpoint.write(threads);
            store.forgetDoomed(checkpoint.doomed());
            new SessionsJson(zone).write(layout.sessionsJson(), checkpoint.lanes());
        } catch (IOException e) {
            store.unsyncedAgain(checkpoint.unsynced());
            store.warnings()
                    .accept("A checkpoint was not written: " + Reasons.of(e)
                            + ". Nothing is lost: the journal is kept. Check the disk's space and permissions.");
        }
    }

    /** Waits for the checkpoint that is being written. */
    void await() {
        Thread thread = running;
        if (thread == null) {
            return;
        }
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        running = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
