package dev.parley.application.ability;

import dev.parley.domain.source.Address;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.util.Optional;

/**
 * A platform that shows an answer while it is written, as a message that is edited. What is shown is provisional: the stored answer
 * takes its place, sent with {@link dev.parley.domain.turn.Outgoing#replaces()}.
 */
public interface Previewing {
    /** Returns the least time between two previews of one turn. */
    Duration previewPause();

    /**
     * Shows what an agent has said so far; returns the id of the message that shows it now, or nothing where it is shown in a way that
     * leaves no message behind. A text that is too long for one message is shown as far as it fits. One call at a time for each turn.
     *
     * @throws dev.parley.application.port.DeliveryFailed where it was not shown; with a time to wait where the platform asks for one.
     *     After three failures in a row the turn has no more previews
     */
    Optional<String> preview(Preview preview);

    /**
     * What is shown of an answer that is not there yet.
     *
     * @param turn the turn
     * @param to where
     * @param replyTo the message that it answers; absent where it replies to none
     * @param shown the id of the message that shows it already; absent the first time
     * @param text everything the agent has said so far
     */
    record Preview(TurnId turn, Address to, Optional<String> replyTo, Optional<String> shown, String text) {}
}
