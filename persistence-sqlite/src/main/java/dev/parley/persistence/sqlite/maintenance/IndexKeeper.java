package dev.parley.persistence.sqlite.maintenance;

import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.Connections;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.schema.FileStructure;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.IndexRebuild;
import dev.parley.persistence.sqlite.schema.IndexWatch;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.RemovedMessages;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the search index from breaking anything. Whoever finds it damaged, by a read or a write, says so here: searches read the
 * messages from then on, the operator is told once, and a thread of its own makes the index anew in steps of some milliseconds,
 * between which others write. Safe for concurrent use.
 */
public final class IndexKeeper implements IndexWatch, AutoCloseable {
    private static final Duration LONG_STEP = Duration.ofMillis(25);
    private static final Duration SHORT_STEP = Duration.ofMillis(8);
    private static final Duration LONGEST_REST = Duration.ofMillis(100);
    private static final long FEWEST = 10;

    private final OpenDatabase database;
    private final BusyRetry retry;
    private final InstantSource clock;
    private final ThreadFactory threads;
    private final Consumer<String> warnings;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile boolean damaged;
    private @Nullable Thread worker;

    /** Held by the one that rebuilds: two at once would begin what the other has made anew. */
    private final Object rebuilding = new Object();

    /** Held by the one that takes texts of deleted messages out: two at once would wait for each other's steps. */
    private final Object removing = new Object();

    private @Nullable Thread remover;
    private boolean textsLeft;

    /**
     * Keeps the index of a database.
     *
     * @param clock measures how long a step takes
     * @param threads makes the thread that rebuilds, when there is something to rebuild
     * @param warnings takes what an operator should know
     */
    public IndexKeeper(
            OpenDatabase database,
            BusyRetry retry,
            InstantSource clock,
            ThreadFactory threads,
            Consumer<String> warnings) {
        this.database = database;
        this.retry = retry;
        this.clock = clock;
        this.threads = threads;
        this.warnings = warnings;
    }

    /**
     * Goes on with a rebuild that was interrupted, begins one where the index is not whole, and goes on taking out the texts of messages
     * that were deleted.
     */
    public void start() {
        if (database.writer().isEmpty()) {
            return;
        }
        if (database.reads().read(connection -> isToBeRebuilt(FileStructure.read(connection)))) {
            rebuildInBackground();
        }
        if (database.reads().read(RemovedMessages::exist)) {
            textsWereLeft();
        }
    }

    @Override
    public boolean isTrusted() {
        return !damaged;
    }

    /** {@inheritDoc} Where the index lacks a part and nobody has begun to rebuild it, that begins. */
    @Override
    public Optional<String> note() {
        boolean idle = isIdle();
        FileStructure found = database.reads().read(FileStructure::read);
        if (!found.lacksIndex() && !damaged) {
            return Optional.empty();
        }
        if (!found.hasKnownIndex()) {
            return Optional.of("The search index is not whole, so every message is read; its form is not known here, so"
                    + " let the software that made it rebuild it.");
        }
        boolean rebuilds = database.writer().isPresent();
        if (rebuilds && idle && becomesDamaged()) {
            tell("is not whole");
        }
        return Optional.of("The search index is not whole, so every message is read; "
                + (rebuilds ? "it is being rebuilt." : "\"parley storage upgrade\" rebuilds it."));
    }

    private synchronized boolean isIdle() {
        return worker == null;
    }

    @Override
    public void foundDamaged(Throwable failure) {
        if (becomesDamaged()) {
            tell("is damaged (" + SqlErrors.detail(failure) + ")");
        }
    }

    @Override
    public void foundIncomplete() {
        if (becomesDamaged()) {
            tell("does not have every message");
        }
    }

    @Override
    public void wasSetAside() {
        if (becomesDamaged()) {
            tell("is damaged and was set aside");
        }
    }

    @Override
    public synchronized void textsWereLeft() {
        textsLeft = true;
        if (remover == null && closing.getCount() > 0) {
            Thread made = threads.newThread(this::removeInBackground);
            remover = made;
            made.start();
        }
    }

