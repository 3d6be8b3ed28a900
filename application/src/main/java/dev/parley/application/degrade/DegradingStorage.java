package dev.parley.application.degrade;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Recollection;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A storage that goes on when its primary refuses: batches are then kept in the fallback's journal, durable on return, and merged
 * back once the primary can be used again, without a restart (commit rules 9 and 10).
 *
 * <p>While degraded, lanes in use go on with their conversation, other lanes with their session and a note that what was said
 * before cannot be read for now. Lists, counts, search, history and sessions that are not in use throw
 * {@link StorageUnavailable}: nothing unavailable is shown as empty. Merging back needs the same store (it carries an id), and
 * one that passes its check where it had been damaged. It is verified by the ids and texts of the messages before the journal is
 * put aside. A crash at any point loses nothing: what was merged already is recognised by its batch id.
 *
 * <p>Safe for concurrent use.
 */
public final class DegradingStorage implements Storage {
    /** The named value that tells one store from another. */
    public static final String STORE_ID = "parley_store_id";

    /** A damaged store is checked as a whole each time, so it is tried less and less often, down to once in so many pauses. */
    private static final int RAREST = 64;

    private final PrimaryAccess primary;
    private final Fallback fallback;
    private final Timers timers;
    private final Ids ids;
    private final InstantSource clock;
    private final GatewayEvents events;
    private final Duration probeEvery;

    /** Shared by whoever uses the primary, exclusive for changing over. */
    private final ReadWriteLock change = new ReentrantReadWriteLock(true);

    private final PrimaryMirror mirror = new PrimaryMirror();
    private final Spill spill;
    private final Reading reading = new Composed();
    private final Ledger ledger = this::commit;
    private final Lanes lanes;
    private final Sessions sessions;
    private final Transcripts transcripts;
    private final TranscriptSearch search;
    private final TurnQueue queue;
    private final Meta meta;
    private final StorageMaintenance maintenance;

    private Optional<Recollection> recollection = Optional.empty();
    private Optional<String> recalledId = Optional.empty();
    private volatile Optional<Degradation> degradation = Optional.empty();
    private volatile boolean closed;
    private volatile boolean forgetful;
    private volatile Optional<String> refusing = Optional.empty();
    private final Queue<Runnable> waitingForWhole = new ConcurrentLinkedQueue<>();
    private Timers.@Nullable Timer probe;
    private Optional<String> told = Optional.empty();
    private int pauses = 1;

    /**
     * Why and since when storage is degraded.
     *
     * @param why what the primary said last
     * @param since when it began
     * @param damaged whether it is damaged and must pass its check first
     */
    private record Degradation(String why, Instant since, boolean damaged) {}

    private DegradingStorage(
            Primary primary,
            Fallback fallback,
            Timers timers,
            Ids ids,
            InstantSource clock,
            GatewayEvents events,
            Duration probeEvery) {
        this.fallback = fallback;
        this.timers = timers;
        this.ids = ids;
        this.clock = clock;
        this.events = events;
        this.probeEvery = probeEvery;
        this.spill = new Spill(fallback, mirror, ids, clock);
        this.primary = new PrimaryAccess(primary, ids);
        this.lanes = new LaneReads(reading, mirror, spill);
        this.sessions = new SessionReads(reading, mirror, spill);
        this.transcripts = new TranscriptReads(reading, mirror, spill);
        this.search = new SearchReads(reading);
        this.queue = new QueueReads(reading, mirror);
        this.meta = new MetaReads(reading);
        this.maintenance = new DegradingMaintenance(reading, this::health, this::whenWhole);
    }

    /**
     * Opens the primary, or starts degraded where it refuses. What an earlier process left in the journal is merged back first
     * where the primary can be used.
     *
     * @param probeEvery how often it is tried whether the primary can be used again; one that is damaged is tried less often
     * @throws StorageUnavailable where the fallback cannot be used, even if the primary can: nothing begins without a place for
     *     what comes while the primary fails
     * @throws StorageCorrupt where the primary is damaged and the fallback cannot be used
     */
    public static DegradingStorage open(
            Primary primary,
            Fallback fallback,
            Timers timers,
            Ids ids,
            InstantSource clock,
            GatewayEvents events,
            Duration probeEvery) {
        DegradingStorage storage = new DegradingStorage(primary, fallback, timers, ids, clock, events, probeEvery);
        try {
            storage.begin();
        } catch (ParleyException e) {
            storage.close();
            throw e;
        }
        return storage;
    }

