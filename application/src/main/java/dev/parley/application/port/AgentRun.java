package dev.parley.application.port;

import java.time.Instant;
import java.util.Optional;

/** A turn that an agent is running. Safe for concurrent use. */
public interface AgentRun {
    /** Asks the run to end soon; it then reports that it was interrupted, once. Does nothing where it has ended. */
    void interrupt(String reason);

    /** Hands more input to the running turn; returns false where it cannot take any, then the caller keeps it. */
    boolean steer(String text);

    /** Returns when the run last did something. */
    Instant lastActivity();

    /** Returns what the run is doing, for display; absent where there is nothing to say. */
    Optional<String> activity();
}
