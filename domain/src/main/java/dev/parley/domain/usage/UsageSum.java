package dev.parley.domain.usage;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was used in some slots together.
 *
 * @param turns turns that ended
 * @param tokens tokens
 * @param apiCalls calls of the model
 * @param costUsd estimated cost in US dollars; what costs an unknown amount adds nothing
 */
public record UsageSum(long turns, TokenUsage tokens, long apiCalls, double costUsd) {
    /** Nothing used. */
    public static final UsageSum NONE = new UsageSum(0, TokenUsage.NONE, 0, 0.0);

    /** What usage is added up by. */
    public enum By {
        /** The day of a zone, as {@code 2026-03-10}. */
        DAY,
        /** The model; empty where none is known. */
        MODEL,
        /** The source of the session, which is a platform's name for a chat. */
        PLATFORM;

        /** Returns the word used in output. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        /** Returns the name of the sum a slot belongs to; the zone says what a day is. */
        public String of(UsageSlot slot, ZoneId zone) {
            return switch (this) {
                case DAY -> LocalDate.ofInstant(slot.key().start(), zone).toString();
                case MODEL -> slot.key().model();
                case PLATFORM -> slot.key().source();
            };
        }
    }

    /** Returns the sum of all slots. */
    public static UsageSum of(List<UsageSlot> slots) {
        UsageSum sum = NONE;
        for (UsageSlot slot : slots) {
            sum = sum.plus(slot);
        }
        return sum;
    }

    /** Returns the sums of the slots by name, in the order of the names. */
    public static SortedMap<String, UsageSum> of(List<UsageSlot> slots, By by, ZoneId zone) {
        SortedMap<String, UsageSum> sums = new TreeMap<>();
        for (UsageSlot slot : slots) {
            sums.merge(by.of(slot, zone), NONE.plus(slot), UsageSum::plus);
        }
        return sums;
    }

    /** Returns this and a slot. */
    public UsageSum plus(UsageSlot slot) {
        return plus(new UsageSum(slot.turns(), slot.tokens(), slot.apiCalls(), slot.costUsd()));
    }

    /** Returns this and another sum. */
    public UsageSum plus(UsageSum more) {
        return new UsageSum(
                Counter.sum(turns, more.turns),
                tokens.plus(more.tokens),
                Counter.sum(apiCalls, more.apiCalls),
                Counter.sum(costUsd, more.costUsd));
    }
}
