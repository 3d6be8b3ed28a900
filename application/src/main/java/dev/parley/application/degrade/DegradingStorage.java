package dev.parley.application.degrade;

import dev.parley.application.actor.Backoff;
import dev.parley.application.guard.Guard;
import dev.parley.application.guard.GuardedEvents;
import dev.parley.application.guard.GuardedTimers;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ids;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A storage that keeps working when its primary refuses: batches are then kept in the fallback's journal, durable on return, and merged
 * back once the primary can be used again, without a restart (commit rules 9 and 10).
 *
 * <p>While degraded, lanes in use keep their conversation, other lanes keep their session and get a note that what was said
 * before cannot be read for now. Lists, counts, search, history and sessions that are not in use throw
 * {@link StorageUnavailable}: nothing unavailable is shown as empty. Merging back needs the same store (it carries an id), and
 * one that passes its check where it had been damaged. It is verified by the ids and texts of the messages before the journal is
 * put aside. A crash at any point loses nothing: what was merged already is recognised by its batch id.
 *
 * <p>Safe for concurrent use. Events are told, and tasks for a whole store run, while no lock is held.
 */
public final class DegradingStorage implements ComposedStorage {
    /** A damaged store is checked as a whole each time, so it is tried less and less often: the pause is doubled so often. */
    private static final int DOUBLINGS = 6;

    private final PrimaryAccess primary;
    private final Fallback fallback;
    private final Timers timers;
    private final Ids ids;
    private final InstantSource clock;
    private final Duration probeEvery;

    /** Shared by users of the primary, exclusive for changing over. */
    private final ReadWriteLock change = new ReentrantReadWriteLock(true);

    private final Standing standing = new Standing();
    private final Telling telling;
    private final AtomicBoolean healing = new AtomicBoolean();
    private final Knowledge knowledge = new Knowledge();
    private final LaneLearning learning;
    private final KeptKnowledge kept;
    private final Spill spill;
    private final Reading reading = new Composed();
    private final StorageParts parts;

    private volatile boolean closed;
    private volatile Timers.@Nullable Timer probe;

