package dev.parley.application.turn;

import dev.parley.application.settings.Turns;
import dev.parley.domain.text.Spans;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a turn's people were told of it, and what is due next: a word from time to time that it still runs, a warning once it does
 * nothing, and its end once it has done nothing for too long (C18). Pure.
 *
 * @param settings when
 * @param startedAt when the turn was claimed
 * @param told when its people were last told something
 * @param warnedOf the last activity that they were warned of
 */
public record TurnWatch(Turns settings, Instant startedAt, Instant told, Optional<Instant> warnedOf) {
    /** Returns the watch of a turn whose agent begins now. */
    public static TurnWatch begun(Turns settings, Instant startedAt, Instant now) {
        return new TurnWatch(settings, startedAt, now, Optional.empty());
    }

    /** Returns this as it is now: what lies in the future, by a clock that was set back, counts as now. */
    public TurnWatch at(Instant now) {
        return new TurnWatch(settings, earlier(startedAt, now), earlier(told, now), warnedOf);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** What a look finds. */
    public sealed interface Finding {
        /** Nothing is due. */
        record Nothing() implements Finding {}

        /**
         * Its people are to be told something, and were once they are.
         *
         * @param text what; empty where they know already
         * @param after the watch afterwards
         */
        record Told(String text, TurnWatch after) implements Finding {}

        /** It has done nothing for too long. */
        record TimedOut() implements Finding {}
    }

    /**
     * Returns what is due now.
     *
     * @param asks whether the agent waits for the answer to a question: then nobody is warned of an agent that does nothing
     */
    public Finding look(Instant now, Instant lastActivity, Optional<String> doing, boolean asks) {
        if (isDue(limit(lastActivity), now)) {
            return new Finding.TimedOut();
        }
        if (isDue(warning(lastActivity), now)) {
            String text = asks
                    ? ""
                    : "The agent has done nothing for " + Spans.inWords(Duration.between(lastActivity, now))
                            + ". The task is stopped after " + Spans.inWords(settings.timeout())
                            + " without a sign of it; /stop ends it now.";
            return new Finding.Told(text, new TurnWatch(settings, startedAt, now, Optional.of(lastActivity)));
        }
        if (isDue(progress(), now)) {
            String since = " (" + Spans.inWords(Duration.between(startedAt, now)) + ")";
            String text = asks
                    ? "Still waiting for an answer" + since + "."
                    : "Still working" + since + doing.map(what -> ": " + what).orElse("") + ".";
            return new Finding.Told(
                    isWarned(lastActivity) ? "" : text, new TurnWatch(settings, startedAt, now, warnedOf));
        }
        return new Finding.Nothing();
    }

    /** Returns when to look next; absent where nothing will ever be due. */
    public Optional<Instant> next(Instant lastActivity) {
        return Stream.of(limit(lastActivity), warning(lastActivity), progress())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    private static boolean isDue(Optional<Instant> at, Instant now) {
        return at.filter(due -> !due.isAfter(now)).isPresent();
    }

    /** Returns when the turn has done nothing for too long; absent where it may for ever. */
    private Optional<Instant> limit(Instant lastActivity) {
        return some(settings.timeout()).map(lastActivity::plus);
    }

    /** Returns when its people are to be warned; absent where they have been, or are told of its end before. */
    private Optional<Instant> warning(Instant lastActivity) {
        return some(settings.warning())
                .filter(warning -> some(settings.timeout()).isPresent() && warning.compareTo(settings.timeout()) < 0)
                .filter(warning -> !isWarned(lastActivity))
                .map(lastActivity::plus);
    }

    private Optional<Instant> progress() {
        return some(settings.progress()).map(told::plus);
    }

    private boolean isWarned(Instant lastActivity) {
        return warnedOf.equals(Optional.of(lastActivity));
    }

    private static Optional<Duration> some(Duration time) {
        return time.isZero() || time.isNegative() ? Optional.empty() : Optional.of(time);
    }
}
