package dev.parley.domain.usage;

/**
 * Tokens by kind; never negative. Sums stop at {@link Long#MAX_VALUE}: what a broken model server reports never fails a store.
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
        return Counter.sum(Counter.sum(Counter.sum(input, output), Counter.sum(cacheRead, cacheWrite)), reasoning);
    }

    /** Returns the sum, kind by kind. */
    public TokenUsage plus(TokenUsage other) {
        return new TokenUsage(
                Counter.sum(input, other.input),
                Counter.sum(output, other.output),
                Counter.sum(cacheRead, other.cacheRead),
                Counter.sum(cacheWrite, other.cacheWrite),
                Counter.sum(reasoning, other.reasoning));
    }

    /** Returns this with 0 for every kind of which there are more than {@code most}. */
    public TokenUsage upTo(long most) {
        boolean all = Math.max(Math.max(input, output), Math.max(Math.max(cacheRead, cacheWrite), reasoning)) <= most;
        return all
                ? this
                : new TokenUsage(
                        believed(input, most),
                        believed(output, most),
                        believed(cacheRead, most),
                        believed(cacheWrite, most),
                        believed(reasoning, most));
    }

    private static long believed(long count, long most) {
        return count <= most ? count : 0;
    }
}
