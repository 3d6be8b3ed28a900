package dev.parley.application.degrade;

import dev.parley.application.actor.BatchWriter;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Journal;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Transcripts;
import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.transcript.StoredMessage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where batches go while the primary cannot be used: the fallback's journal, which counts, and an overlay that serves reads and
 * preconditions and is made anew from the journal whenever it may differ from it. A batch that needs what is known of the primary
 * has it seeded first, in batches of a separate writer, which are not merged back. Reads seed nothing: they find there
 * what was committed meanwhile, and otherwise what is known.
 *
 * <p>Safe for concurrent use; its monitor may be held to keep batches waiting.
 */
final class Spill implements AutoCloseable {
    /** The named value that tells which store the spill belongs to; empty for one that was never known. */
    private static final String OF = "parley_spill_of";

    /** Begins the names of the writers whose batches seed the spill: what is known of the primary. */
    private static final String SEED = "seed-";

    private static final String REPLAY = "replay";
    private static final int CHUNK = 100;

    private final Fallback fallback;
    private final Knowledge knowledge;
    private final KnownConversations conversations;
    private final InstantSource clock;
    private final BatchWriter seedWriter;
    private final Map<String, Long> journaled = new HashMap<>();
    private final Set<SessionId> partial = new HashSet<>();

    private volatile @Nullable Journal journal;
    private @Nullable Storage overlay;
    private boolean inUse;
    private boolean closed;
    /** Whether what an earlier process left is known. */
    private boolean takenOver;
    /** Whether the journal has what is under way, and which store it belongs to. */
    private boolean begun;

    private Supplier<EarlierKnowledge> earlier = () -> EarlierKnowledge.NONE;
    private boolean unread;
    private boolean everyLane;
    private Optional<String> primaryId = Optional.empty();
    private boolean lanesUnknown;

    Spill(Fallback fallback, Knowledge knowledge, Ids ids, InstantSource clock) {
        this.fallback = fallback;
        this.knowledge = knowledge;
        this.conversations = new KnownConversations(knowledge);
        this.clock = clock;
        this.seedWriter = new BatchWriter(SEED + ids.unique("w"));
    }

    static boolean isSeed(Batch batch) {
        return batch.id().writer().startsWith(SEED);
    }

    /** Opens the journal where it is not open. */
    synchronized void openJournal() {
        if (journal == null && !closed) {
            journal = fallback.openJournal();
        }
    }

    private Journal journal() {
        Journal j = journal;
        if (j == null) {
            throw new StorageUnavailable("The fallback's journal is not open.", null);
        }
        return j;
    }

    /** Returns how many batches wait; empty where the journal cannot tell now. Waits for nobody. */
    OptionalLong waiting() {
        Journal j = journal;
        try {
            return j == null ? OptionalLong.empty() : OptionalLong.of(j.size());
        } catch (ParleyException e) {
            return OptionalLong.empty();
        }
    }

    synchronized long size() {
        return journal().size();
    }

    synchronized List<Journal.Entry> read(long after) {
        return journal().read(after, CHUNK);
    }

    /** Returns the overlay, made anew where it may differ from the journal. */
    synchronized Storage overlay() {
        if (!inUse) {
            throw new StorageUnavailable("The fallback storage is not open.", null);
        }
        Storage o = overlay;
        if (o == null) {
            o = rebuilt();
            overlay = o;
        }
        return o;
    }

    private Storage rebuilt() {
        Storage fresh = fallback.openOverlay();
        try {
            journaled.clear();
            partial.clear();
            replayInto(fresh);
            return fresh;
        } catch (ParleyException e) {
            fresh.close();
            throw e;
        }
    }

    /** A chunk of the journal becomes one batch: each of them had been accepted by an overlay before. */
    private void replayInto(Storage fresh) {
        long after = 0;
        for (List<Journal.Entry> chunk = read(after); !chunk.isEmpty(); chunk = read(after)) {
            List<Change> changes = new ArrayList<>();
            for (Journal.Entry entry : chunk) {
                Batch batch = entry.batch();
                changes.addAll(batch.changes());
                journaled.merge(batch.id().writer(), batch.id().sequence(), Math::max);
                after = entry.place();
                if (isSeed(batch)) {
                    batch.changes().forEach(this::notePartial);
                }
            }
            fresh.ledger().commit(new Batch(new BatchId(REPLAY, after), List.of(), changes));
        }
    }

    /** What is only in the overlay, or may be, is not kept: it is taken from the journal again when it is needed next. */
    private void abandonOverlay() {
        Storage o = overlay;
        overlay = null;
        if (o != null) {
            o.close();
        }
    }

