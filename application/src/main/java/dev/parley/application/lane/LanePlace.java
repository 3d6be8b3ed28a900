package dev.parley.application.lane;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;
import java.util.function.Supplier;

/** A lane's place among the running ones, which it has at most once (Q8.35). Used by the lane's own tasks. */
final class LanePlace {
    private final SessionKey lane;
    private final Places places;
    private final Supplier<Optional<SessionSource>> people;
    private Optional<Places.Ticket> ticket = Optional.empty();
    /** Whether a turn has begun since the place was taken. */
    private boolean used;

    /** No place; {@code people} says, from any thread, where the people of the lane's turn are. */
    LanePlace(SessionKey lane, Places places, Supplier<Optional<SessionSource>> people) {
        this.lane = lane;
        this.places = places;
        this.people = people;
    }

    /** Reserves a place for what is not accepted yet, where the lane has none; returns false where all are taken. */
    boolean reserve() {
        if (ticket.isEmpty()) {
            ticket = places.reserve(lane, people);
        }
        return ticket.isPresent();
    }

    /**
     * Takes a place for what is next in the queue. Where all are taken the lane waits for one; so does a lane whose place others wait for
     * and that has had its turn.
     *
     * @return whether the lane has a place
     */
    boolean await(boolean resumes) {
        if (used && places.isAwaited()) {
            leave();
        }
        if (ticket.isEmpty()) {
            ticket = places.await(lane, resumes, people);
        }
        return ticket.isPresent();
    }

    /** Takes a place where the lane has none, also where all are taken. */
    void enter() {
        if (ticket.isEmpty()) {
            ticket = Optional.of(places.enter(lane, people));
        }
    }

    /** A turn begins. */
    void use() {
        used = true;
    }

    /** Returns whether the lane waits for a place, or was given one that it has not taken up. */
    boolean isAwaited() {
        return places.isAwaitedBy(lane);
    }

    /** Gives the place back where the lane has one, and waits for none. */
    void leave() {
        Optional<Places.Ticket> mine = ticket;
        ticket = Optional.empty();
        used = false;
        mine.ifPresentOrElse(Places.Ticket::close, () -> places.withdraw(lane));
    }
}