    private void begin() {
        Optional<ParleyException> failure = Optional.empty();
        try {
            primary.open(mirror::learn);
        } catch (StorageUnavailable | StorageCorrupt e) {
            failure = Optional.of(e);
        }
        try {
            spill.openJournal();
            recollection = fallback.openRecollection();
            if (failure.isPresent()) {
                degradeTo(failure.get());
            } else if (spill.size() > 0) {
                degradeTo(new StorageUnavailable("an earlier run ended while degraded", null));
                heal();
            } else {
                remember(List.of(storeId()));
            }
        } catch (StorageUnavailable e) {
            failure.ifPresent(why -> why.addSuppressed(e));
            throw failure.orElse(e);
        }
    }

    private Change storeId() {
        return new Change.PutMeta(STORE_ID, primary.id().orElseThrow());
    }

    private Health health() {
        Optional<Degradation> now = degradation;
        return now.isEmpty()
                ? new Health.Whole()
                : new Health.Degraded(
                        now.get().since(), now.get().why(), now.get().damaged(), spill.waiting(), refusing);
    }

    /** A task that comes while storage is healed is not missed: it is looked again once it is put by. */
    private void whenWhole(Runnable task) {
        waitingForWhole.add(task);
        if (degradation.isEmpty() && waitingForWhole.remove(task)) {
            task.run();
        }
    }

