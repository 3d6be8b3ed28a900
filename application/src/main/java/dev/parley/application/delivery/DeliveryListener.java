package dev.parley.application.delivery;

import dev.parley.domain.key.SessionKey;

/** Told what becomes of messages that are on their way, from any thread; returns at once. */
public interface DeliveryListener {
    /** Less may be on its way than before. */
    void changed();

    /** Nothing of a lane is on its way any more, of one that this gateway holds beside others. */
    void unused(SessionKey lane);
}