    // ------------------------------------------------------------------ beginning and ending

    /**
     * Takes the spill into use. Nothing is opened, read or written before it is needed.
     *
     * @param known gathers what earlier processes knew of the primary
     * @param isUnread whether it could not be read since the start, so that nothing else is known of it
     * @param allLanes whether every lane of it is known
     * @param storeId the primary's id; absent where it was never known
     */
    synchronized void begin(
            Supplier<EarlierKnowledge> known, boolean isUnread, boolean allLanes, Optional<String> storeId) {
        inUse = true;
        takenOver = false;
        begun = false;
        earlier = known;
        unread = isUnread;
        everyLane = allLanes;
        primaryId = storeId;
    }

    /** Learns what an earlier process left in the journal, and what else is known of the primary. */
    synchronized void takeOver() {
        if (!inUse) {
            throw new StorageUnavailable("The fallback storage is not in use.", null);
        }
        openJournal();
        if (takenOver) {
            return;
        }
        EarlierKnowledge known = earlier.get();
        if (journal().size() > 0) {
            Storage left = overlay();
            if (unread) {
                knowledge.learn(left);
            }
            known.lanes().forEach(knowledge.lanes()::assume);
            left.lanes().forEach(knowledge::know);
            begun = left.meta().get(OF).isPresent();
        } else {
            known.lanes().forEach(knowledge.lanes()::assume);
        }
        knowledge.receivedBefore(known.received());
        lanesUnknown = !everyLane && !known.hasEveryLane();
        primaryId = primaryId.or(known::storeId);
        takenOver = true;
    }

    /** Returns the store whose batches these are; absent where that was never known. */
    synchronized Optional<String> storeId() {
        takeOver();
        return begun ? overlay().meta().get(OF).filter(id -> !id.isEmpty()) : primaryId;
    }

    /** Makes the journal tell which store it belongs to and what is under way there. */
    private void beginJournal() {
        for (SessionKey key : knowledge.busyLanes()) {
            seedLane(key);
        }
        List<Change> first = new ArrayList<>(knowledge.underWay());
        first.add(new Change.PutMeta(OF, primaryId.orElse("")));
        seed(first);
        begun = true;
    }

    /** Puts everything up to a place aside; the spill is not used any more. */
    synchronized void end(long upTo) {
        journal().putAside(upTo);
        inUse = false;
        abandonOverlay();
        partial.clear();
        journaled.clear();
    }

    // ------------------------------------------------------------------ reading

    /** Returns the store of what was committed meanwhile; absent where nothing was. */
    synchronized Optional<Storage> stored() {
        takeOver();
        return journal().size() > 0 ? Optional.of(overlay()) : Optional.empty();
    }

    /** Returns whether a session was stored, or seeded, meanwhile. */
    synchronized boolean has(SessionId id) {
        return stored().flatMap(s -> s.sessions().find(id)).isPresent();
    }

    /**
     * Returns a session that is in use.
     *
     * @throws StorageUnavailable for one that only the primary may know
     */
    synchronized Session session(SessionId id) {
        return stored().flatMap(s -> s.sessions().find(id))
                .orElseGet(() -> inUse(id).session());
    }

    /**
     * Reads the conversation of a session that is in use: from what was committed meanwhile where the session was, else from what
     * is known of it.
     *
     * @throws StorageUnavailable for one that only the primary may know
     */
    synchronized <T> T read(SessionId id, Function<Transcripts, T> stored, Function<List<StoredMessage>, T> known) {
        Optional<Storage> there = stored().filter(s -> s.sessions().find(id).isPresent());
        return there.isPresent()
                ? stored.apply(there.get().transcripts())
                : known.apply(inUse(id).messages());
    }

    /** Returns what is known of the conversation of a session that is a lane's current one; empty for any other. */
    synchronized List<StoredMessage> known(SessionId id) {
        return knowledge.lanes().ofSession(id).isPresent() ? inUse(id).messages() : List.of();
    }

    /** Returns whether everything that was said in a session can be read now. */
    synchronized boolean isWhole(SessionId id) {
        if (has(id)) {
            return !partial.contains(id);
        }
        return knowledge.lanes().ofSession(id).isEmpty() || inUse(id).whole();
    }

    private KnownConversation inUse(SessionId id) {
        Lane lane = knowledge
                .lanes()
                .ofSession(id)
                .orElseThrow(() -> new StorageUnavailable(
                        "The session " + id + " cannot be read while storage is degraded; try again once it is back.",
                        null));
        return conversations.ofLane(lane);
    }

