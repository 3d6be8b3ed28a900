package dev.parley.domain.usage;

/**
 * Tokens by kind; never negative.
 *
 * @param input prompt tokens
 * @param output completion tokens
 * @param cacheRead prompt tokens read from the provider's cache
 * @param cacheWrite prompt tokens written to the provider's cache
 * @param reasoning tokens spent on reasoning
 */
public record TokenUsage(long input, long output, long cacheRead, long cacheWrite, long reasoning) {
    /** No tokens. */
    public static final TokenUsage NONE = new TokenUsage(0, 0, 0, 0, 0);

    public TokenUsage {
        if (input < 0 || output < 0 || cacheRead < 0 || cacheWrite < 0 || reasoning < 0) {
            throw new IllegalArgumentException("Token counts cannot be negative: input " + input + ", output " + output
                    + ", cache read " + cacheRead + ", cache write " + cacheWrite + ", reasoning " + reasoning + ".");
        }
    }

    /** Returns all tokens together. */
    public long total() {
        return input + output + cacheRead + cacheWrite + reasoning;
    }

    /** Returns the sum, kind by kind. */
    public TokenUsage plus(TokenUsage other) {
        return new TokenUsage(
                input + other.input,
                output + other.output,
                cacheRead + other.cacheRead,
                cacheWrite + other.cacheWrite,
                reasoning + other.reasoning);
    }
}