    private void removeInBackground() {
        while (mustRemove()) {
            try {
                takeOutRemoved((done, total) -> {});
            } catch (SQLException | RuntimeException e) {
                warnings.accept("The search index of " + database.file() + " still has texts of deleted messages ("
                        + SqlErrors.detail(e) + "); no search shows them, and the next start takes them out.");
            }
        }
    }

    private synchronized boolean mustRemove() {
        boolean must = textsLeft && closing.getCount() > 0;
        textsLeft = false;
        if (!must) {
            remover = null;
        }
        return must;
    }

    /**
     * Takes the texts of deleted messages out of the index in short transactions, and leaves as much time between two as one has taken.
     * Ends early where the index is found damaged, which is rebuilt then, or where this is closed.
     *
     * @param progress told done and total messages after each step
     */
    void takeOutRemoved(BiConsumer<Long, Long> progress) throws SQLException {
        synchronized (removing) {
            long total = database.reads().read(RemovedMessages::count);
            if (total == 0 && !database.reads().read(RemovedMessages::exist)) {
                return;
            }
            try (Connection writer = database.connections().writer()) {
                long done = 0;
                while (closing.getCount() > 0) {
                    Instant begun = clock.instant();
                    int taken = retry.transaction(writer, () -> RemovedMessages.takeOut(writer));
                    if (taken == 0) {
                        lookWhetherWhole();
                        return;
                    }
                    done += taken;
                    progress.accept(done, Math.max(done, total));
                    Duration took = Duration.between(begun, clock.instant());
                    rest(took.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : took);
                }
            } catch (SQLException e) {
                if (!SearchIndex.isBroken(e)) {
                    throw e;
                }
                foundDamaged(e);
            }
        }
    }

    /** Texts are done with where the index is not whole, too, since it is rebuilt; here that may not have been noticed yet. */
    private void lookWhetherWhole() {
        FileStructure found = database.reads().read(FileStructure::read);
        if (!found.hasWholeIndex() && !found.isRebuildingIndex()) {
            foundIncomplete();
        }
    }

    private synchronized boolean becomesDamaged() {
        boolean first = !damaged;
        damaged = true;
        return first;
    }

    private void tell(String how) {
        boolean known = database.reads().read(FileStructure::read).hasKnownIndex();
        boolean rebuilds = known && database.writer().isPresent();
        String next = known
                ? rebuilds ? "that has begun." : "run \"parley storage upgrade\"."
                : "its form is not known here, so let the software that made it rebuild it.";
        warnings.accept("The search index of " + database.file() + " " + how
                + ": no message is lost, and searches read every message until it is rebuilt; " + next);
        if (rebuilds) {
            rebuildInBackground();
        }
    }

    private synchronized void rebuildInBackground() {
        if (worker == null && closing.getCount() > 0) {
            Thread made = threads.newThread(this::work);
            worker = made;
            made.start();
        }
    }

    private void work() {
        boolean whole = false;
        try (Connection writer = readable(database.connections().writer())) {
            synchronized (rebuilding) {
                whole = rebuild(writer, Optional.empty(), isDamaged(), rows -> {});
                wasRebuilt(whole);
            }
        } catch (SQLException | RuntimeException e) {
            warnings.accept("The search index of " + database.file() + " could not be rebuilt (" + SqlErrors.detail(e)
                    + "); searches read every message until \"parley storage upgrade\" has rebuilt it.");
        }
        synchronized (this) {
            worker = null;
        }
        if (whole) {
            warnings.accept("The search index of " + database.file() + " is whole again.");
        }
    }

