package dev.parley.domain.turn;

import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.Optional;

/**
 * What one turn used.
 *
 * @param model the model that was used; absent where none was called
 * @param provider who is paid for it
 * @param tokens tokens
 * @param apiCalls calls of the model
 * @param toolCalls calls of tools
 * @param costUsd estimated cost in US dollars; absent where it is not known
 * @param firstWordAt when the first piece of the answer came; absent where none came
 */
public record TurnUsage(
        Optional<String> model,
        Optional<String> provider,
        TokenUsage tokens,
        long apiCalls,
        long toolCalls,
        Optional<Double> costUsd,
        Optional<Instant> firstWordAt) {
    /** Nothing used. */
    public static final TurnUsage NONE = new TurnUsage(
            Optional.empty(), Optional.empty(), TokenUsage.NONE, 0, 0, Optional.empty(), Optional.empty());

    /** Returns tokens and calls of a model. */
    public static TurnUsage of(String model, TokenUsage tokens, long apiCalls) {
        return new TurnUsage(
                Optional.of(model), Optional.empty(), tokens, apiCalls, 0, Optional.empty(), Optional.empty());
    }

    /** Returns this with what it cost, and who is paid. */
    public TurnUsage costing(Optional<Double> usd, Optional<String> paid) {
        return new TurnUsage(model, paid, tokens, apiCalls, toolCalls, usd, firstWordAt);
    }

    /** Returns this with the number of tool calls. */
    public TurnUsage withToolCalls(long calls) {
        return new TurnUsage(model, provider, tokens, apiCalls, calls, costUsd, firstWordAt);
    }

    /** Returns this with the time of its first word; the first one given stays. */
    public TurnUsage answeringAt(Instant at) {
        return new TurnUsage(
                model, provider, tokens, apiCalls, toolCalls, costUsd, firstWordAt.or(() -> Optional.of(at)));
    }
}