    private void runWaitingForWhole() {
        for (Runnable task = waitingForWhole.poll(); task != null; task = waitingForWhole.poll()) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                trouble("a task that waited for the storage to be whole failed: " + e, e);
            }
        }
    }

    // ------------------------------------------------------------------ committing

    private CommitResult commit(Batch batch) {
        CommitResult result = commitSomewhere(batch);
        if (result.isCommitted()) {
            remember(batch.changes());
        }
        return result;
    }

    private CommitResult commitSomewhere(Batch batch) {
        while (true) {
            ParleyException failure;
            change.readLock().lock();
            try {
                if (degradation.isPresent()) {
                    return spilled(batch);
                }
                CommitResult result = primary.storage().ledger().commit(batch);
                if (result.isCommitted()) {
                    mirror.committed(batch.changes());
                }
                return result;
            } catch (StorageUnavailable | StorageCorrupt e) {
                if (degradation.isPresent() || closed) {
                    throw e;
                }
                failure = e;
            } finally {
                change.readLock().unlock();
            }
            degrade(failure);
        }
    }

    private CommitResult spilled(Batch batch) {
        try {
            CommitResult result = spill.commit(batch);
            refusing = Optional.empty();
            return result;
        } catch (StorageUnavailable | StorageCorrupt e) {
            refusing = Optional.of(said(e));
            throw e;
        }
    }

    private static String said(Throwable e) {
        return Optional.ofNullable(e.getMessage()).orElse(e.toString());
    }

    /** What cannot be remembered is less to know at a later start; it is told once, and no message is refused for it. */
    private void remember(List<Change> changes) {
        Optional<StorageUnavailable> failure = LastKnown.note(recollection, changes);
        if (failure.isPresent() && !forgetful) {
            forgetful = true;
            trouble(
                    "what was received is not remembered beside the storage: "
                            + failure.get().getMessage(),
                    failure.get());
        } else if (failure.isEmpty() && forgetful) {
            forgetful = false;
        }
    }

    private void trouble(String what, Throwable cause) {
        events.on(new GatewayEvent.Trouble(Optional.empty(), what, Optional.of(cause)));
    }

    // ------------------------------------------------------------------ degrading

    private void degrade(ParleyException why) {
        change.writeLock().lock();
        try {
            if (degradation.isEmpty() && !closed) {
                degradeTo(why);
            }
        } finally {
            change.writeLock().unlock();
        }
    }

    private void degradeTo(ParleyException why) {
        boolean unread = !primary.isOpen();
        LastKnown known = LastKnown.of(
                unread ? fallback.lastKnownLanes() : Optional.of(List.of()), recollection, clock.instant());
        recalledId = known.storeId();
        spill.begin(known, unread, primary.id().or(() -> recalledId));
        String message = said(why);
        refusing = Optional.empty();
        degradation = Optional.of(new Degradation(message, clock.instant(), why instanceof StorageCorrupt));
        told = Optional.empty();
        pauses = 1;
        events.on(new GatewayEvent.Degraded(message));
        probeLater();
    }

    // ------------------------------------------------------------------ healing

    private void probeLater() {
        if (!closed) {
            Duration pause = probeEvery.multipliedBy(pauses);
            probe = timers.after(ids.jitter(pause, pause.multipliedBy(5).dividedBy(4)), this::probeNow);
        }
    }

    private void probeNow() {
        if (closed || degradation.isEmpty()) {
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
     * Tries to merge back what was committed meanwhile and to go on with the primary.
     *
     * @return whether storage is whole now; false leaves everything as it is, to be tried again
     */
    boolean heal() {
        Optional<Degradation> now = degradation;
        if (now.isEmpty()) {
            return true;
        }
        try {
            Optional<String> expected = spill.storeId().or(primary::id).or(() -> recalledId);
            Storage back = primary.again(expected, now.get().damaged());
            Healing healing = new Healing(back, spill, clock);
            healing.catchUp();
            changeOver(back, healing);
            events.on(new GatewayEvent.Healed(healing.batches(), healing.messages()));
            remember(List.of(storeId()));
            runWaitingForWhole();
            return true;
        } catch (ParleyException e) {
            if (closed) {
                // What was opened after this was closed is nobody's.
                primary.close();
            } else {
                staysDegraded(now.get(), e);
            }
            return false;
        }
    }

    /** For the last few batches new commits wait. */
    private void changeOver(Storage back, Healing healing) {
        change.writeLock().lock();
        try {
            if (closed) {
                throw new StorageUnavailable("The storage was closed.", null);
            }
            synchronized (spill) {
                healing.finish();
                healing.verify();
                mirror.learn(back);
                spill.end(healing.place());
                degradation = Optional.empty();
            }
        } finally {
            change.writeLock().unlock();
        }
    }

    /** What is found damaged while it is tried must pass its check from then on. */
    private void staysDegraded(Degradation before, ParleyException why) {
        boolean damaged = before.damaged() || why instanceof StorageCorrupt;
        degradation = Optional.of(new Degradation(said(why), before.since(), damaged));
        pauses = damaged ? Math.min(pauses * 2, RAREST) : 1;
        Optional<String> message = Optional.of(said(why));
        if (!message.equals(told)) {
            told = message;
            trouble("storage stays degraded: " + why.getMessage(), why);
        }
    }

    // ------------------------------------------------------------------ reading

    private final class Composed implements Reading {
        @Override
        public boolean isDegraded() {
            return degradation.isPresent();
        }

        @Override
        public <T> T any(Function<Storage, T> reading) {
            while (true) {
                ParleyException failure;
                change.readLock().lock();
                try {
                    return reading.apply(isDegraded() ? spill.overlay() : primary.storage());
                } catch (StorageUnavailable | StorageCorrupt e) {
                    if (isDegraded() || closed) {
                        throw e;
                    }
                    failure = e;
                } finally {
                    change.readLock().unlock();
                }
                degrade(failure);
            }
        }

        @Override
        public <T> T whole(String what, Function<Storage, T> reading) {
            return any(storage -> {
                Optional<Degradation> now = degradation;
                if (now.isPresent()) {
                    throw new StorageUnavailable(
                            what + " cannot be shown while storage is degraded ("
                                    + now.get().why() + "); try again once it is back.",
                            null);
                }
                return reading.apply(storage);
            });
        }
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Lanes lanes() {
        return lanes;
    }

    @Override
    public Sessions sessions() {
        return sessions;
    }

    @Override
    public Transcripts transcripts() {
        return transcripts;
    }

    @Override
    public TranscriptSearch search() {
        return search;
    }

    @Override
    public TurnQueue queue() {
        return queue;
    }

    @Override
    public Meta meta() {
        return meta;
    }

    @Override
    public StorageMaintenance maintenance() {
        return maintenance;
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
            Timers.Timer timer = probe;
            if (timer != null) {
                timer.cancel();
            }
            spill.close();
            recollection.ifPresent(Recollection::close);
            primary.close();
        } finally {
            change.writeLock().unlock();
        }
    }
}
