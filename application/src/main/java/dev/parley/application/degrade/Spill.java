package dev.parley.application.degrade;

import dev.parley.application.port.Ids;
import dev.parley.application.port.Journal;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageUnavailable;
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
import dev.parley.domain.source.Platform;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where batches go while the primary cannot be used: the fallback's journal, which counts, and an overlay that serves reads and
 * preconditions and is made anew from the journal whenever it may differ from it. What is known of the primary is stored here as
 * it is needed, in batches of a writer of its own, which are not merged back.
 *
 * <p>Safe for concurrent use; its monitor may be held to keep batches waiting.
 */
final class Spill implements AutoCloseable {
    /** The named value that tells which store the spill belongs to; empty for one that was never known. */
    private static final String OF = "parley_spill_of";

    private static final String SEED = "seed-";
    private static final String REPLAY = "replay";
    private static final String UNKNOWN_SOURCE = "unknown";
    private static final String NOTE =
            "[System note: What was said in this conversation before cannot be read for now, because the"
                    + " storage is not available. It is not lost and will be back. Tell the user so if it matters.]";
    private static final int CHUNK = 100;

    private final Fallback fallback;
    private final PrimaryMirror mirror;
    private final Ids ids;
    private final InstantSource clock;
    private final String seedWriter;
    private final Map<String, Long> journaled = new HashMap<>();
    private final Set<SessionId> partial = new HashSet<>();

    private volatile @Nullable Journal journal;
    private @Nullable Storage overlay;
    private boolean inUse;
    private boolean lanesUnknown;
    private long seeds;

    Spill(Fallback fallback, PrimaryMirror mirror, Ids ids, InstantSource clock) {
        this.fallback = fallback;
        this.mirror = mirror;
        this.ids = ids;
        this.clock = clock;
        this.seedWriter = SEED + ids.unique("w");
    }

    static boolean isSeed(Batch batch) {
        return batch.id().writer().startsWith(SEED);
    }

    synchronized void openJournal() {
        journal = fallback.openJournal();
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
     * Takes the spill into use, with what an earlier process left in it.
     *
     * @param known what is known of the primary from beside it
     * @param unread whether it could not be read since the start, so that the mirror knows nothing of it
     * @param storeId the primary's id; absent where it was never known
     */
    synchronized void begin(LastKnown known, boolean unread, Optional<String> storeId) {
        inUse = true;
        try {
            Storage fresh = overlay();
            if (unread) {
                mirror.learn(fresh);
                known.lanes().forEach(mirror::assume);
            }
            fresh.lanes().forEach(mirror::know);
            mirror.receivedBefore(known.received());
            lanesUnknown = unread && !known.hasEveryLane();
            if (fresh.meta().get(OF).isEmpty()) {
                for (SessionKey key : mirror.busyLanes()) {
                    seedLane(key);
                }
                List<Change> first = new ArrayList<>(mirror.underWay());
                first.add(new Change.PutMeta(OF, storeId.orElse("")));
                seed(first);
            }
        } catch (ParleyException e) {
            abandonOverlay();
            inUse = false;
            throw e;
        }
    }

    /** Returns the store whose batches these are; absent where that was never known. */
    synchronized Optional<String> storeId() {
        return overlay().meta().get(OF).filter(id -> !id.isEmpty());
    }

    /** Puts everything up to a place aside; the spill is not used any more. */
    synchronized void end(long upTo) {
        journal().putAside(upTo);
        inUse = false;
        abandonOverlay();
        partial.clear();
        journaled.clear();
    }

    /** Returns whether something was said in a session before that cannot be read for now. */
    synchronized boolean isPartial(SessionId session) {
        return partial.contains(session);
    }

    // ------------------------------------------------------------------ committing

    /**
     * Commits a batch: durable on return.
     *
     * @throws StorageUnavailable where the journal cannot take it; then it is nowhere
     */
    synchronized CommitResult commit(Batch batch) {
        Storage reads = overlay();
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
            if (lanesUnknown && stored instanceof Change.CreateSession create) {
                seedUnknown(create.session());
            }
        }
        CommitResult result = commitToBoth(reads, batch);
        if (result.isCommitted()) {
            mirror.committed(batch.changes());
        }
        return result;
    }

    private CommitResult commitToBoth(Storage reads, Batch batch) {
        try {
            CommitResult result = reads.ledger().commit(batch);
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
        seeds++;
        commitToBoth(overlay(), new Batch(new BatchId(seedWriter, seeds), List.of(), changes));
        changes.forEach(this::notePartial);
    }

    private void notePartial(Change seeded) {
        if (seeded instanceof Change.ImportMessages imported) {
            List<StoredMessage> said = imported.messages();
            if (said.size() == 1 && said.get(0).message().content().plainText().equals(NOTE)) {
                partial.add(said.get(0).session());
            }
        }
    }

    /** Makes a lane of the primary known, with its conversation or a note that it cannot be read. */
    synchronized void seedLane(SessionKey key) {
        Optional<Lane> lane = mirror.lane(key);
        if (lane.isEmpty() || overlay().lanes().find(key).isPresent()) {
            return;
        }
        List<Change> changes = new ArrayList<>();
        SessionId id = lane.get().entry().sessionId();
        if (overlay().sessions().find(id).isEmpty()) {
            changes.addAll(conversation(id, mirror.tail(id), () -> sessionOf(lane.get())));
        }
        changes.add(new Change.PutLane(lane.get()));
        seed(changes);
    }

    /**
     * Returns a session that is in use; absent for one that is behind a lane and not stored.
     *
     * @throws StorageUnavailable for one that only the primary may know
     */
    synchronized Optional<Session> session(SessionId id) {
        Optional<Session> here = overlay().sessions().find(id);
        if (here.isPresent()) {
            return here;
        }
        Optional<Lane> lane = mirror.laneOf(id);
        if (lane.isEmpty()) {
            throw new StorageUnavailable(
                    "The session " + id + " cannot be read while storage is degraded; try again once it is back.",
                    null);
        }
        seedLane(lane.get().key());
        return overlay().sessions().find(id);
    }

    /** Makes a session of the primary known, with its lane where it is a lane's current one. */
    private void seedSession(SessionId id, Batch batch) {
        boolean made = batch.changes().stream()
                .anyMatch(c -> c instanceof Change.CreateSession create
                        && create.session().id().equals(id));
        if (made || overlay().sessions().find(id).isPresent()) {
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

    /** A session that begins on a lane nobody remembers may not be its first: what was said before is not taken for nothing. */
    private void seedUnknown(Session session) {
        boolean first = session.peer()
                .map(SessionPeer::key)
                .filter(key -> overlay().lanes().find(key).isEmpty())
                .isPresent();
        if (first && overlay().sessions().find(session.id()).isEmpty()) {
            seed(List.of(
                    new Change.CreateSession(session.toBuilder()
                            .counts(0, 0)
                            .title(null)
                            .parent(null)
                            .build()),
                    new Change.ImportMessages(List.of(note(session.id())))));
        }
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
                        new MessageId(ids.unique("note")), Role.USER, Content.text(NOTE), clock.instant())
                .kind(Message.Kind.SUMMARY)
                .build();
        return new StoredMessage(0, session, message, StoredMessage.State.ACTIVE);
    }

    @Override
    public synchronized void close() {
        inUse = false;
        abandonOverlay();
        Journal j = journal;
        journal = null;
        if (j != null) {
            j.close();
        }
    }
}
