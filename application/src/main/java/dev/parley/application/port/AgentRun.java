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

    /** Decides what the run has asked approval of; returns false where it waits for none. */
    default boolean approve(AgentQuestion.Approval decision) {
        return false;
    }

    /**
     * Forbids what the run has asked approval of and says why, so that it can try something else; returns false where it waits for
     * none. A run that has no use for a reason is just told {@link AgentQuestion.Approval#DENY}.
     */
    default boolean deny(String reason) {
        return approve(AgentQuestion.Approval.DENY);
    }

    /** Answers what the run has asked; returns false where it waits for no answer, then the caller keeps it. */
    default boolean clarify(String answer) {
        return false;
    }

    /** Returns what an interrupt would ruin now; absent where the run may be interrupted at any time. */
    default Optional<Engagement> engagement() {
        return Optional.empty();
    }

    /** What a run is engaged in that a new message had better wait for. */
    enum Engagement {
        /** It directs other agents. */
        DELEGATING,
        /** It compresses the conversation. */
        COMPRESSING
    }

    /** Returns what the run is doing, for display; absent where there is nothing to say. What takes longer than twenty seconds is not waited for. */
    Optional<String> activity();
}
