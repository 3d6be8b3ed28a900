package dev.parley.application.gateway;

import dev.parley.domain.key.SessionKey;

/** What the parts of a gateway tell the gateway as a whole, from any thread. */
interface Signals {
    /** Something runs or is being delivered no more. */
    void changed();

    /** A turn of a lane has succeeded. */
    void succeeded(SessionKey lane);

    /** Somebody asks for a restart. */
    void restart();
}