    // ------------------------------------------------------------------ committing

    /**
     * Commits a batch: durable on return.
     *
     * @throws StorageUnavailable where the journal cannot take it; then it is nowhere
     */
    synchronized CommitResult commit(Batch batch) {
        takeOver();
        Storage reads = overlay();
        if (journaled.getOrDefault(batch.id().writer(), 0L) >= batch.id().sequence()) {
            return new CommitResult.Committed();
        }
        if (!begun) {
            beginJournal();
        }
        for (Precondition condition : batch.preconditions()) {
            if (condition instanceof Precondition.NotReceived received
                    && knowledge.received(received.message()).isPresent()) {
                return new CommitResult.Conflict(condition);
            }
            if (condition instanceof Precondition.LaneEpoch epoch) {
                seedLane(epoch.lane());
            }
        }
        Set<SessionId> noted = new HashSet<>();
        for (Change stored : batch.changes()) {
            sessionOf(stored).ifPresent(id -> seedSession(id, batch));
            if (lanesUnknown && stored instanceof Change.CreateSession create && seedUnknown(create.session())) {
                noted.add(create.session().id());
            }
        }
        CommitResult result = commitToBoth(reads, batch, noted);
        if (result.isCommitted()) {
            knowledge.committed(batch.changes());
        }
        return result;
    }

    /** A session that was made for its note alone counts as absent. */
    private CommitResult commitToBoth(Storage reads, Batch batch, Set<SessionId> noted) {
        try {
            List<Precondition> conditions = batch.preconditions().stream()
                    .filter(each ->
                            !(each instanceof Precondition.SessionAbsent absent && noted.contains(absent.session())))
                    .toList();
            CommitResult result = reads.ledger().commit(new Batch(batch.id(), conditions, batch.changes()));
            if (result.isCommitted()) {
                journal().append(batch);
                journaled.put(batch.id().writer(), batch.id().sequence());
            }
            return result;
        } catch (StorageUnavailable e) {
            abandonOverlay();
            throw e;
        }
    }

    // ------------------------------------------------------------------ what is known of the primary

    /** Stores what is known of the primary, so that a restart while degraded knows it too. */
    private void seed(List<Change> changes) {
        commitToBoth(overlay(), seedWriter.next(List.of(), changes), Set.of());
        changes.forEach(this::notePartial);
    }

    private void notePartial(Change imported) {
        if (imported instanceof Change.ImportMessages messages) {
            messages.messages().stream().filter(KnownConversation::isNote).forEach(m -> partial.add(m.session()));
        }
    }

    /** Makes a lane of the primary known, with its conversation or a note that it cannot be read. */
    private void seedLane(SessionKey key) {
        Optional<Lane> lane = knowledge.lanes().find(key);
        if (lane.isEmpty() || overlay().lanes().find(key).isPresent()) {
            return;
        }
        List<Change> changes = new ArrayList<>();
        SessionId id = lane.get().entry().sessionId();
        if (overlay().sessions().find(id).isEmpty()) {
            changes.addAll(conversations.ofLane(lane.get()).changes());
        }
        changes.add(new Change.PutLane(lane.get()));
        seed(changes);
    }

    /** Makes a session of the primary known, with its lane where it is a lane's current one. */
    private void seedSession(SessionId id, Batch batch) {
        boolean made = batch.changes().stream()
                .anyMatch(c -> c instanceof Change.CreateSession create
                        && create.session().id().equals(id));
        if (made || overlay().sessions().find(id).isPresent()) {
            return;
        }
        Optional<Lane> lane = knowledge.lanes().ofSession(id);
        if (lane.isPresent()) {
            seedLane(lane.get().key());
        } else {
            seed(conversations.ofSession(id, clock.instant()).changes());
        }
    }

    /**
     * A session that begins on a lane nobody remembers may not be its first: what was said before is not taken for nothing. Returns whether
     * the session is such a one, and is there now with a note.
     */
    private boolean seedUnknown(Session session) {
        boolean first = session.peer()
                .map(SessionPeer::key)
                .filter(key -> overlay().lanes().find(key).isEmpty())
                .isPresent();
        boolean unknown = first && overlay().sessions().find(session.id()).isEmpty();
        if (unknown) {
            seed(KnownConversation.unread(session).changes());
        }
        return unknown;
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

    @Override
    public synchronized void close() {
        closed = true;
        inUse = false;
        abandonOverlay();
        Journal j = journal;
        journal = null;
        if (j != null) {
            j.close();
        }
    }
}
