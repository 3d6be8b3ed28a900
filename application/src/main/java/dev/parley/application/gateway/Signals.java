package dev.parley.application.gateway;

import dev.parley.application.delivery.DeliveryListener;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import java.util.Optional;

/** What the parts of a gateway tell the gateway as a whole, from any thread; each returns at once. */
interface Signals extends DeliveryListener {
    /** A lane that waited for a place has one. */
    void placed(SessionKey lane);

    /** A turn of a lane has succeeded. */
    void succeeded(SessionKey lane);

    /** Returns whether this gateway ends sessions that expire, which one of those that share a store does for all. */
    boolean watches();

    /** Somebody asks for a restart. */
    void restart();

    /** Stops the gateway, where it runs. */
    void drain();

    /** Connects to a platform that one of the nodes connects to for all. */
    void takeUp(Platform platform);

    /** A platform is not connected; why is absent where it does not say. */
    void disconnected(Platform platform, Optional<String> why);

    /** Delivers what belongs to no lane and was left by a node that is gone. */
    void deliverWhatOthersLeft();
}
