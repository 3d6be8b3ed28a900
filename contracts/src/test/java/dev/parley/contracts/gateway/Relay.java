package dev.parley.contracts.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on threads of its own, of which one moves at a time: what hangs keeps its thread and the rest goes on, in the same order in
 * every run. Work that hangs with a lock in its hand holds up whatever wants that lock, as it would in a gateway.
 */
final class Relay {
    private static final ThreadLocal<@Nullable Strand> OWN = new ThreadLocal<>();

    private final List<Strand> hanging = new ArrayList<>();

    /** Returns once the work is done or hangs; throws what the work threw. */
    void run(Runnable work) {
        new Strand(work).go();
    }

    /** Called by work: returns once it is let go. */
    void hang() {
        Strand strand = OWN.get();
        if (strand == null) {
            throw new IllegalStateException("Only what was run by run() can hang.");
        }
        strand.hang();
    }

    /** Returns how many hang. */
    int hanging() {
        return hanging.size();
    }

    /** Lets those that hang go on, one after the other, the one that has hung longest first. */
    void release() {
        List<Strand> all = List.copyOf(hanging);
        hanging.clear();
        all.forEach(Strand::go);
    }

    private final class Strand {
        private final Semaphore mayMove = new Semaphore(0);
        private final Semaphore rests = new Semaphore(0);
        private final Thread thread;
        private volatile @Nullable Throwable failure;

        Strand(Runnable work) {
            thread = new Thread(
                    () -> {
                        OWN.set(this);
                        mayMove.acquireUninterruptibly();
                        try {
                            work.run();
                        } catch (Throwable e) {
                            failure = e;
                        }
                        rests.release();
                    },
                    "relay");
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler(Thread.currentThread().getUncaughtExceptionHandler());
            thread.start();
        }

        void go() {
            mayMove.release();
            rests.acquireUninterruptibly();
            Throwable thrown = failure;
            if (thrown instanceof RuntimeException e) {
                throw e;
            }
            if (thrown instanceof Error e) {
                throw e;
            }
        }

        void hang() {
            hanging.add(this);
            rests.release();
            mayMove.acquireUninterruptibly();
        }
    }
}
