package dev.parley.application.port;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.transcript.StoredMessage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * What an operator's surface (HTTP, command line) sees of a running gateway and may ask of it. Unscoped: whoever offers it
 * checks who asks. Safe for concurrent use; every method throws {@link StorageUnavailable} or {@link StorageCorrupt} rather
 * than answer that nothing is there.
 */
public interface GatewayInspection {
    /** Returns all lanes, by key, with what is running. */
    List<LaneState> lanes();

    /** Returns how many lanes there are. */
    default long countLanes() {
        return lanes().size();
    }

    /** Returns the reads of the lanes. */
    Lanes laneReads();

    /** Returns the lanes on which a turn runs, by key; reads nothing from the storage. */
    List<SessionKey> running();

    /**
     * Returns the lanes whose accepted messages wait for a place among the running ones, the next one first; reads nothing from the
     * storage.
     */
    List<SessionKey> awaitingPlace();

    /** Returns what there is to say about the storage, by name and in order: format version, sizes, counts, mode. */
    Map<String, String> storageStatus();

    /** Returns the zone of times that are shown. */
    default ZoneId zone() {
        return ZoneOffset.UTC;
    }

    /** Returns all effective settings in order, without secrets; empty where the gateway was not configured by a file. */
    default List<ShownSetting> settings() {
        return List.of();
    }

    /** Returns when sessions end by themselves; the default policy where that is not known yet. */
    default ResetPolicies resets() {
        return ResetPolicies.of(ResetPolicy.DEFAULT);
    }

    /** Returns what writes stored things in the forms of the command line; absent where the gateway is part of another program. */
    default Optional<Exports> exports() {
        return Optional.empty();
    }

    /** Writes what is stored in the forms that the command line writes and reads. Safe for concurrent use. */
    interface Exports {
        /** Returns a session as a JSON object on one line, without its messages (storage 6). */
        String session(Session session);

        /** Returns a message as a JSON object on one line (storage 6). */
        String message(StoredMessage message);

        /**
         * Hands the lines of a scenario that replays to the decisions of a lane to {@code lines}, and returns what of the lane's past it
         * cannot hold and may decide otherwise, in sentences. Reads all that is queued and recorded, which may take seconds where there
         * is much.
         *
         * @param gateway where the lane is
         * @param lane the lane
         * @param texts whether texts and names of people are written as they are; else numbered ones take their place
         * @param lines takes each line, without its end
         */
        List<String> scenario(GatewayInspection gateway, SessionKey lane, boolean texts, Consumer<String> lines);
    }

    /** Returns one lane, or nothing. */
    Optional<LaneState> lane(SessionKey key);

    /** Returns the newest lines of a lane's history, newest first. */
    List<LaneEvent> history(SessionKey key, int limit);

    /** Returns the reads of the sessions. */
    Sessions sessions();

    /** Returns the reads of the transcripts. */
    Transcripts transcripts();

    /** Returns the search. */
    TranscriptSearch search();

    /** Returns the reads of the queue. */
    TurnQueue queue();

    /** Returns how the gateway is; reads nothing from the storage. */
    GatewayHealth health();

    /** Returns how each platform is, in the order they were given to the gateway; reads nothing from the storage and asks no server. */
    default List<PlatformState> platforms() {
        return List.of();
    }

    /**
     * Returns the gateways that share the store, this one among them, by the order in which they joined; empty where this gateway has the
     * store to itself.
     */
    default List<Node> nodes() {
        return List.of();
    }

    /**
     * Returns what completes once the gateway's own actor has got to a task posted now; at once where it has not begun or is over, or
     * waits for its storage. It touches no storage. A stage that stays open for seconds tells of a gateway that hangs.
     */
    default CompletionStage<Void> alive() {
        return CompletableFuture.completedStage(null);
    }

    /**
     * Does what the operator asks of a lane: begins it anew.
     *
     * @return false where there is no such lane
     */
    boolean resetLane(SessionKey key);

    /** Suspends a lane: its next message begins it anew. Returns false where there is no such lane. */
    boolean suspendLane(SessionKey key);

    /**
     * Does what an operator who looked at the lane asks of it. Nothing is done where the lane has moved since, or there is nothing to
     * be done, such as no reset to be taken back.
     *
     * @param order what to do
     * @param key the lane
     * @param epoch the lane's epoch when the operator looked
     * @return whether it was done
     */
    boolean order(LaneOrder order, SessionKey key, long epoch);

    /** Returns what an operator may do to single things; absent where the surface may only look. */
    default Optional<GatewayOperations> operations() {
        return Optional.empty();
    }

    /** What an operator may ask of a lane. */
    enum LaneOrder {
        /** Begin it anew. */
        RESET,
        /** Let its next message begin it anew. */
        SUSPEND,
        /** Take its suspension back, as {@code /resume} does: its session goes on with the next message. */
        UNSUSPEND,
        /** Take its latest reset back, as {@code /unreset} does; not while a turn runs. */
        UNRESET
    }

    /**
     * A setting as an operator may see it.
     *
     * @param path its full name
     * @param value its value; never a secret
     * @param origin where the value comes from: a file and line, an environment variable, or {@code default}
     */
    record ShownSetting(String path, String value, String origin) {}

    /**
     * Asks a lane's running turn to end, as Ctrl-C in a terminal does: it ends as interrupted, its session goes on, and what waits
     * runs next.
     *
     * @return false where none is running
     */
    boolean interruptLane(SessionKey key);

    /**
     * Deletes the ended sessions that were begun before a time, with all their messages, where there are exactly as many as an operator
     * has counted; else it deletes nothing. A session that a lane is in stays.
     *
     * @param before the time
     * @param counted how many the operator expects
     * @return how many there were, and how many were deleted
     */
    Pruned prune(Instant before, long counted);

    /**
     * What a prune did.
     *
     * @param found ended sessions that were begun before the time
     * @param deleted those that were deleted: fewer where a lane is in one, none where as many were not expected
     */
    record Pruned(long found, long deleted) {}

    /** Returns what operators did last through a surface, newest first; empty where no audit is kept. */
    default List<AuditLine> audit(int limit) {
        return List.of();
    }

    /**
     * What an operator did.
     *
     * @param at when
     * @param act who did what, and what became of it
     */
    record AuditLine(Instant at, GatewayEvent.OperatorActed act) {}

    /** Tells the gateway's listeners, its audit among them, what an operator did through a surface. */
    default void told(GatewayEvent.OperatorActed act) {}

    /**
     * A lane and what it is doing.
     *
     * @param lane the lane
     * @param running whether a turn is running
     * @param depth how many items wait
     */
    record LaneState(Lane lane, boolean running, int depth) {}
}
