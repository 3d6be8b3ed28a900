package dev.parley.adapter.whatsappcloud.inbound;

import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.application.port.Happened;
import java.util.Optional;

/** Something that a post holds, as it was read. */
public sealed interface Incoming {
    /**
     * A message for the agent.
     *
     * @param message the message
     */
    record Message(ReadMessage message) implements Incoming {}

    /**
     * Something that happened to a message or a chat.
     *
     * @param id the id under which Meta posts it, the same however often
     * @param happened what happened
     */
    record Event(String id, Happened happened) implements Incoming {}

    /**
     * How far a message of ours has come.
     *
     * @param messageId the message
     * @param part what the message carried for us to know it by; absent where it carried nothing
     * @param failure why it did not arrive, in Meta's words; absent where it has not failed
     */
    record Status(String messageId, Optional<String> part, Optional<String> failure) implements Incoming {}

    /** Something that was said to, or by, another number of the business: settled, and told the operator now and then. */
    record OfAnotherNumber() implements Incoming {}

    /** Nothing for the agent: settled without a word. */
    record PassedOver() implements Incoming {}

    /**
     * Nothing that can be read: settled with a warning.
     *
     * @param why why, without anything that people wrote
     */
    record Unreadable(String why) implements Incoming {}
}
