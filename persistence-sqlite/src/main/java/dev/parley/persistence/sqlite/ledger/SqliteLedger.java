package dev.parley.persistence.sqlite.ledger;

import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.persistence.sqlite.statement.Renderer;
import dev.parley.persistence.sqlite.statement.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
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
 * Commits batches on one thread of its own: whatever has gathered while the last transaction was made durable goes into the
 * next one (commit rule 6). A batch is answered when its transaction is on the disk.
 *
 * <p>A lock held by another process is waited for fifteen times with pauses of random length (storage 2), or for as long as a
 * gateway that has a fallback has patience. After that the ledger refuses at once, and asks for the lock once a second until it gets it.
 */
public final class SqliteLedger implements Ledger, AutoCloseable {
    private static final int ATTEMPTS = 15;
    private static final Duration LEAST_PAUSE = Duration.ofMillis(20);
    private static final Duration MOST_PAUSE = Duration.ofMillis(150);
    private static final Duration PROBE = Duration.ofSeconds(1);
    private static final int COMMITS_PER_CHECKPOINT = 50;
    private static final int MOST_TOGETHER = 256;

    private final Engine engine;
    private final Writer writer;
    private final Checks checks;
    private final InstantSource clock;
    private final Ids ids;
    private final Runnable lanesChanged;
    private final Optional<Duration> patience;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition something = lock.newCondition();
    private final Deque<Pending> queue = new ArrayDeque<>();
    private boolean closed;
    private volatile boolean refusing;
    private int commits;

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
        this.checks = new Checks(writer);
        this.clock = clock;
        this.ids = ids;
        this.lanesChanged = lanesChanged;
        this.patience = patience;
        this.thread = threads.newThread(this::run);
    }

    /** Starts to commit. */
    public void start() {
        thread.start();
    }

    @Override
    public CommitResult commit(Batch batch) {
        Pending pending = new Pending(batch);
        lock.lock();
        try {
            if (closed) {
                throw new StorageUnavailable("The store is closed; open it again.", null);
            }
            if (refusing) {
                throw locked(null);
            }
            queue.add(pending);
            something.signal();
        } finally {
            lock.unlock();
        }
        return pending.await();
    }

    /** Commits what has been given, then lets go of the file. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            something.signal();
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

    private void run() {
        try {
            Optional<Duration> rest = Optional.of(Duration.ZERO);
            while (true) {
                List<Pending> group = next(rest);
                if (!group.isEmpty()) {
                    write(group);
                } else if (isDone()) {
                    break;
                }
                rest = refusing ? Optional.of(PROBE) : Optional.empty();
                if (refusing && group.isEmpty()) {
                    probe();
                }
            }
        } finally {
            end();
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

    private boolean isDone() {
        lock.lock();
        try {
            return closed && queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for batches for at most {@code rest}, or for as long as it takes; returns those that have gathered. */
    private List<Pending> next(Optional<Duration> rest) {
        lock.lock();
        try {
            long left = rest.map(Duration::toNanos).orElse(Long.MAX_VALUE);
            while (queue.isEmpty() && !closed && left > 0) {
                left = something.awaitNanos(left);
            }
            List<Pending> group = new ArrayList<>();
            while (!queue.isEmpty() && group.size() < MOST_TOGETHER) {
                group.add(queue.remove());
            }
            return group;
        } catch (InterruptedException e) {
            closed = true;
            return List.of();
        } finally {
            lock.unlock();
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

    private void write(List<Pending> group) {
        boolean withoutIndex = false;
        Instant begun = clock.instant();
        for (int attempt = 1; ; attempt++) {
            try {
                commitTogether(group, withoutIndex);
                refusing = false;
                return;
            } catch (SQLException e) {
                rollBack(e);
                if (!withoutIndex && engine.isIndexBroken(e)) {
                    withoutIndex = true;
                } else if (!engine.isBusy(e)) {
                    writeApart(group, e);
                    return;
                } else if (attempt == ATTEMPTS || isOutOfPatience(begun)) {
                    refuse(group, e);
                    return;
                } else {
                    pause();
                }
            } catch (RuntimeException e) {
                rollBack(e);
                group.forEach(pending -> pending.fail(e));
                return;
            }
        }
    }

    private boolean isOutOfPatience(Instant begun) {
        return patience.filter(p -> !clock.instant().isBefore(begun.plus(p))).isPresent();
    }

    /**
     * Commits the group in one transaction. Without the index its triggers are gone from the same transaction on, so a file whose
     * damage is elsewhere keeps them.
     */
    private void commitTogether(List<Pending> group, boolean withoutIndex) throws SQLException {
        long now = Time.nanos(clock.instant());
        List<Runnable> answers = new ArrayList<>(group.size());
        boolean lanes = false;
        boolean wrote = false;
        writer.begin();
        if (withoutIndex) {
            engine.setIndexAside(writer.statements().connection());
        }
        for (Pending pending : group) {
            Outcome outcome = apply(pending, now, group.size() > 1);
            answers.add(outcome.answer());
            wrote |= outcome.wrote();
            lanes |= outcome.wrote() && pending.encoding().touchesLanes();
        }
        writer.commit();
        if (withoutIndex) {
            engine.indexWasSetAside();
        }
        answers.forEach(Runnable::run);
        if (wrote) {
            afterwards(lanes);
        }
    }

    private Outcome apply(Pending pending, long now, boolean amongOthers) throws SQLException {
        if (writer.lastSequence(pending.id().writer()) >= pending.id().sequence()) {
            return new Outcome(() -> pending.answer(new CommitResult.Committed()), false);
        }
        Optional<Precondition> broken = checks.firstBroken(pending.preconditions());
        if (broken.isPresent()) {
            return new Outcome(() -> pending.answer(new CommitResult.Conflict(broken.get())), false);
        }
        if (!amongOthers) {
            applyAll(pending, now);
        } else {
            writer.mark();
            try {
                applyAll(pending, now);
                writer.releaseMark();
            } catch (SQLException e) {
                if (!isRefusal(e)) {
                    throw e;
                }
                writer.backToMark();
                return new Outcome(() -> pending.fail(refused(e)), false);
            }
        }
        return new Outcome(() -> pending.answer(new CommitResult.Committed()), true);
    }

    private void applyAll(Pending pending, long now) throws SQLException {
        for (Write write : pending.encoding().writes()) {
            write.apply(writer);
        }
        writer.putSequence(pending.id().writer(), pending.id().sequence(), now);
    }

    /** Nothing of the group is stored. Alone, each batch gets what it deserves. */
    private void writeApart(List<Pending> group, SQLException why) {
        if (group.size() > 1) {
            group.forEach(pending -> write(List.of(pending)));
        } else {
            group.get(0).fail(isRefusal(why) ? refused(why) : engine.translated(why));
        }
    }

    private boolean isRefusal(SQLException e) {
        return e instanceof BrokenReference || engine.isConstraint(e);
    }

    private static RuntimeException refused(SQLException e) {
        RuntimeException refused = new InvalidRequest(
                e instanceof BrokenReference
                        ? String.valueOf(e.getMessage())
                        : "The batch breaks a rule of the store: " + e.getMessage());
        refused.addSuppressed(e);
        return refused;
    }

    /** The lock was not to be had. Whoever has gathered meanwhile is refused too, and whoever comes until it is. */
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
            writer.begin();
            writer.rollback();
            refusing = false;
        } catch (SQLException | ParleyException e) {
            rollBack(e);
        }
    }

    private void rollBack(Exception because) {
        try {
            writer.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    private void pause() {
        try {
            closing.await(ids.jitter(LEAST_PAUSE, MOST_PAUSE).toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void afterwards(boolean lanes) {
        if (lanes) {
            lanesChanged.run();
        }
        commits++;
        if (commits % COMMITS_PER_CHECKPOINT == 0) {
            try {
                writer.checkpoint();
            } catch (SQLException e) {
                commits--;
            }
        }
    }

    /** What a batch is answered once the transaction is durable, and whether it stored anything. */
    private record Outcome(Runnable answer, boolean wrote) {}
}
