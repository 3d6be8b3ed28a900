package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The few facts about the gateway's own life that must survive even where the database does not. Writes are atomic and durable
 * on return. Used by one gateway at a time.
 */
public interface GatewayMarkers {
    /**
     * Returns whether the gateway before this one stopped cleanly, and forgets it (P7.2). Presence alone counts; a failure to
     * forget is not an error.
     */
    boolean takeCleanShutdown();

    /** Notes that the gateway stopped cleanly (P7.44). */
    void noteCleanShutdown();

    /** Returns how many consecutive restarts cut off each lane; empty where nothing is noted or it cannot be read (P7.12). */
    Map<SessionKey, Integer> restartCounts();

    /** Replaces the restart counts; an empty map removes them (P7.10, P7.12, P7.13). */
    void putRestartCounts(Map<SessionKey, Integer> counts);

    /** Returns the noted starts that had lanes to resume, oldest first; empty where it cannot be read (P7.25). */
    List<Instant> resumeBoots();

    /**
     * Returns whether an operator holds new turns back (P7.49): true also where the note cannot be read, false where it was made
     * before the machine last started. Never, where operators have no way to.
     */
    default boolean isHeld() {
        return false;
    }

    /**
     * Notes that an operator holds new turns back, until it is taken away, or takes the note away.
     *
     * @return whether that can be noted
     */
    default boolean hold(boolean held) {
        return false;
    }

    /** Replaces the noted starts. */
    void putResumeBoots(List<Instant> boots);

    /** Remembers nothing: every start follows an unclean end, and no loop of restarts is seen. */
    GatewayMarkers NONE = new GatewayMarkers() {
        @Override
        public boolean takeCleanShutdown() {
            return false;
        }

        @Override
        public void noteCleanShutdown() {
            // Nothing is remembered.
        }

        @Override
        public Map<SessionKey, Integer> restartCounts() {
            return Map.of();
        }

        @Override
        public void putRestartCounts(Map<SessionKey, Integer> counts) {
            // As above.
        }

        @Override
        public List<Instant> resumeBoots() {
            return List.of();
        }

        @Override
        public void putResumeBoots(List<Instant> boots) {
            // As above.
        }
    };
}
