package dev.parley.application.port;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.util.function.BiConsumer;

/**
 * How lives that share a store wake each other. A hint and no more: it may be lost, come late or come twice, so everybody looks for
 * themselves as well. Throws nothing; safe for concurrent use.
 */
public interface Wakes {
    /** Says to a life that something was stored in a lane. Returns at once. */
    void wake(LifeId life, SessionKey lane);

    /**
     * Has everything said to lives told, from now on, from any thread; what the listener throws goes nowhere.
     *
     * @param listener given the life that is meant, and the lane
     * @return ends the listening
     */
    Runnable listen(BiConsumer<LifeId, SessionKey> listener);
}
