package dev.parley.application.port;

import java.util.List;
import java.util.Optional;

/**
 * Something an agent asks its user while a turn runs.
 *
 * @param kind what kind of answer it waits for
 * @param text the question, as the user reads it
 * @param choices answers to choose from, as the user reads them; empty where any text will do, and for approvals, whose choices are
 *     known
 */
public record AgentQuestion(Kind kind, String text, List<String> choices) {
    public AgentQuestion {
        choices = List.copyOf(choices);
    }

    /** A question without answers to choose from. */
    public AgentQuestion(Kind kind, String text) {
        this(kind, text, List.of());
    }

    /** What kind of answer a question waits for. */
    public enum Kind {
        /** Whether the agent may do something dangerous: an {@link Approval}. */
        APPROVAL,
        /** What the user means: any text. */
        CLARIFICATION
    }

    /** What a user decides about something dangerous. */
    public enum Approval {
        /** This once. */
        ONCE,
        /** For as long as the session lasts. */
        SESSION,
        /** From now on. */
        ALWAYS,
        /** No. */
        DENY
    }

    /**
     * A user's decision.
     *
     * @param approval what is decided
     * @param reason what the user said about it, for the agent; absent where they said nothing
     * @param all whether it is for everything that the run waits for, not only for what it asked first
     */
    public record Decision(Approval approval, Optional<String> reason, boolean all) {
        /** Returns a decision about what was asked, without a reason. */
        public static Decision of(Approval approval) {
            return new Decision(approval, Optional.empty(), false);
        }
    }
}
