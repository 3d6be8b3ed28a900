package dev.parley.application.port;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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

    /**
     * Returns the gateway's health: {@code status} is {@code ok}, {@code degraded}, {@code draining}, {@code starting}
     * or {@code refusing}: degraded, and the fallback takes no message either.
     */
    Map<String, String> health();

    /**
     * Returns what completes once the gateway's own desk has got to a task posted now; at once where it has not begun or is over. It
     * touches no storage. A stage that stays open for seconds tells of a gateway that hangs.
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
     * Asks a lane's running turn to end, as Ctrl-C in a terminal does: it ends as interrupted, its session goes on, and what waits
     * runs next.
     *
     * @return false where none is running
     */
    boolean interruptLane(SessionKey key);

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
