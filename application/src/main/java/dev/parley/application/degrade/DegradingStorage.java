package dev.parley.application.degrade;

import dev.parley.application.actor.Backoff;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.guard.Thrown;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ids;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Health;
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
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
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
    /** The named value that tells one store from another. */
    public static final String STORE_ID = "parley_store_id";

    /** A damaged store is checked as a whole each time, so it is tried less and less often: the pause is doubled so often. */
    private static final int DOUBLINGS = 6;

    private final PrimaryAccess primary;
    private final Fallback fallback;
    private final Timers timers;
    private final Ids ids;
    private final InstantSource clock;
    private final GatewayEvents events;
    private final Duration probeEvery;

    /** Shared by users of the primary, exclusive for changing over. */
    private final ReadWriteLock change = new ReentrantReadWriteLock(true);

    /** Tells events and runs tasks in order, on the thread that comes first, outside of all locks. */
    private final SerialTasks outside = new SerialTasks(Runnable::run, DegradingStorage::uncaught);

    private final AtomicBoolean healing = new AtomicBoolean();
    private final Queue<Runnable> waitingForWhole = new ConcurrentLinkedQueue<>();
    private final Knowledge knowledge = new Knowledge();
    private final LaneLearning learning;
    private final KeptKnowledge kept;
    private final Spill spill;
    private final Reading reading = new Composed();
    private final StorageParts parts;

    private volatile Optional<Degradation> degradation = Optional.empty();
    /** The merge that is under way. */
    private volatile Optional<Healing> merging = Optional.empty();
    /** Why the fallback cannot be opened. */
    private volatile Optional<String> unopened = Optional.empty();
    /** Why the fallback took nothing the last time. */
    private volatile Optional<String> refused = Optional.empty();

    private volatile boolean closed;
    private volatile Timers.@Nullable Timer probe;
    private Optional<String> told = Optional.empty();
    private int failedChecks;

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
        this.kept = new KeptKnowledge(fallback, clock, this::trouble);
        this.learning = new LaneLearning(knowledge.lanes(), timers, ids, probeEvery, this::trouble);
        this.spill = new Spill(fallback, knowledge, ids, clock);
        this.primary = new PrimaryAccess(primary, ids);
        this.parts = new StorageParts(
                this::commit,
                new DegradingLanes(reading, knowledge.lanes()),
                new DegradingSessions(reading, knowledge),
                new DegradingTranscripts(reading, knowledge),
                new DegradingTranscriptSearch(reading),
                new DegradingTurnQueue(reading, knowledge),
                new DegradingMeta(reading, knowledge),
                new DegradingMaintenance(reading, this::health, knowledge.lanes()::seen, this::whenWhole));
    }

    /**
     * Opens the primary, or starts degraded where it refuses. What an earlier process left in the journal is merged back first
     * where the primary it belongs to can be used; none is made in its place. On a full disk it starts too, refusing what comes
     * until there is room.
     *
     * @param probeEvery how often it is tried whether the primary can be used again; one that is damaged is tried less often
     * @throws StorageUnavailable where the fallback cannot be used for another reason than a full disk, even if the primary can:
     *     nothing begins without a place for what comes while the primary fails
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
        unopened = noFallback.map(Thrown::line);
        if (failure.isPresent() || noFallback.isPresent()) {
            ParleyException why = failure.isPresent() ? failure.get() : noFallback.get();
            degradeTo(why);
            tell(new GatewayEvent.Degraded(Thrown.line(why)));
        } else {
            kept.note(List.of(storeId()));
            Instant begun = clock.instant();
            guardedTimer(probeEvery, () -> tellWhatIsMissing(begun));
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
        StorageUnavailable why = new StorageUnavailable("an earlier run ended while degraded", null);
        degradeTo(why);
        tell(new GatewayEvent.Degraded(Thrown.line(why)));
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
        return new Change.PutMeta(STORE_ID, primary.id().orElseThrow());
    }

    // ------------------------------------------------------------------ telling

    private Health health() {
        Optional<Degradation> now = degradation;
        return now.isEmpty()
                ? new Health.Whole()
                : new Health.Degraded(
                        now.get().since(),
                        now.get().why(),
                        now.get().damaged(),
                        spill.waiting(),
                        merging.map(merge -> OptionalLong.of(merge.merged())).orElse(OptionalLong.empty()),
                        unopened.or(() -> refused));
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
                trouble("a task that waited for the storage to be whole failed", e);
            }
        }
    }

    private void tell(GatewayEvent event) {
        outside.execute(() -> events.on(event));
    }

    private void trouble(String what, Throwable cause) {
        tell(new GatewayEvent.Trouble(Optional.empty(), what, Optional.of(cause)));
    }

    private static void uncaught(Throwable e) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }

    /** What was acknowledged and is not there any more is told once after the start. */
    private void tellWhatIsMissing(Instant begun) {
        if (closed || degradation.isPresent()) {
            return;
        }
        EarlierKnowledge known = kept.recall(Optional.empty());
        known.justReplaced(begun)
                .ifPresent(former -> tell(new GatewayEvent.Trouble(
                        Optional.empty(),
                        "The storage " + location()
                                + " is not the one that was used before: what was said until now is not in"
                                + " it. If that was not meant, stop the gateway and put the former one back.",
                        Optional.empty())));
        tellWhatIsMissing(known.lastReceived(Missing.LOOKED_FOR));
    }

    private void tellWhatIsMissing(List<Inbound> known) {
        try {
            reading.whole("What is missing", s -> Missing.in(s, known))
                    .ifPresent(what -> tell(new GatewayEvent.Trouble(Optional.empty(), what, Optional.empty())));
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
            refused = Optional.empty();
            return result;
        } catch (StorageUnavailable | StorageCorrupt e) {
            refused = Optional.of(Thrown.line(e));
            throw e;
        }
    }

    private void takeOver() {
        try {
            spill.takeOver();
            unopened = Optional.empty();
        } catch (StorageUnavailable | StorageCorrupt e) {
            unopened = Optional.of(Thrown.line(e));
            throw e;
        }
    }

    // ------------------------------------------------------------------ degrading

    private <T> T withEither(Function<Storage, T> whole, Function<Spill, T> degraded) {
        while (true) {
            ParleyException failure;
            change.readLock().lock();
            try {
                if (degradation.isPresent()) {
                    // The overlay is not left by one while another reads it.
                    synchronized (spill) {
                        takeOver();
                        return degraded.apply(spill);
                    }
                }
                return whole.apply(primary.storage());
            } catch (RuntimeException | Error e) {
                if (degradation.isPresent() || closed || !isOfStorage(e)) {
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
                : new StorageUnavailable("The storage failed: " + Thrown.line(e) + "; its provider is at fault.", e);
    }

    private void degrade(ParleyException why) {
        change.writeLock().lock();
        try {
            if (degradation.isPresent() || closed) {
                return;
            }
            degradeTo(why);
        } finally {
            change.writeLock().unlock();
        }
        tell(new GatewayEvent.Degraded(Thrown.line(why)));
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
        degradation = Optional.of(new Degradation(Thrown.line(why), clock.instant(), why instanceof StorageCorrupt));
        refused = Optional.empty();
        told = Optional.empty();
        failedChecks = 0;
        probeLater();
    }

    // ------------------------------------------------------------------ healing

    private void probeLater() {
        if (!closed) {
            guardedTimer(new Backoff(probeEvery, DOUBLINGS).pause(failedChecks, ids), this::probeNow);
        }
    }

    private void guardedTimer(Duration pause, Runnable task) {
        try {
            probe = timers.after(pause, task);
        } catch (RuntimeException e) {
            trouble("it is not tried again whether the storage can be used", e);
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
     * Tries to merge back what was committed meanwhile and to return to the primary; one thread at a time does.
     *
     * @return whether storage is whole now; false leaves everything as it is, to be tried again
     */
    boolean heal() {
        if (!healing.compareAndSet(false, true)) {
            return degradation.isEmpty();
        }
        try {
            Optional<Degradation> now = degradation;
            return now.isEmpty() || heal(now.get());
        } finally {
            healing.set(false);
        }
    }

    private boolean heal(Degradation now) {
        Healing merge;
        List<Inbound> known;
        try {
            takeOver();
            Storage back = primary.again(spill.storeId().or(primary::id), now.damaged());
            merge = new Healing(back, spill, clock);
            merging = Optional.of(merge);
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
            merging = Optional.empty();
        }
        tell(new GatewayEvent.Healed(merge.batches(), merge.messages()));
        kept.note(List.of(storeId()));
        outside.execute(this::runWaitingForWhole);
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
                degradation = Optional.empty();
                refused = Optional.empty();
            }
        } finally {
            change.writeLock().unlock();
        }
    }

    /** What is found damaged while it is tried must pass its check from then on. */
    private void staysDegraded(Degradation before, ParleyException why) {
        boolean damaged = before.damaged() || why instanceof StorageCorrupt;
        degradation = Optional.of(new Degradation(Thrown.line(why), before.since(), damaged));
        failedChecks = damaged ? failedChecks + 1 : 0;
        Optional<String> message = Optional.of(Thrown.line(why));
        if (!message.equals(told)) {
            told = message;
            trouble("storage stays degraded: " + Thrown.line(why), why);
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
        public void stream(String what, Consumer<Storage> read) {
            read.accept(whole(what, storage -> storage));
        }

        private StorageUnavailable unavailable(String what) {
            String why = degradation.map(Degradation::why).orElse("it comes back just now");
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