    private DegradingStorage(
            Primary primary,
            Fallback fallback,
            Timers timers,
            Executor executor,
            Ids ids,
            InstantSource clock,
            GatewayEvents events,
            Duration probeEvery) {
        this.telling = new Telling(new GuardedEvents(events, executor, clock), standing::isWhole);
        Guard guard = new Guard(telling::tell);
        this.fallback = new GuardedFallback(fallback, guard);
        this.timers = new GuardedTimers(
                timers,
                guard,
                pause -> CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, executor));
        this.ids = ids;
        this.clock = clock;
        this.probeEvery = probeEvery;
        this.kept = new KeptKnowledge(this.fallback, clock, telling::trouble);
        this.learning = new LaneLearning(knowledge.lanes(), this.timers, ids, probeEvery, telling::trouble);
        this.spill = new Spill(this.fallback, knowledge, ids, clock);
        this.primary = new PrimaryAccess(new GuardedPrimary(primary), ids);
        this.parts = new StorageParts(
                this::commit,
                new DegradingLanes(reading, knowledge.lanes()),
                new DegradingSessions(reading, knowledge),
                new DegradingTranscripts(reading, knowledge),
                new DegradingTranscriptSearch(reading),
                new DegradingTurnQueue(reading, knowledge),
                new DegradingMeta(reading, knowledge),
                new DegradingMaintenance(
                        reading, () -> standing.health(spill.waiting()), knowledge.lanes()::seen, telling::whenWhole));
    }

    /**
     * Opens the primary, or starts degraded where it refuses. What an earlier process left in the journal is merged back first
     * where the primary it belongs to can be used; none is made in its place. On a full disk it starts too, refusing what comes
     * until there is room.
     *
     * <p>Whatever primary, fallback, timers and events throw is told and harms nothing else.
     *
     * @param executor tells events to those that may block, and sets timers again that were refused
     * @param probeEvery how often it is tried whether the primary can be used again; one that is damaged is tried less often
     * @throws StorageUnavailable where the fallback cannot be used for another reason than a full disk, even if the primary can:
     *     nothing begins without a place for what comes while the primary fails
     * @throws StorageCorrupt where the primary is damaged and the fallback cannot be used
     */
    public static DegradingStorage open(
            Primary primary,
            Fallback fallback,
            Timers timers,
            Executor executor,
            Ids ids,
            InstantSource clock,
            GatewayEvents events,
            Duration probeEvery) {
        DegradingStorage storage =
                new DegradingStorage(primary, fallback, timers, executor, ids, clock, events, probeEvery);
        try {
            storage.begin();
        } catch (RuntimeException | Error e) {
            storage.close();
            throw e;
        }
        return storage;
    }

    private void begin() {
        Optional<StorageUnavailable> noFallback = openFallback();
        if (noFallback.isEmpty() && spill.size() > 0) {
            goOnWithWhatWasLeft();
            return;
        }
        Optional<ParleyException> failure = openPrimary();
        if (noFallback.isPresent() && !noFallback.get().isOutOfSpace()) {
            failure.ifPresent(why -> why.addSuppressed(noFallback.get()));
            throw failure.isPresent() ? failure.get() : noFallback.get();
        }
        standing.unopened(noFallback.map(StrippedFailure::told));
        if (failure.isPresent() || noFallback.isPresent()) {
            ParleyException why = failure.isPresent() ? failure.get() : noFallback.get();
            degradeTo(why);
            tellDegraded(why);
        } else {
            kept.note(List.of(storeId()));
            Instant begun = clock.instant();
            probe = timers.after(probeEvery, () -> tellWhatIsMissing(begun));
        }
    }

    private Optional<StorageUnavailable> openFallback() {
        try {
            spill.openJournal();
            return Optional.empty();
        } catch (StorageUnavailable e) {
            return Optional.of(e);
        }
    }

    private Optional<ParleyException> openPrimary() {
        try {
            primary.open(opened -> {
                knowledge.learn(opened);
                learning.begin(opened, Set.of());
            });
            return Optional.empty();
        } catch (StorageUnavailable | StorageCorrupt e) {
            return Optional.of(e);
        }
    }

    private void goOnWithWhatWasLeft() {
        StorageUnavailable why = new StorageUnavailable(
                "it was away when the run before ended, and what was stored meanwhile is not merged back yet", null);
        degradeTo(why);
        tellDegraded(why);
        try {
            takeOver();
        } catch (StorageUnavailable e) {
            if (!e.isOutOfSpace()) {
                throw e;
            }
        }
        heal();
    }

    private Change storeId() {
        return new Change.PutMeta(StoreId.NAME, primary.id().orElseThrow());
    }

    // ------------------------------------------------------------------ telling

    /** What was acknowledged and is not there any more is told once after the start. */
    private void tellWhatIsMissing(Instant begun) {
        if (closed || !standing.isWhole()) {
            return;
        }
        EarlierKnowledge known = kept.recall(Optional.empty());
        known.justReplaced(begun)
                .ifPresent(former -> telling.trouble("The storage " + location()
                        + " is not the one that was used before: what was said until now is not in it. If that was not meant, stop the"
                        + " gateway and put the former one back."));
        tellWhatIsMissing(known.lastReceived(Missing.LOOKED_FOR));
    }

    private void tellWhatIsMissing(List<Inbound> known) {
        try {
            reading.whole("What is missing", s -> Missing.in(s, known)).ifPresent(telling::trouble);
        } catch (ParleyException e) {
            // It was asked of a storage that fails just now, and is asked again once it is whole.
        }
    }

    // ------------------------------------------------------------------ committing

    private CommitResult commit(Batch batch) {
        CommitResult result = commitSomewhere(batch);
        if (result.isCommitted()) {
            kept.note(batch.changes());
        }
        return result;
    }

    private CommitResult commitSomewhere(Batch batch) {
        return withEither(
                s -> {
                    Set<SessionKey> lanes = KnownLanes.concernedBy(batch.changes());
                    knowledge.lanes().begins(lanes);
                    try {
                        CommitResult result = s.ledger().commit(batch);
                        if (result.isCommitted()) {
                            knowledge.committed(batch.changes());
                        }
                        return result;
                    } finally {
                        knowledge.lanes().ends(lanes);
                    }
                },
                meanwhile -> spilled(batch));
    }

    private CommitResult spilled(Batch batch) {
        try {
            CommitResult result = spill.commit(batch);
            standing.refused(Optional.empty());
            return result;
        } catch (StorageUnavailable | StorageCorrupt e) {
            standing.refused(Optional.of(StrippedFailure.told(e)));
            throw e;
        }
    }

    private void takeOver() {
        try {
            spill.takeOver();
            standing.unopened(Optional.empty());
        } catch (StorageUnavailable | StorageCorrupt e) {
            standing.unopened(Optional.of(StrippedFailure.told(e)));
            throw e;
        }
    }

    // ------------------------------------------------------------------ degrading

    private <T> T withEither(Function<Storage, T> whole, Function<Spill, T> degraded) {
        while (true) {
            ParleyException failure;
            change.readLock().lock();
            try {
                if (!standing.isWhole()) {
                    // The overlay is not left by one while another reads it.
                    synchronized (spill) {
                        takeOver();
                        return degraded.apply(spill);
                    }
                }
                return whole.apply(primary.storage());
            } catch (RuntimeException | Error e) {
                if (!standing.isWhole() || closed || !isOfStorage(e)) {
                    throw e;
                }
                failure = asParleyException(e);
            } finally {
                change.readLock().unlock();
            }
            degrade(failure);
        }
    }

    /** A refused request is its caller's fault; any other exception means that the storage is unavailable. */
    private static boolean isOfStorage(Throwable e) {
        return e instanceof StorageUnavailable || e instanceof StorageCorrupt || !(e instanceof ParleyException);
    }

    private static ParleyException asParleyException(Throwable e) {
        return e instanceof ParleyException known
                ? known
                : new StorageUnavailable("The storage failed: " + StrippedFailure.told(e) + ".", StrippedFailure.of(e));
    }

    private void degrade(ParleyException why) {
        change.writeLock().lock();
        try {
            if (!standing.isWhole() || closed) {
                return;
            }
            degradeTo(why);
        } finally {
            change.writeLock().unlock();
        }
        tellDegraded(why);
    }

    private void tellDegraded(ParleyException why) {
        telling.tell(new GatewayEvent.Degraded(StrippedFailure.told(why)));
        probeLater();
    }

    /**
     * Nothing is opened, read or written for it, so that it cannot fail; told by the caller. Where not every lane was learnt by now, what is
     * remembered of the others beside the primary counts, as after a start without it.
     */
    private void degradeTo(ParleyException why) {
        learning.stop();
        boolean unread = !primary.isOpen();
        boolean everyLane = !unread && knowledge.lanes().isComplete();
        spill.begin(
                () -> kept.recall(everyLane ? Optional.of(List.of()) : fallback.knownLanes()),
                unread,
                everyLane,
                primary.id());
        standing.degrade(why, clock.instant());
    }

    // ------------------------------------------------------------------ healing

    private void probeLater() {
        if (!closed) {
            probe = timers.after(
                    new Backoff(probeEvery, DOUBLINGS).pause(standing.failedChecks(), ids), this::probeNow);
        }
    }

    private void probeNow() {
        if (closed || standing.isWhole()) {
            return;
        }
        boolean whole = false;
        try {
            whole = heal();
        } finally {
            if (!whole) {
                probeLater();
            }
        }
    }

    /**
     * Tries to merge back what was committed meanwhile and to return to the primary; one thread at a time does.
     *
     * @return whether storage is whole now; false leaves everything as it is, to be tried again
     */
    boolean heal() {
        if (!healing.compareAndSet(false, true)) {
            return standing.isWhole();
        }
        try {
            return standing.degradation().map(this::heal).orElse(true);
        } finally {
            healing.set(false);
        }
    }

    private boolean heal(Standing.Degradation now) {
        Healing merge;
        List<Inbound> known;
        try {
            takeOver();
            Storage back = primary.again(spill.storeId().or(primary::id), now.damaged());
            merge = new Healing(back, spill, clock);
            standing.isMerging(Optional.of(merge));
            merge.catchUp();
            known = knowledge.lastReceived(Missing.LOOKED_FOR);
            changeOver(back, merge);
        } catch (RuntimeException | Error e) {
            if (closed) {
                // What was opened after this was closed is nobody's.
                primary.close();
            } else {
                staysDegraded(now, asParleyException(e));
            }
            return false;
        } finally {
            standing.isMerging(Optional.empty());
        }
        telling.tell(new GatewayEvent.Healed(merge.batches(), merge.messages()));
        kept.note(List.of(storeId()));
        telling.isWholeNow();
        tellWhatIsMissing(known);
        return true;
    }

    /** For the last few batches new commits wait. */
    private void changeOver(Storage back, Healing merge) {
        change.writeLock().lock();
        try {
            if (closed) {
                throw new StorageUnavailable("The storage was closed.", null);
            }
            synchronized (spill) {
                merge.finish();
                knowledge.learn(back);
                learning.begin(back, merge.lanes());
                spill.end(merge.place());
                standing.isWholeAgain();
            }
        } finally {
            change.writeLock().unlock();
        }
    }

    private void staysDegraded(Standing.Degradation before, ParleyException why) {
        if (standing.staysDegraded(before, why)) {
            telling.trouble("storage stays degraded: " + StrippedFailure.told(why), why);
        }
    }

    // ------------------------------------------------------------------ reading

    private final class Composed implements Reading {
        @Override
        public <T> T either(Function<Storage, T> whole, Function<Spill, T> degraded) {
            return withEither(whole, degraded);
        }

        @Override
        public <T> T whole(String what, Function<Storage, T> read) {
            return withEither(read, meanwhile -> {
                throw unavailable(what);
            });
        }

        @Override
        public Storage unlocked(String what) {
            return whole(what, storage -> storage);
        }

        private StorageUnavailable unavailable(String what) {
            String why = standing.degradation().map(Standing.Degradation::why).orElse("it comes back just now");
            return new StorageUnavailable(
                    what + " cannot be shown while storage is degraded (" + why + "); try again once it is back.",
                    null);
        }
    }

    @Override
    public StorageParts parts() {
        return parts;
    }

    @Override
    public String location() {
        return primary.isOpen() ? primary.storage().location() : "the fallback";
    }

    @Override
    public void close() {
        change.writeLock().lock();
        try {
            closed = true;
            learning.stop();
            Timers.Timer timer = probe;
            if (timer != null) {
                timer.cancel();
            }
            for (Runnable each : List.<Runnable>of(spill::close, kept::close, primary::close)) {
                closeQuietly(each);
            }
        } finally {
            change.writeLock().unlock();
        }
    }

    private static void closeQuietly(Runnable closing) {
        try {
            closing.run();
        } catch (RuntimeException e) {
            // Everything that counts is on the disk already.
        }
    }
}
