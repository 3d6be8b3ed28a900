package dev.parley.application.port;

import dev.parley.domain.usage.TokenUsage;

/**
 * Why a turn has no answer.
 *
 * @param kind what went wrong
 * @param message one line for the user
 * @param tokens tokens used all the same
 * @param apiCalls calls of the model; 0 where it was never called
 */
public record AgentFailure(Kind kind, String message, TokenUsage tokens, long apiCalls) {
    /** Counts that cannot be true are not believed, as with {@link AgentAnswer}. */
    public AgentFailure {
        tokens = tokens.upTo(AgentAnswer.MOST_TOKENS);
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
        CONFIGURATION
    }
}
