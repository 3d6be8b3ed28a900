package dev.parley.application.gateway;

import dev.parley.application.delivery.DeliveryListener;
import dev.parley.domain.key.SessionKey;

/** What the parts of a gateway tell the gateway as a whole, from any thread. */
interface Signals extends DeliveryListener {
    /** A turn of a lane has succeeded. */
    void succeeded(SessionKey lane);

    /** Returns whether this gateway ends sessions that expire, which one of those that share a store does for all. */
    boolean watches();

    /** Somebody asks for a restart. */
    void restart();
}
