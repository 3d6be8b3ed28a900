package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Turn;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Which turns a page shows: latest start first, then greatest id.
 *
 * @param lane only this lane's
 * @param session only this session's
 * @param states only turns that stand so; empty means all
 * @param from only turns that started at or after this time
 * @param after where to go on
 * @param limit at most so many
 */
public record TurnQuery(
        Optional<SessionKey> lane,
        Optional<SessionId> session,
        Set<Turn.State> states,
        Optional<Instant> from,
        Optional<Cursor> after,
        int limit) {
    public TurnQuery {
        states = Set.copyOf(states);
        limit = Math.max(0, limit);
    }

    /** Returns the first page of all turns. */
    public static TurnQuery first(int limit) {
        return new TurnQuery(Optional.empty(), Optional.empty(), Set.of(), Optional.empty(), Optional.empty(), limit);
    }

    /** Returns this for one lane. */
    public TurnQuery of(SessionKey only) {
        return new TurnQuery(Optional.of(only), session, states, from, after, limit);
    }

    /** Returns this for one session. */
    public TurnQuery in(SessionId only) {
        return new TurnQuery(lane, Optional.of(only), states, from, after, limit);
    }

    /** Returns this for turns that stand so. */
    public TurnQuery states(Set<Turn.State> only) {
        return new TurnQuery(lane, session, only, from, after, limit);
    }

    /** Returns this from a time on. */
    public TurnQuery since(Instant time) {
        return new TurnQuery(lane, session, states, Optional.of(time), after, limit);
    }

    /** Returns this behind a page. */
    public TurnQuery after(Optional<Cursor> place) {
        return new TurnQuery(lane, session, states, from, place, limit);
    }

    /** Returns whether the list has the turn. */
    public boolean matches(Turn turn) {
        return lane.map(turn.lane()::equals).orElse(true)
                && session.map(turn.session()::equals).orElse(true)
                && (states.isEmpty() || states.contains(turn.state()))
                && from.map(time -> !turn.startedAt().isBefore(time)).orElse(true);
    }
}
