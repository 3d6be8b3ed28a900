package dev.parley.application.degrade;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Journal;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageCare;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A storage that goes on when its primary refuses: batches are then kept in the fallback's journal, durable on return, and merged
 * back once the primary can be used again, without a restart (architecture, section 7, rules 9 and 10).
 *
 * <p>While degraded, lanes in use go on with their conversation, other lanes with their session and a note that what was said
 * before cannot be read for now. Lists, counts, search and history throw {@link StorageUnavailable}: nothing unavailable is shown
 * as empty. Merging back needs the same store (it carries an id), and one that passes its check where it had been damaged. It is
 * verified by the ids and texts of the messages before the journal is put aside. A crash at any point loses nothing: what was
 * merged already is recognised by its batch id.
 *
 * <p>Safe for concurrent use.
 */
public final class DegradingStorage implements Storage {
    /** The named value that tells one store from another. */
    public static final String STORE_ID = "parley_store_id";

    private static final String SPILL_OF = "parley_spill_of";
    private static final String SEED = "seed-";
    private static final String UNKNOWN_SOURCE = "unknown";
    private static final int CHUNK = 100;

    private final Primary primarySource;
    private final Fallback fallback;
    private final Timers timers;
    private final Ids ids;
    private final InstantSource clock;
    private final GatewayEvents events;
    private final Duration probeEvery;

    /** Shared by whoever uses the primary, exclusive for changing over. */
    private final ReadWriteLock change = new ReentrantReadWriteLock(true);

    private final Object spill = new Object();
    private final PrimaryMirror mirror = new PrimaryMirror();
    private final Map<String, Long> journaled = new HashMap<>();
    private final Set<SessionId> contextMissing = new HashSet<>();
    private final String seedWriter;
    private final String probeWriter;
    private long seeds;
    private long probes;

    private @Nullable Storage primary;
    private @Nullable Journal journal;
    private @Nullable Storage overlay;
    private Optional<String> storeId = Optional.empty();
    private volatile Optional<Degradation> degradation = Optional.empty();
    private volatile boolean closed;
    private Timers.@Nullable Timer probe;

    /**
     * Why and since when storage is degraded.
     *
     * @param why what the primary said
     * @param since when
     * @param damaged whether it is damaged and must pass its check first
     */
    public record Degradation(String why, Instant since, boolean damaged) {}

    private DegradingStorage(
            Primary primary,
            Fallback fallback,
            Timers timers,
            Ids ids,
            InstantSource clock,
            GatewayEvents events,
            Duration probeEvery) {
        this.primarySource = primary;
        this.fallback = fallback;
        this.timers = timers;
        this.ids = ids;
        this.clock = clock;
        this.events = events;
        this.probeEvery = probeEvery;
        this.seedWriter = SEED + ids.unique("w");
        this.probeWriter = ids.unique("probe");
    }

    /**
     * Opens the primary, or starts degraded where it refuses. What an earlier process left in the journal is merged back first
     * where the primary can be used.
     *
     * @param probeEvery how often it is tried whether the primary can be used again
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
        storage.begin();
        return storage;
    }

    private void begin() {
        Optional<ParleyException> failure = Optional.empty();
        try {
            use(primarySource.open());
        } catch (StorageUnavailable | StorageCorrupt e) {
            failure = Optional.of(e);
        }
        Journal left = openJournal(failure);
        if (failure.isPresent()) {
            ParleyException why = failure.get();
            degradeTo(left, why);
        } else if (left.size() > 0) {
            degradeTo(left, new StorageUnavailable("an earlier run ended while degraded", null));
            heal();
        }
    }

    private Journal openJournal(Optional<ParleyException> failure) {
        try {
            Journal opened = fallback.openJournal();
            journal = opened;
            return opened;
        } catch (StorageUnavailable e) {
            close();
            failure.ifPresent(why -> why.addSuppressed(e));
            throw failure.orElse(e);
        }
    }

    /** Takes a primary into use: gives it an id where it has none, and learns what must be known of it. */
    private void use(Storage opened) {
        try {
            Optional<String> id = opened.meta().get(STORE_ID);
            if (id.isEmpty()) {
                id = Optional.of(ids.unique("store"));
                opened.ledger().commit(probe(new Change.PutMeta(STORE_ID, id.get())));
            }
            mirror.learn(opened);
            storeId = id;
            primary = opened;
        } catch (ParleyException e) {
            opened.close();
            throw e;
        }
    }

