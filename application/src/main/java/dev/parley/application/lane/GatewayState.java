package dev.parley.application.lane;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.Optional;
import java.util.function.Supplier;

/** What a lane asks of the gateway it belongs to. Safe for concurrent use. */
public interface GatewayState {
    /** Returns the stop that has begun; absent while the gateway runs. */
    Optional<Stopping> stopping();

    /** Returns whether an operator holds new turns back (P7.49). */
    boolean isHeld();

    /** Returns why what waits does not begin now; absent where it does. A stop counts for more than an operator's hold. */
    default Optional<Standstill> standstill() {
        return stopping()
                .map(stop -> new Standstill(stop.queued(), true))
                .or(() -> isHeld() ? Optional.of(new Standstill(Standstill.HELD, false)) : Optional.empty());
    }

    /** Returns whether what the process before left of a lane is still to be set right, before anything begins in it (P7.2). */
    boolean awaitsRecovery(SessionKey lane);

    /** Returns whether all places among the running lanes are taken. */
    boolean isFull();

    /**
     * Reserves a place among the running lanes (Q8.35).
     *
     * @param people where the people of the lane's turn are; asked from any thread
     * @return the place; absent where all are taken
     */
    Optional<Ticket> reserve(SessionKey lane, Supplier<Optional<SessionSource>> people);

    /** Takes a place among the running lanes, also where all are taken: what was accepted runs. */
    Ticket enter(SessionKey lane, Supplier<Optional<SessionSource>> people);

    /** Returns how many lanes run and how many may, as {@code 3/3}. */
    String places();

    /** A turn of a lane has succeeded (P7.13). */
    void succeeded(SessionKey lane);

    /** Asks the gateway to restart. */
    void restart();

    /** A place among the running lanes. */
    interface Ticket extends AutoCloseable {
        /** Gives the place back; does nothing the second time. */
        @Override
        void close();
    }
}
