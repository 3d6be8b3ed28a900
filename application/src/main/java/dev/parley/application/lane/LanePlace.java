package dev.parley.application.lane;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;
import java.util.function.Supplier;

/** A lane's place among the running ones, which it has at most once (Q8.35). Used by the lane's own tasks. */
final class LanePlace {
    private final SessionKey lane;
    private final GatewayState gateway;
    private final Supplier<Optional<SessionSource>> people;
    private Optional<GatewayState.Ticket> ticket = Optional.empty();

    /** No place; {@code people} says, from any thread, where the people of the lane's turn are. */
    LanePlace(SessionKey lane, GatewayState gateway, Supplier<Optional<SessionSource>> people) {
        this.lane = lane;
        this.gateway = gateway;
        this.people = people;
    }

    /** Reserves a place where the lane has none; returns false where all are taken. */
    boolean reserve() {
        if (ticket.isEmpty()) {
            ticket = gateway.reserve(lane, people);
        }
        return ticket.isPresent();
    }

    /** Takes a place where the lane has none, also where all are taken. */
    void enter() {
        if (ticket.isEmpty()) {
            ticket = Optional.of(gateway.enter(lane, people));
        }
    }

    /** Gives the place back, where the lane has one. */
    void leave() {
        Optional<GatewayState.Ticket> mine = ticket;
        ticket = Optional.empty();
        mine.ifPresent(GatewayState.Ticket::close);
    }
}