    private Batch probe(Change change) {
        probes++;
        return new Batch(new BatchId(probeWriter, probes), List.of(), List.of(change));
    }

    private Storage usablePrimary() {
        Storage p = primary;
        if (p == null) {
            throw new StorageUnavailable("The primary storage is not open.", null);
        }
        return p;
    }

    private Storage usableOverlay() {
        Storage o = overlay;
        if (o == null) {
            throw new StorageUnavailable("The fallback storage is not open.", null);
        }
        return o;
    }

    private Journal usableJournal() {
        Journal j = journal;
        if (j == null) {
            throw new StorageUnavailable("The fallback's journal is not open.", null);
        }
        return j;
    }

    /** Returns why storage is degraded; absent while it is whole. */
    public Optional<Degradation> degradation() {
        return degradation;
    }

    /** Returns whether a session goes on without what was said in it before, because that cannot be read for now. */
    public boolean lacksContext(SessionId session) {
        synchronized (spill) {
            return contextMissing.contains(session);
        }
    }

    // ------------------------------------------------------------------ committing

    private CommitResult commit(Batch batch) {
        while (true) {
            ParleyException failure;
            change.readLock().lock();
            try {
                if (degradation.isPresent()) {
                    return commitToSpill(batch);
                }
                CommitResult result = usablePrimary().ledger().commit(batch);
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

    private CommitResult commitToSpill(Batch batch) {
        synchronized (spill) {
            if (journaled.getOrDefault(batch.id().writer(), 0L) >= batch.id().sequence()) {
                return new CommitResult.Committed();
            }
            for (Precondition condition : batch.preconditions()) {
                if (condition instanceof Precondition.NotReceived received
                        && mirror.received(received.message()).isPresent()) {
                    return new CommitResult.Conflict(condition);
                }
                if (condition instanceof Precondition.LaneEpoch epoch) {
                    seedLane(epoch.lane());
                }
            }
            for (Change stored : batch.changes()) {
                sessionOf(stored).ifPresent(id -> seedSession(id, batch));
            }
            CommitResult result = usableOverlay().ledger().commit(batch);
            if (result.isCommitted()) {
                usableJournal().append(batch);
                journaled.put(batch.id().writer(), batch.id().sequence());
                mirror.committed(batch.changes());
            }
            return result;
        }
    }

    // ------------------------------------------------------------------ degrading

    private void degrade(ParleyException why) {
        change.writeLock().lock();
        try {
            if (degradation.isEmpty() && !closed) {
                degradeTo(usableJournal(), why);
            }
        } finally {
            change.writeLock().unlock();
        }
    }

    private void degradeTo(Journal spilled, ParleyException why) {
        synchronized (spill) {
            Storage fresh = fallback.openOverlay();
            overlay = fresh;
            journaled.clear();
            contextMissing.clear();
            replay(spilled, fresh);
            if (primary == null) {
                mirror.learn(fresh);
                fallback.lastKnownLanes().forEach(mirror::assume);
            }
            if (spilled.size() == 0) {
                storeId.ifPresent(id -> seed(List.of(new Change.PutMeta(SPILL_OF, id))));
                for (SessionKey key : mirror.busyLanes()) {
                    seedLane(key);
                }
                List<Change> underWay = mirror.underWay();
                if (!underWay.isEmpty()) {
                    seed(underWay);
                }
            }
        }
        String message = Optional.ofNullable(why.getMessage()).orElse(why.toString());
        degradation = Optional.of(new Degradation(message, clock.instant(), why instanceof StorageCorrupt));
        events.on(new GatewayEvent.Degraded(message));
        probeLater();
    }

    private void replay(Journal spilled, Storage into) {
        long after = 0;
        for (List<Journal.Entry> chunk = spilled.read(after, CHUNK);
                !chunk.isEmpty();
                chunk = spilled.read(after, CHUNK)) {
            for (Journal.Entry entry : chunk) {
                Batch batch = entry.batch();
                into.ledger().commit(new Batch(batch.id(), List.of(), batch.changes()));
                journaled.merge(batch.id().writer(), batch.id().sequence(), Math::max);
                after = entry.place();
            }
        }
    }

    /** Stores what is known of the primary in the fallback, journal first, so that a restart while degraded knows it too. */
    private void seed(List<Change> changes) {
        seeds++;
        Batch batch = new Batch(new BatchId(seedWriter, seeds), List.of(), changes);
        usableJournal().append(batch);
        usableOverlay().ledger().commit(batch);
        journaled.put(seedWriter, seeds);
    }

    /** Makes a lane of the primary known to the fallback, with its conversation or a note that it cannot be read. */
    private void seedLane(SessionKey key) {
        Optional<Lane> lane = mirror.lane(key);
        if (lane.isEmpty() || usableOverlay().lanes().find(key).isPresent()) {
            return;
        }
        List<Change> changes = new ArrayList<>();
        SessionId id = lane.get().entry().sessionId();
        if (usableOverlay().sessions().find(id).isEmpty()) {
            changes.addAll(conversation(id, mirror.tail(id), () -> sessionOf(lane.get())));
        }
        changes.add(new Change.PutLane(lane.get()));
        seed(changes);
    }

    /** Returns what stores a session with what is known of its conversation, and a note where that is not all of it. */
    private List<Change> conversation(SessionId id, Optional<PrimaryMirror.Tail> tail, Supplier<Session> unread) {
        List<Change> changes = new ArrayList<>();
        Session session = tail.flatMap(PrimaryMirror.Tail::session).orElseGet(unread);
        changes.add(new Change.CreateSession(
                session.toBuilder().counts(0, 0).title(null).parent(null).build()));
        List<StoredMessage> said =
                new ArrayList<>(tail.map(PrimaryMirror.Tail::messages).orElse(List.of()));
        if (!tail.map(PrimaryMirror.Tail::whole).orElse(false)) {
            said.add(0, note(id));
            if (tail.isEmpty()) {
                contextMissing.add(id);
            }
        }
        if (!said.isEmpty()) {
            changes.add(new Change.ImportMessages(said));
        }
        return changes;
    }

    /** Returns the session that must be there for a change to be stored. */
    private static Optional<SessionId> sessionOf(Change stored) {
        if (stored instanceof Change.AppendMessages append) {
            return Optional.of(append.session());
        }
        if (stored instanceof Change.HideMessages hide) {
            return Optional.of(hide.session());
        }
        if (stored instanceof Change.ReplaceMessages replace) {
            return Optional.of(replace.session());
        }
        if (stored instanceof Change.EditSession edit) {
            return Optional.of(edit.session());
        }
        if (stored instanceof Change.TouchLane touch) {
            return Optional.of(touch.session());
        }
        return Optional.empty();
    }

    /** Makes a session of the primary known to the fallback, with its lane where it is a lane's current one. */
    private void seedSession(SessionId id, Batch batch) {
        boolean made = batch.changes().stream()
                .anyMatch(c -> c instanceof Change.CreateSession create
                        && create.session().id().equals(id));
        if (made || usableOverlay().sessions().find(id).isPresent()) {
            return;
        }
        Optional<Lane> lane = mirror.laneOf(id);
        if (lane.isPresent()) {
            seedLane(lane.get().key());
        } else {
            seed(conversation(
                    id,
                    mirror.tail(id),
                    () -> Session.builder(id, UNKNOWN_SOURCE, clock.instant()).build()));
        }
    }

    private static Session sessionOf(Lane lane) {
        var entry = lane.entry();
        return Session.builder(
                        entry.sessionId(),
                        entry.platform().map(Platform::name).orElse(UNKNOWN_SOURCE),
                        entry.createdAt())
                .peer(new SessionPeer(entry.key(), entry.origin()))
                .build();
    }

    private StoredMessage note(SessionId session) {
        Message message = Message.builder(
                        new MessageId(ids.unique("note")),
                        Role.USER,
                        Content.text(
                                "[System note: What was said in this conversation before cannot be read for now, because the"
                                        + " storage is not available. It is not lost and will be back. Tell the user so if it matters.]"),
                        clock.instant())
                .kind(Message.Kind.SUMMARY)
                .build();
        return new StoredMessage(0, session, message, StoredMessage.State.ACTIVE);
    }

    // ------------------------------------------------------------------ healing

    private void probeLater() {
        if (!closed) {
            probe = timers.after(
                    ids.jitter(probeEvery, probeEvery.multipliedBy(5).dividedBy(4)), this::probeNow);
        }
    }

    private void probeNow() {
        if (!closed && degradation.isPresent() && !heal()) {
            probeLater();
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
            Storage back = primaryAgain(now.get());
            Merge merge = new Merge(back);
            merge.run();
            change.writeLock().lock();
            try {
                synchronized (spill) {
                    merge.run();
                    merge.verify();
                    mirror.learn(back);
                    usableJournal().putAside(merge.place);
                    primary = back;
                    degradation = Optional.empty();
                    Storage over = usableOverlay();
                    overlay = null;
                    over.close();
                    contextMissing.clear();
                }
            } finally {
                change.writeLock().unlock();
            }
            events.on(new GatewayEvent.Healed(merge.batches, merge.messages));
            return true;
        } catch (ParleyException e) {
            events.on(new GatewayEvent.Trouble(
                    Optional.empty(), "storage stays degraded: " + e.getMessage(), Optional.of(e)));
            return false;
        }
    }

    /** Returns the primary where it can be written to again, is the store it was, and is not damaged. */
    private Storage primaryAgain(Degradation why) {
        Storage open = primary;
        if (open != null && !why.damaged()) {
            try {
                return checked(open, why);
            } catch (StorageUnavailable | StorageCorrupt e) {
                // The connection may be what is broken; a new one tells.
            }
        }
        Storage again = primarySource.reopen();
        try {
            checked(again, why);
        } catch (StorageUnavailable | StorageCorrupt e) {
            again.close();
            throw e;
        }
        if (open != null) {
            open.close();
        }
        primary = again;
        return again;
    }

    private Storage checked(Storage storage, Degradation why) {
        Optional<String> expected = storeId.or(() -> usableOverlay().meta().get(SPILL_OF));
        Optional<String> there = storage.meta().get(STORE_ID);
        if (expected.isPresent() && !expected.equals(there)) {
            throw new StorageCorrupt(
                    "The storage " + storage.location()
                            + " is not the one that was in use before; put that one back. What"
                            + " was said meanwhile is kept in the fallback.",
                    null);
        }
        if (why.damaged()) {
            List<String> problems = storage.care().check((done, total) -> {});
            if (!problems.isEmpty()) {
                throw new StorageCorrupt(
                        "The storage " + storage.location() + " is damaged (" + problems.get(0)
                                + "); repair it with `parley storage upgrade`, or put a backup in its place.",
                        null);
            }
        }
        String id = there.orElseGet(() -> ids.unique("store"));
        storage.ledger().commit(probe(new Change.PutMeta(STORE_ID, id)));
        storeId = Optional.of(id);
        return storage;
    }

    /** Commits the journal to the primary, from where it left off. */
    private final class Merge {
        private final Storage into;
        private final Map<SessionKey, Long> epochs = new TreeMap<>();
        private final Set<SessionId> touched = new HashSet<>();
        private final Set<MessageId> seeded = new HashSet<>();
        private long place;
        private int batches;
        private int messages;

        Merge(Storage into) {
            this.into = into;
        }

        void run() {
            for (List<Journal.Entry> chunk = next(); !chunk.isEmpty(); chunk = next()) {
                for (Journal.Entry entry : chunk) {
                    merge(entry.batch());
                    place = entry.place();
                }
            }
        }

        private List<Journal.Entry> next() {
            synchronized (spill) {
                return usableJournal().read(place, CHUNK);
            }
        }

        private void merge(Batch batch) {
            if (batch.id().writer().startsWith(SEED)) {
                for (Change seeding : batch.changes()) {
                    if (seeding instanceof Change.PutLane put) {
                        seededLane(put.lane());
                    } else if (seeding instanceof Change.ImportMessages imported) {
                        imported.messages().forEach(m -> seeded.add(m.message().id()));
                    }
                }
                return;
            }
            HealingBatch.Healed healed = HealingBatch.of(batch, into, usableOverlay(), epochs, clock.instant());
            into.ledger().commit(healed.batch());
            // A batch that had been merged before is not merged again; its lanes have the epochs it gave them all the
            // same.
            epochs.putAll(healed.epochs());
            for (Change stored : batch.changes()) {
                if (stored instanceof Change.AppendMessages append) {
                    touched.add(append.session());
                } else if (stored instanceof Change.PutLane put
                        && into.lanes()
                                .find(put.lane().key())
                                .filter(l -> l.epoch() == put.lane().epoch())
                                .isPresent()) {
                    epochs.put(put.lane().key(), put.lane().epoch());
                }
            }
            batches++;
            messages += healed.messages();
        }

        /** A lane that was known by its session alone has the epoch that the primary says, as long as that is its session. */
        private void seededLane(Lane lane) {
            Optional<Lane> there = into.lanes().find(lane.key());
            boolean sameSession = there.map(l -> l.entry().sessionId())
                    .filter(lane.entry().sessionId()::equals)
                    .isPresent();
            epochs.put(lane.key(), sameSession ? there.map(Lane::epoch).orElse(lane.epoch()) : lane.epoch());
        }

        /** Checks that every message of the fallback is in the primary, word for word. */
        void verify() {
            for (SessionId session : touched) {
                Map<MessageId, StoredMessage> there = new HashMap<>();
                into.transcripts()
                        .loadAll(session)
                        .forEach(m -> there.put(m.message().id(), m));
                for (StoredMessage here : usableOverlay().transcripts().loadAll(session)) {
                    MessageId id = here.message().id();
                    if (!seeded.contains(id) && !isSame(here, Optional.ofNullable(there.get(id)))) {
                        throw new StorageCorrupt(
                                "The message " + id.value() + " of session " + session
                                        + " did not arrive in " + into.location()
                                        + "; the fallback keeps it. Check the storage with `parley storage check`.",
                                null);
                    }
                }
            }
        }

        private static boolean isSame(StoredMessage here, Optional<StoredMessage> there) {
            return there.isPresent()
                    && there.get().message().role().equals(here.message().role())
                    && there.get()
                            .message()
                            .content()
                            .plainText()
                            .equals(here.message().content().plainText());
        }
    }

    // ------------------------------------------------------------------ reading

    private <T> T read(Function<Storage, T> reading) {
        while (true) {
            ParleyException failure;
            change.readLock().lock();
            try {
                return reading.apply(degradation.isPresent() ? usableOverlay() : usablePrimary());
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

    /** Reads what the fallback knows only a part of: from the primary or not at all. */
    private <T> T readWhole(String what, Function<Storage, T> reading) {
        return read(storage -> {
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

    private Optional<Lane> lane(SessionKey key) {
        return read(storage -> {
            if (degradation.isPresent()) {
                synchronized (spill) {
                    seedLane(key);
                }
            }
            return storage.lanes().find(key);
        });
    }

    private final Ledger ledger = this::commit;
    private final Lanes lanes = new LaneView();
    private final Sessions sessions = new SessionView();
    private final Transcripts transcripts = new TranscriptView();
    private final TurnQueue queue = new QueueView();
    private final TranscriptSearch search = this::find;
    private final Meta meta = new MetaView();
    private final StorageCare care = new CareView();

    private List<SearchHit> find(SearchQuery query) {
        return readWhole("Search results", s -> s.search().search(query));
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
    public StorageCare care() {
        return care;
    }

    @Override
    public String location() {
        Storage p = primary;
        return p == null ? "the fallback" : p.location();
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
            if (overlay != null) {
                overlay.close();
                overlay = null;
            }
            if (journal != null) {
                journal.close();
                journal = null;
            }
            if (primary != null) {
                primary.close();
                primary = null;
            }
        } finally {
            change.writeLock().unlock();
        }
    }

    private final class LaneView implements Lanes {
        @Override
        public void forEach(Consumer<Lane> each) {
            read(storage -> {
                if (degradation.isEmpty()) {
                    storage.lanes().forEach(each);
                } else {
                    mirror.lanes().forEach(each);
                }
                return true;
            });
        }

        @Override
        public Optional<Lane> find(SessionKey key) {
            return lane(key);
        }

        @Override
        public Optional<Lane> findBySession(SessionId session) {
            return read(storage -> degradation.isEmpty()
                    ? storage.lanes().findBySession(session)
                    : mirror.lanes().stream()
                            .filter(l -> l.entry().sessionId().equals(session))
                            .findFirst());
        }

        @Override
        public long count() {
            return read(storage -> degradation.isEmpty()
                    ? storage.lanes().count()
                    : (long) mirror.lanes().size());
        }

        @Override
        public List<LaneEvent> history(SessionKey key, int limit) {
            return readWhole("The history of lanes", s -> s.lanes().history(key, limit));
        }

        @Override
        public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
            readWhole("The history of lanes", s -> {
                s.lanes().forEachEvent(since, each);
                return true;
            });
        }
    }

    private final class SessionView implements Sessions {
        @Override
        public Optional<Session> find(SessionId id) {
            Optional<Session> found = read(s -> {
                if (degradation.isPresent()) {
                    synchronized (spill) {
                        mirror.laneOf(id).ifPresent(lane -> seedLane(lane.key()));
                    }
                }
                return s.sessions().find(id);
            });
            if (degradation.isEmpty()) {
                found.ifPresent(mirror::read);
            }
            return found;
        }

        @Override
        public List<SessionListing> list(SessionQuery query) {
            return readWhole("The list of sessions", s -> s.sessions().list(query));
        }

        @Override
        public void forEach(Consumer<Session> each) {
            readWhole("All sessions", s -> {
                s.sessions().forEach(each);
                return true;
            });
        }

        @Override
        public long count(Optional<String> source) {
            return readWhole("The number of sessions", s -> s.sessions().count(source));
        }

        @Override
        public Optional<Session> findByTitle(String title) {
            return readWhole("Sessions by title", s -> s.sessions().findByTitle(title));
        }

        @Override
        public List<Session> titledLike(String base) {
            return readWhole("Sessions by title", s -> s.sessions().titledLike(base));
        }

        @Override
        public List<Session> withIdPrefix(String prefix, int limit) {
            return readWhole("Sessions by id", s -> s.sessions().withIdPrefix(prefix, limit));
        }

        @Override
        public List<Session> childrenOf(SessionId id) {
            return read(s -> s.sessions().childrenOf(id));
        }

        @Override
        public List<Session> ofLane(SessionKey key, int limit) {
            return read(s -> s.sessions().ofLane(key, limit));
        }

        @Override
        public List<SessionId> endedBefore(Instant before, Optional<String> source) {
            return readWhole("Ended sessions", s -> s.sessions().endedBefore(before, source));
        }

        @Override
        public SessionStatistics statistics() {
            return readWhole("Statistics", s -> s.sessions().statistics());
        }
    }

    private final class TranscriptView implements Transcripts {
        @Override
        public List<StoredMessage> load(SessionId session) {
            List<StoredMessage> messages = read(s -> s.transcripts().load(session));
            if (degradation.isEmpty()) {
                mirror.read(session, messages);
            }
            return messages;
        }

        @Override
        public List<StoredMessage> loadAll(SessionId session) {
            return readWhole("Hidden messages", s -> s.transcripts().loadAll(session));
        }

        @Override
        public List<StoredMessage> load(Collection<SessionId> several) {
            return read(s -> s.transcripts().load(several));
        }

        @Override
        public List<StoredMessage> tail(SessionId session, int limit) {
            return read(s -> s.transcripts().tail(session, limit));
        }

        @Override
        public List<StoredMessage> recentUserMessages(SessionId session, int limit) {
            return read(s -> s.transcripts().recentUserMessages(session, limit));
        }

        @Override
        public List<StoredMessage> around(SessionId session, long sequence, int before, int after) {
            return readWhole("Messages around another", s -> s.transcripts().around(session, sequence, before, after));
        }

        @Override
        public long count(SessionId session) {
            return read(s -> s.transcripts().count(session));
        }

        @Override
        public long countAll() {
            return readWhole("The number of messages", s -> s.transcripts().countAll());
        }

        @Override
        public void forEach(Consumer<StoredMessage> each) {
            readWhole("All messages", s -> {
                s.transcripts().forEach(each);
                return true;
            });
        }
    }

    private final class QueueView implements TurnQueue {
        @Override
        public List<Inbound> admitted() {
            return read(s -> s.queue().admitted());
        }

        @Override
        public List<Inbound> admitted(SessionKey key) {
            return read(s -> s.queue().admitted(key));
        }

        @Override
        public long lastOrdinal(SessionKey key) {
            return read(s -> s.queue().lastOrdinal(key));
        }

        @Override
        public Optional<Inbound> inbound(InboundId id) {
            return read(s -> s.queue().inbound(id));
        }

        @Override
        public Optional<Inbound> received(PlatformMessage message) {
            return read(s -> s.queue().received(message))
                    .or(() -> degradation.isPresent() ? mirror.received(message) : Optional.empty());
        }

        @Override
        public List<Turn> claimed() {
            return read(s -> s.queue().claimed());
        }

        @Override
        public Optional<Turn> turn(TurnId id) {
            return read(s -> s.queue().turn(id));
        }

        @Override
        public List<Outgoing> undelivered() {
            return read(s -> s.queue().undelivered());
        }

        @Override
        public void forEach(
                Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing) {
            readWhole("All that was received and sent", s -> {
                s.queue().forEach(since, inbound, turns, outgoing);
                return true;
            });
        }
    }

    private final class MetaView implements Meta {
        @Override
        public Optional<String> get(String key) {
            return read(s -> s.meta().get(key));
        }

        @Override
        public Map<String, String> all() {
            return readWhole("Named values", s -> s.meta().all());
        }
    }

    private final class CareView implements StorageCare {
        @Override
        public Map<String, String> status() {
            Map<String, String> status = new LinkedHashMap<>();
            Optional<Degradation> now = degradation;
            if (now.isPresent()) {
                status.put("mode", "degraded");
                status.put("degraded_since", now.get().since().toString());
                status.put("degraded_because", now.get().why());
                status.put("spilled_batches", Long.toString(usableJournal().size()));
            } else {
                status.putAll(read(s -> s.care().status()));
            }
            return status;
        }

        @Override
        public List<String> check(BiConsumer<Long, Long> progress) {
            return readWhole("A check", s -> s.care().check(progress));
        }

        @Override
        public List<String> repair(BiConsumer<Long, Long> progress) {
            return readWhole("A repair", s -> s.care().repair(progress));
        }

        @Override
        public long compact() {
            return readWhole("Unused space", s -> s.care().compact());
        }
    }
}
