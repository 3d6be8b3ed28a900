package dev.parley.application.gateway;

import dev.parley.application.port.Node;
import dev.parley.application.port.PostedOrder;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What the life of a node asks of its gateway, from any thread; each returns at once. */
interface NodeWork {
    /** Returns how many lanes are worked on. */
    int busy();

    /** Returns whether the gateway stops. */
    boolean isDraining();

    /** Returns where the gateway is reached over HTTP; absent where it is not. */
    Optional<String> address();

    /** An operator wishes this of the gateway, or still does. */
    void wished(Node.Wish wish);

    /** Returns how many more lanes the gateway may begin to work on. */
    int room();

    /** Returns how many lanes may run at once; absent for any number. */
    Optional<Integer> places();

    /** A message may have been stored for a lane that is held. */
    void posted(SessionKey lane);

    /** The lanes that the store says are held, with their last places. */
    void check(Map<SessionKey, Long> held);

    /** Nobody does what is to be done in a lane. */
    void wanted(SessionKey lane);

    /** Takes up what only one node may do, of what {@code lease} grants by name. */
    void duties(Predicate<String> lease);

    /** Nothing may be worked on any more. */
    void lost();

    /** Other lives were found to be over. */
    void died(List<LifeId> lives);

    /**
     * An operator asks something of a lane.
     *
     * @param done told whether it was done; absent where the lane is somebody else's
     */
    void ordered(PostedOrder order, Consumer<Optional<Boolean>> done);
}
