package dev.parley.domain.session;

import dev.parley.domain.usage.Counter;
import dev.parley.domain.usage.TokenUsage;

/**
 * Tokens and cost of a lane's current session, kept with its entry.
 *
 * @param tokens tokens so far
 * @param totalTokens all tokens together, as the writer of the entry counted them
 * @param estimatedCostUsd estimated cost in US dollars
 * @param costStatus how far the cost is known
 * @param lastPromptTokens prompt tokens of the last call of the model
 */
public record EntryUsage(
        TokenUsage tokens, long totalTokens, double estimatedCostUsd, String costStatus, long lastPromptTokens) {
    /** Nothing used yet. */
    public static final EntryUsage NONE = new EntryUsage(TokenUsage.NONE, 0, 0.0, "unknown", 0);

    /** Returns this with tokens and cost added; sums that run over stop at the greatest number there is. */
    public EntryUsage plus(TokenUsage more, double costUsd) {
        return new EntryUsage(
                tokens.plus(more),
                Counter.sum(totalTokens, more.total()),
                Counter.sum(estimatedCostUsd, costUsd),
                costStatus,
                lastPromptTokens);
    }

    /** Returns this with another size of the last prompt; 0 is a value (O4.1). */
    public EntryUsage withLastPromptTokens(long value) {
        return new EntryUsage(tokens, totalTokens, estimatedCostUsd, costStatus, value);
    }
}
