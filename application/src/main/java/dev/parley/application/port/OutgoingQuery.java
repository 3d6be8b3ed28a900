package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Outgoing;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Which outgoing messages a page shows: last stored first.
 *
 * @param lane only this lane's
 * @param platform only messages to this platform
 * @param states only messages that stand so; empty means all
 * @param from only messages that were created at or after this time
 * @param after where to go on
 * @param limit at most so many
 */
public record OutgoingQuery(
        Optional<SessionKey> lane,
        Optional<Platform> platform,
        Set<Outgoing.State> states,
        Optional<Instant> from,
        Optional<Cursor> after,
        int limit) {
    public OutgoingQuery {
        states = Set.copyOf(states);
        limit = Math.max(0, limit);
    }

    /** Returns the first page of all outgoing messages. */
    public static OutgoingQuery first(int limit) {
        return new OutgoingQuery(
                Optional.empty(), Optional.empty(), Set.of(), Optional.empty(), Optional.empty(), limit);
    }

    /** Returns this for one lane. */
    public OutgoingQuery of(SessionKey only) {
        return new OutgoingQuery(Optional.of(only), platform, states, from, after, limit);
    }

    /** Returns this for one platform. */
    public OutgoingQuery on(Platform only) {
        return new OutgoingQuery(lane, Optional.of(only), states, from, after, limit);
    }

    /** Returns this for messages that stand so. */
    public OutgoingQuery states(Set<Outgoing.State> only) {
        return new OutgoingQuery(lane, platform, only, from, after, limit);
    }

    /** Returns this from a time on. */
    public OutgoingQuery since(Instant time) {
        return new OutgoingQuery(lane, platform, states, Optional.of(time), after, limit);
    }

    /** Returns this behind a page. */
    public OutgoingQuery after(Optional<Cursor> place) {
        return new OutgoingQuery(lane, platform, states, from, place, limit);
    }

    /** Returns whether the list has the message. */
    public boolean matches(Outgoing message) {
        return lane.map(key -> message.lane().filter(key::equals).isPresent()).orElse(true)
                && platform.map(message.platform()::equals).orElse(true)
                && (states.isEmpty() || states.contains(message.state()))
                && from.map(time -> !message.createdAt().isBefore(time)).orElse(true);
    }
}
