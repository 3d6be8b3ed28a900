package dev.parley.application.port;

import dev.parley.domain.usage.TokenUsage;
import java.util.Optional;

/**
 * Why a turn has no answer.
 *
 * @param kind what went wrong
 * @param message one line for the user, which quotes nothing that a server or a library has said
 * @param tokens tokens used all the same
 * @param apiCalls calls of the model; 0 where it was never called
 * @param cause what the operator is told of it; absent where the agent has told them itself
 */
public record AgentFailure(Kind kind, String message, TokenUsage tokens, long apiCalls, Optional<Throwable> cause) {
    /** Counts that cannot be true are not believed, as with {@link AgentAnswer}. */
    public AgentFailure {
        tokens = tokens.upTo(AgentAnswer.MOST_TOKENS);
    }

    /** A failure of which the operator is told nothing more. */
    public AgentFailure(Kind kind, String message, TokenUsage tokens, long apiCalls) {
        this(kind, message, tokens, apiCalls, Optional.empty());
    }

    /**
     * Returns the failure of an agent that threw: its user is told in general words what went wrong, and the operator what was thrown. An
     * {@link InvalidRequest} is worded for the user by whoever threw it.
     */
    public static AgentFailure thrown(Kind kind, Throwable cause, TokenUsage tokens, long apiCalls) {
        String message = cause instanceof InvalidRequest ? String.valueOf(cause.getMessage()) : kind.inWords();
        return new AgentFailure(kind, message, tokens, apiCalls, Optional.of(cause));
    }

    /** What went wrong. */
    public enum Kind {
        /** The model or its server failed. */
        MODEL,
        /** The conversation is too large for the model (O4.25). */
        CONTEXT_TOO_LARGE,
        /** The agent compressed and it was still too large (O4.26). */
        COMPRESSION_EXHAUSTED,
        /** The agent cannot work as it is configured. */
        CONFIGURATION;

        /** Returns one line for the user. */
        public String inWords() {
            return switch (this) {
                case CONTEXT_TOO_LARGE, COMPRESSION_EXHAUSTED -> "The conversation is too large for the model.";
                case CONFIGURATION ->
                    "The model cannot be used as it is set up; the operator of this gateway finds the reason in its log.";
                case MODEL -> "The model gave no answer. Please try again in a while.";
            };
        }
    }
}
