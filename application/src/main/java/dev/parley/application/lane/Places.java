package dev.parley.application.lane;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The places of a gateway's running lanes, of which there may be a limited number (Q8.35). Lanes whose accepted messages find no place wait
 * in a line: those that resume first, then by when they joined it. A place that becomes free goes to the first of them at once, and its lane
 * is woken; so no place is free while a lane waits. Safe for concurrent use.
 */
public interface Places {
    /** Returns whether all places are taken. */
    boolean isFull();

    /** Returns how many places are taken and how many there are, as {@code 3/3}. */
    String shown();

    /** Returns whether a lane waits for a place, or was given one that it has not taken up. */
    boolean isAwaitedBy(SessionKey lane);

    /** Returns whether any lane waits for a place. */
    boolean isAwaited();

    /**
     * Takes a place for what is not accepted yet.
     *
     * @param people where the people of the lane's turn are; asked from any thread
     * @return the place; absent where all are taken
     */
    Optional<Ticket> reserve(SessionKey lane, Supplier<Optional<SessionSource>> people);

    /**
     * Takes a place for what was accepted; where all are taken the lane joins the line, or stays where it is in it.
     *
     * @param resumes whether the lane is to resume what was cut off
     * @param people as for {@link #reserve}
     * @return the place; absent where the lane waits
     */
    Optional<Ticket> await(SessionKey lane, boolean resumes, Supplier<Optional<SessionSource>> people);

    /** Takes a place, also where all are taken. */
    Ticket enter(SessionKey lane, Supplier<Optional<SessionSource>> people);

    /** A lane waits for no place, and gives back one that it was given and has not taken up. */
    void withdraw(SessionKey lane);

    /** A taken place. */
    interface Ticket extends AutoCloseable {
        /** Gives the place back; does nothing the second time. */
        @Override
        void close();
    }
}
