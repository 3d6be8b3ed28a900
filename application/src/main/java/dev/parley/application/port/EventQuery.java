package dev.parley.application.port;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Which lines of history a page shows: last appended first.
 *
 * @param lane only this lane's
 * @param kinds only these kinds; empty means all
 * @param reason only this reason
 * @param from only at or after this time
 * @param to only before this time
 * @param after where to go on
 * @param limit at most so many
 */
public record EventQuery(
        Optional<SessionKey> lane,
        Set<LaneEvent.Kind> kinds,
        Optional<String> reason,
        Optional<Instant> from,
        Optional<Instant> to,
        Optional<Cursor> after,
        int limit) {
    public EventQuery {
        kinds = Set.copyOf(kinds);
        limit = Math.max(0, limit);
    }

    /** Returns the first page of all history. */
    public static EventQuery first(int limit) {
        return new EventQuery(
                Optional.empty(),
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                limit);
    }

    /** Returns this for one lane. */
    public EventQuery of(SessionKey only) {
        return new EventQuery(Optional.of(only), kinds, reason, from, to, after, limit);
    }

    /** Returns this for some kinds. */
    public EventQuery kinds(Set<LaneEvent.Kind> only) {
        return new EventQuery(lane, only, reason, from, to, after, limit);
    }

    /** Returns this for one reason. */
    public EventQuery because(String only) {
        return new EventQuery(lane, kinds, Optional.of(only), from, to, after, limit);
    }

    /** Returns this for a span of time. */
    public EventQuery between(Optional<Instant> first, Optional<Instant> end) {
        return new EventQuery(lane, kinds, reason, first, end, after, limit);
    }

    /** Returns this behind a page. */
    public EventQuery after(Optional<Cursor> place) {
        return new EventQuery(lane, kinds, reason, from, to, place, limit);
    }

    /** Returns whether the list has the line. */
    public boolean matches(LaneEvent event) {
        return lane.map(event.lane()::equals).orElse(true)
                && (kinds.isEmpty() || kinds.contains(event.kind()))
                && reason.map(event.reason()::equals).orElse(true)
                && from.map(time -> !event.at().isBefore(time)).orElse(true)
                && to.map(time -> event.at().isBefore(time)).orElse(true);
    }
}
