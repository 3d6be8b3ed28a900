package dev.parley.domain.usage;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * What was used in a quarter of an hour by the sessions of one source with one model. Quarters of UTC begin and end with the
 * days and hours of every zone in use, so sums over any zone's days are exact.
 *
 * @param key the quarter, the source and the model
 * @param turns turns that ended
 * @param tokens tokens
 * @param apiCalls calls of the model
 * @param costUsd estimated cost in US dollars
 */
public record UsageSlot(Key key, long turns, TokenUsage tokens, long apiCalls, double costUsd) {
    private static final long SECONDS = 15 * 60L;

    /**
     * Names a slot; in order of start, source and model.
     *
     * @param start the beginning of the quarter
     * @param source the source of the sessions: a platform's name, {@code cli}, or any other text
     * @param model the model; empty where none is known
     */
    public record Key(Instant start, String source, String model) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::start).thenComparing(Key::source).thenComparing(Key::model);

        /** Returns the key of the quarter in which an instant lies. */
        public static Key at(Instant instant, String source, Optional<String> model) {
            long second = instant.getEpochSecond();
            return new Key(Instant.ofEpochSecond(second - Math.floorMod(second, SECONDS)), source, model.orElse(""));
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** Returns a slot in which nothing was used. */
    public static UsageSlot empty(Key key) {
        return new UsageSlot(key, 0, TokenUsage.NONE, 0, 0.0);
    }

    /** Returns the slot with the numbers of an update added; what says how much it is in all adds nothing. */
    public UsageSlot plus(UsageUpdate update) {
        return update.absolute()
                ? this
                : new UsageSlot(
                        key,
                        turns,
                        tokens.plus(update.tokens()),
                        Counter.sum(apiCalls, update.apiCalls()),
                        Counter.sum(costUsd, update.billing().estimatedCostUsd().orElse(0.0)));
    }

    /** Returns the slot with the numbers of another one added. */
    public UsageSlot plus(UsageSlot more) {
        return new UsageSlot(
                key,
                Counter.sum(turns, more.turns),
                tokens.plus(more.tokens),
                Counter.sum(apiCalls, more.apiCalls),
                Counter.sum(costUsd, more.costUsd));
    }

    /** Returns the slot with one more turn. */
    public UsageSlot plusTurn() {
        return new UsageSlot(key, Counter.sum(turns, 1), tokens, apiCalls, costUsd);
    }
}
