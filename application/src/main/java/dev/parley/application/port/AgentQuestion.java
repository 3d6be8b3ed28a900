package dev.parley.application.port;

/**
 * Something an agent asks its user while a turn runs.
 *
 * @param kind what kind of answer it waits for
 * @param text the question, as the user reads it
 */
public record AgentQuestion(Kind kind, String text) {
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
}
