package dev.parley.persistence.sqlite.ledger;

import dev.parley.application.port.Ids;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Commits batches, one transaction at a time. A caller that comes alone commits on its own thread; what gathers meanwhile goes into
 * the next transaction, on a thread of the ledger (commit rule 6). A batch is answered when its transaction is on the disk.
 *
 * <p>A lock held by another process is waited for fifteen times with pauses of random length (storage 2), or for as long as a
 * gateway that has a fallback has patience. After that the ledger refuses at once, and asks for the lock once a second until it gets it.
 */
public final class SqliteLedger implements Ledger, AutoCloseable {
    private static final Duration PROBE = Duration.ofSeconds(1);
    private static final int COMMITS_PER_CHECKPOINT = 50;
    private static final int MOST_TOGETHER = 256;
    /** Callers that were answered together are waited for no longer than about a commit takes. */
    private static final Duration GATHERING = Duration.ofNanos(200_000);

    private final Engine engine;
    private final Writer writer;
    private final GroupCommit together;
    private final Runnable lanesChanged;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition something = lock.newCondition();
    private final Condition gathered = lock.newCondition();
    private final Deque<Pending> queue = new ArrayDeque<>();
    /** What the ledger's thread works on; touched by it alone. */
    private final List<Pending> inHand = new ArrayList<>(MOST_TOGETHER);

    private boolean closed;
    private volatile boolean refusing;
    /** Whether some thread writes, or is about to. */
    private boolean taken = true;
    /** Whether that thread is the ledger's own. */
    private boolean handedOver = true;
    /** How many callers were there the last time: those of the last transaction and those who waited behind it. */
    private int callers;

    private int commits;
    private boolean checkpointDue;
    private boolean interrupted;

    /**
     * Opens the connection; {@link #start} starts the thread.
     *
     * @param lanesChanged told after each transaction that concerned lanes; returns at once
     * @throws SQLException where the connection cannot be opened
     */
    public SqliteLedger(
            Engine engine,
            Renderer renderer,
            InstantSource clock,
            Ids ids,
            ThreadFactory threads,
            Runnable lanesChanged)
            throws SQLException {
        this(engine, renderer, clock, ids, threads, lanesChanged, Optional.empty());
    }

    /**
     * Opens the connection; {@link #start} starts the thread.
     *
     * @param lanesChanged told after each transaction that concerned lanes; returns at once
     * @param patience for how long a lock is waited for at most, beyond the attempt that is under way then; absent for as long as
     *     all attempts take
     * @throws SQLException where the connection cannot be opened
     */
    public SqliteLedger(
            Engine engine,
            Renderer renderer,
            InstantSource clock,
            Ids ids,
            ThreadFactory threads,
            Runnable lanesChanged,
            Optional<Duration> patience)
            throws SQLException {
        this.engine = engine;
        this.writer = new Writer(engine, renderer);
        BusyRetry retry = new BusyRetry(
                ids,
                this::pause,
                e -> e instanceof SQLException sql && engine.isBusy(sql),
                patience.map(time -> new BusyRetry.Patience(time, clock)));
        this.together = new GroupCommit(engine, writer, clock, retry, this::wrote);
        this.lanesChanged = lanesChanged;
        this.thread = threads.newThread(this::run);
    }

    /** Starts to commit. */
    public void start() {
        thread.start();
    }

    @Override
    public CommitResult commit(Batch batch) {
        Pending pending = new Pending(batch);
        boolean alone;
        lock.lock();
        try {
            if (closed) {
                throw new StorageUnavailable("The store is closed; open it again.", null);
            }
            if (refusing) {
                throw locked(null);
            }
            alone = !taken;
            taken = true;
            if (!alone) {
                queue.add(pending);
                if (queue.size() >= callers) {
                    gathered.signal();
                }
            }
        } finally {
            lock.unlock();
        }
        if (alone) {
            writeAlone(pending);
        }
        return pending.await();
    }