    /**
     * Makes the index anew and waits until it is done; others read and write meanwhile. Interrupted, it goes on where it was.
     *
     * @param form the form it is to have; absent for the one it has
     * @param fromTheStart whether what there is of it is no good
     * @param rows told how many messages are indexed so far
     * @return how many messages were indexed
     */
    long rebuildNow(Optional<IndexForm> form, boolean fromTheStart, LongConsumer rows) throws SQLException {
        long[] indexed = new long[1];
        try (Connection writer = readable(database.connections().writer())) {
            synchronized (rebuilding) {
                wasRebuilt(rebuild(writer, form, fromTheStart, count -> {
                    indexed[0] = count;
                    rows.accept(count);
                }));
            }
        }
        return indexed[0];
    }

    /** Removes what of the index cannot be read in the list of tables, where anything cannot; returns the connection. */
    private static Connection readable(Connection writer) throws SQLException {
        try {
            FileStructure.read(writer);
        } catch (SQLException e) {
            try {
                SearchIndex.forgetUnreadable(writer, e);
            } catch (SQLException unreadable) {
                Connections.closeQuietly(writer, unreadable);
                throw unreadable;
            }
        }
        return writer;
    }

    private synchronized boolean isDamaged() {
        return damaged;
    }

    private synchronized void wasRebuilt(boolean whole) {
        damaged &= !whole;
    }

    private static boolean isToBeRebuilt(FileStructure found) {
        return found.hasKnownIndex() && (!found.hasWholeIndex() || found.isRebuildingIndex());
    }

    /** Returns whether the index is whole; it is not where this was closed before. */
    private boolean rebuild(Connection writer, Optional<IndexForm> wanted, boolean fromTheStart, LongConsumer told)
            throws SQLException {
        long most = FEWEST;
        boolean afresh = fromTheStart;
        boolean leftoversLookedAt = false;
        long indexed = 0;
        while (closing.getCount() > 0) {
            boolean beginning = afresh;
            boolean tidies = leftoversLookedAt;
            long size = most;
            Instant begun = clock.instant();
            IndexRebuild step = retry.transaction(writer, () -> step(writer, wanted, beginning, tidies, size));
            Duration took = Duration.between(begun, clock.instant());
            afresh = false;
            if (step.rows() > 0) {
                indexed += step.rows();
                told.accept(indexed);
            }
            if (step.isDone()) {
                return step.isWhole();
            }
            if (step.isWhole() && !leftoversLookedAt) {
                giveUpDamagedLeftovers(writer);
                leftoversLookedAt = true;
            }
            if (took.compareTo(LONG_STEP) > 0) {
                most = Math.max(FEWEST, most / 2);
            } else if (took.compareTo(SHORT_STEP) < 0) {
                most = Math.min(IndexRebuild.MOST_ROWS, most * 2);
            }
            rest(took);
        }
        return false;
    }

    /** Looks without the lock, since that takes long for a large index. */
    private void giveUpDamagedLeftovers(Connection writer) throws SQLException {
        for (String table : IndexRebuild.damagedLeftovers(writer)) {
            retry.transaction(writer, () -> {
                IndexRebuild.giveUp(writer, table);
                return true;
            });
        }
    }

    /** Does the next step; what was put aside is emptied only once its damaged tables are given up, also by a rebuild of another process. */
    private static IndexRebuild step(
            Connection writer, Optional<IndexForm> wanted, boolean afresh, boolean tidies, long most)
            throws SQLException {
        FileStructure found = FileStructure.read(writer);
        if (afresh || (!found.hasWholeIndex() && !found.isRebuildingIndex())) {
            return IndexRebuild.begin(writer, wanted.orElse(found.indexForm()));
        }
        IndexRebuild going = IndexRebuild.resume(writer);
        if (tidies || !going.isWhole()) {
            going.step(writer, most);
        }
        return going;
    }

    /** Leaves the lock to others for as long as it was held. */
    private void rest(Duration took) {
        try {
            closing.await(took.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops after the step under way; the next opening goes on. */
    @Override
    public void close() {
        closing.countDown();
        Thread running;
        Thread removes;
        synchronized (this) {
            running = worker;
            removes = remover;
        }
        waitFor(running);
        waitFor(removes);
    }

    private static void waitFor(@Nullable Thread running) {
        boolean interrupted = false;
        while (running != null && running.isAlive()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
