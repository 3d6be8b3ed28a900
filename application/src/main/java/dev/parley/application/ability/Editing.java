package dev.parley.application.ability;

import dev.parley.domain.source.Address;

/** A platform that can change what it has sent. */
public interface Editing {
    /**
     * Gives one of the gateway's messages another text and takes its buttons away.
     *
     * @throws dev.parley.application.port.DeliveryFailed where it was not changed
     */
    void edit(Address where, String messageId, String text);
}