    /** Writes the caller's batch on the caller's thread, which may be interrupted meanwhile without effect. */
    private void writeAlone(Pending pending) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            write(List.of(pending));
        } finally {
            wasInterrupted |= together.takeInterrupt() || interrupted;
            interrupted = false;
            handOver();
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the caller's turn; what has gathered, a checkpoint that is due and what follows a lock are the ledger's thread's. */
    private void handOver() {
        lock.lock();
        try {
            callers = 1 + queue.size();
            handedOver = !queue.isEmpty() || checkpointDue;
            taken = handedOver;
            if (handedOver || refusing || closed) {
                something.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Commits what has been given, then lets go of the file. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            something.signal();
            gathered.signal();
        } finally {
            lock.unlock();
        }
        closing.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns how many batches wait for the next transaction. */
    int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether batches are still taken. */
    boolean isOpen() {
        lock.lock();
        try {
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (next()) {
                turn();
            }
        } catch (Throwable e) {
            // Nobody waits for ever: whatever stopped the thread is the answer of those whose batches it had in hand.
            inHand.forEach(pending -> pending.fail(GroupCommit.stopped(e)));
            throw e;
        } finally {
            end();
        }
    }

    private void turn() {
        if (checkpointDue) {
            checkpoint();
        }
        if (!inHand.isEmpty()) {
            write(inHand);
        } else if (refusing) {
            probe();
        }
    }

    /** Whoever still waits is answered, and the connection is closed, whatever has happened. */
    private void end() {
        takeAll(() -> closed = true)
                .forEach(pending -> pending.fail(new StorageUnavailable("The store is closed; open it again.", null)));
        try {
            writer.close();
        } catch (SQLException e) {
            throw engine.translated(e);
        }
    }

    /**
     * Waits until it is this thread's turn, and takes what has gathered in hand; while the ledger refuses, the turn comes by itself after
     * a rest. Returns false where the ledger is closed and nothing is left to write.
     */
    private boolean next() {
        lock.lock();
        try {
            if (!inHand.isEmpty()) {
                callers = inHand.size() + queue.size();
            }
            inHand.clear();
            closed |= together.takeInterrupt() || interrupted;
            interrupted = false;
            if (handedOver) {
                gather();
            }
            taken &= !handedOver || !queue.isEmpty() || checkpointDue;
            handedOver &= taken;
            if (!handedOver && !awaitTurn()) {
                return false;
            }
            while (!checkpointDue && !queue.isEmpty() && inHand.size() < MOST_TOGETHER) {
                inHand.add(queue.remove());
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns false where the ledger is closed and nothing is left to write. */
    private boolean awaitTurn() {
        long rest = PROBE.toNanos();
        while (!handedOver) {
            if (closed && !taken) {
                return false;
            }
            if (refusing && !taken && rest <= 0) {
                taken = true;
                handedOver = true;
                return true;
            }
            try {
                if (refusing) {
                    rest = something.awaitNanos(rest);
                } else {
                    something.await();
                }
            } catch (InterruptedException e) {
                closed = true;
            }
        }
        gather();
        return true;
    }

    /**
     * Waits a moment for callers that were there the last time: they usually come again as soon as they are answered, and what they bring
     * goes into one transaction. Who comes alone does not come here.
     */
    private void gather() {
        long rest = GATHERING.toNanos();
        while (queue.size() < callers && callers > 1 && rest > 0 && !checkpointDue && !refusing && !closed) {
            try {
                rest = gathered.awaitNanos(rest);
            } catch (InterruptedException e) {
                closed = true;
            }
        }
    }

    /** Sets a state and returns all batches that nobody has taken yet. */
    private List<Pending> takeAll(Runnable state) {
        lock.lock();
        try {
            state.run();
            List<Pending> all = new ArrayList<>(queue);
            queue.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Answers every batch of the group, whatever is thrown meanwhile. */
    private void write(List<Pending> group) {
        try {
            together.write(group);
            refusing = false;
        } catch (SQLException e) {
            refuse(group, e);
        }
    }

    /** The lock was not acquired: fails this group, everything queued, and new batches until a probe gets it. */
    private void refuse(List<Pending> group, SQLException why) {
        List<Pending> all = new ArrayList<>(group);
        all.addAll(takeAll(() -> refusing = true));
        all.forEach(pending -> pending.fail(locked(why)));
    }

    private RuntimeException locked(@Nullable SQLException why) {
        return why == null
                ? new StorageUnavailable(
                        "The database has been locked by another process for too long; it is tried again every second.",
                        null)
                : engine.translated(why);
    }

    private void probe() {
        try {
            together.tryLock();
            refusing = false;
        } catch (SQLException | ParleyException e) {
            // It is asked for again after a rest.
        }
    }

    /** Waits also where its thread is interrupted; not while the store is being closed. */
    private void pause(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        boolean waiting = true;
        while (waiting) {
            try {
                closing.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                waiting = false;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    private void wrote(boolean lanes) {
        if (lanes) {
            try {
                lanesChanged.run();
            } catch (RuntimeException | Error e) {
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
        commits++;
        checkpointDue |= commits % COMMITS_PER_CHECKPOINT == 0;
    }

    /** Where it fails, the next transaction is followed by another attempt. */
    private void checkpoint() {
        checkpointDue = false;
        try {
            writer.checkpoint();
        } catch (SQLException e) {
            commits--;
        }
    }
}
