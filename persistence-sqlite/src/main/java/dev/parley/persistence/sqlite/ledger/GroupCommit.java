package dev.parley.persistence.sqlite.ledger;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Commits batches that have gathered in one transaction, and those of a group that is refused one by one, so that each is answered what it
 * deserves (commit rule 6). For one thread at a time.
 */
final class GroupCommit {
    private final Engine engine;
    private final Writer writer;
    private final Checks checks;
    private final InstantSource clock;
    private final BusyRetry retry;
    private final Wrote written;
    private boolean interrupted;

    /** Told after each transaction that stored something. */
    @FunctionalInterface
    interface Wrote {
        /** Takes notice; {@code lanes} says whether the transaction concerned lanes. */
        void told(boolean lanes);
    }

    /** Commits through a writer. */
    GroupCommit(Engine engine, Writer writer, InstantSource clock, BusyRetry retry, Wrote written) {
        this.engine = engine;
        this.writer = writer;
        this.checks = new Checks(writer);
        this.clock = clock;
        this.retry = retry;
        this.written = written;
    }

    /** Returns whether the thread was interrupted while it committed, and forgets it. */
    boolean takeInterrupt() {
        boolean was = interrupted;
        interrupted = false;
        return was;
    }

    /** Acquires the lock and lets go of it; throws where it is not acquired. */
    void tryLock() throws SQLException {
        try {
            writer.begin();
            writer.rollback();
        } catch (SQLException | ParleyException e) {
            rollBack(e);
            throw e;
        }
    }

    /**
     * Answers every batch of the group, whatever is thrown meanwhile.
     *
     * @throws SQLException where the lock was not acquired; those that are not answered then are the caller's to answer
     */
    void write(List<Pending> group) throws SQLException {
        try {
            writeTogether(group);
        } catch (SQLException e) {
            if (engine.isBusy(e)) {
                throw e;
            }
            writeApart(group, e);
        } catch (UnstorableBatch e) {
            writeApart(group, e);
        } catch (ParleyException e) {
            group.forEach(pending -> pending.fail(e));
        } catch (RuntimeException | Error e) {
            StorageUnavailable stopped = stopped(e);
            group.forEach(pending -> pending.fail(stopped));
        }
    }

    /** Returns what those are answered whose batches were in hand when the writing stopped. */
    static StorageUnavailable stopped(Throwable why) {
        return new StorageUnavailable(
                "The writer of the database failed (" + StrippedFailure.told(why)
                        + "); what it had in hand may or may not be stored: repeat it.",
                StrippedFailure.of(why));
    }

    private void writeTogether(List<Pending> group) throws SQLException {
        try {
            writeTogether(group, false);
        } catch (SQLException e) {
            if (!engine.isIndexBroken(e)) {
                throw e;
            }
            engine.forgetUnreadableIndex(writer.statements().connection(), e);
            writeTogether(group, true);
        }
    }

    /** Marks between batches cost more than the batches, so they are made only where one of the group is refused. */
    private void writeTogether(List<Pending> group, boolean withoutIndex) throws SQLException {
        try {
            attempt(group, withoutIndex, false);
        } catch (SQLException | UnstorableBatch e) {
            if (group.size() == 1 || !isRefusal(e)) {
                throw e;
            }
            attempt(group, withoutIndex, true);
        }
    }

    private void attempt(List<Pending> group, boolean withoutIndex, boolean marking) throws SQLException {
        retry.attempt(() -> {
            try {
                commitTogether(group, withoutIndex, marking);
                return group;
            } catch (SQLException | RuntimeException | Error e) {
                rollBack(e);
                interrupted |= Thread.interrupted();
                throw e;
            }
        });
    }

    /**
     * Commits the group in one transaction. Without the index its triggers are gone from the same transaction on, so a file whose
     * damage is elsewhere keeps them. With marks a batch that is refused is taken back alone.
     */
    private void commitTogether(List<Pending> group, boolean withoutIndex, boolean marking) throws SQLException {
        long now = Time.nanos(clock.instant());
        List<Runnable> answers = new ArrayList<>(group.size());
        boolean lanes = false;
        boolean wrote = false;
        writer.begin();
        if (withoutIndex) {
            engine.setIndexAside(writer.statements().connection());
        }
        for (Pending pending : group) {
            Outcome outcome = apply(pending, now, marking);
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
            written.told(lanes);
        }
    }

    private Outcome apply(Pending pending, long now, boolean marking) throws SQLException {
        if (writer.lastSequence(pending.id().writer()) >= pending.id().sequence()) {
            return new Outcome(() -> pending.answer(new CommitResult.Committed()), false);
        }
        Optional<Precondition> broken = checks.firstBroken(pending.preconditions());
        if (broken.isPresent()) {
            return new Outcome(() -> pending.answer(new CommitResult.Conflict(broken.get())), false);
        }
        if (!marking) {
            applyAll(pending, now);
        } else {
            writer.mark();
            try {
                applyAll(pending, now);
                writer.releaseMark();
            } catch (SQLException | UnstorableBatch e) {
                if (!isRefusal(e)) {
                    throw e;
                }
                writer.backToMark();
                return new Outcome(() -> pending.fail(refused(pending, e)), false);
            }
        }
        return new Outcome(() -> pending.answer(new CommitResult.Committed()), true);
    }

    private void applyAll(Pending pending, long now) throws SQLException {
        try {
            for (Write write : pending.encoding().writes()) {
                write.apply(writer);
            }
        } catch (RuntimeException | Error e) {
            throw new UnstorableBatch(e);
        }
        writer.putSequence(pending.id().writer(), pending.id().sequence(), now);
    }

    /** Nothing of the group is stored. Alone, each batch gets what it deserves. */
    private void writeApart(List<Pending> group, Exception why) throws SQLException {
        if (group.size() > 1) {
            for (Pending pending : List.copyOf(group)) {
                write(List.of(pending));
            }
        } else if (isRefusal(why)) {
            group.get(0).fail(refused(group.get(0), why));
        } else if (why instanceof SQLException sql) {
            group.get(0).fail(engine.translated(sql));
        }
    }

    private boolean isRefusal(Exception e) {
        return e instanceof UnstorableBatch
                || e instanceof RefusedChange
                || (e instanceof SQLException sql && engine.isConstraint(sql));
    }

    private static RuntimeException refused(Pending pending, Exception e) {
        if (e instanceof UnstorableBatch unstorable) {
            return Ledger.refusal(pending.id(), unstorable.thrown);
        }
        return new InvalidRequest(
                e instanceof RefusedChange
                        ? String.valueOf(e.getMessage())
                        : "The batch breaks a rule of the store: " + e.getMessage(),
                e);
    }

    private void rollBack(Throwable because) {
        try {
            writer.rollback();
        } catch (SQLException e) {
            because.addSuppressed(e);
        }
    }

    /** Applying a batch has thrown what no database says, and would each time: it is the batch's own. */
    private static final class UnstorableBatch extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Throwable thrown;

        UnstorableBatch(Throwable thrown) {
            super(thrown);
            this.thrown = thrown;
        }
    }

    /** What a batch is answered once the transaction is durable, and whether it stored anything. */
    private record Outcome(Runnable answer, boolean wrote) {}
}
