package dev.parley.adapter.signal.inbound;

import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.application.port.Happened;

/** What an event of the daemon is, as it was read. */
sealed interface Incoming {
    /** A message for the agent. */
    record Message(ReadMessage message) implements Incoming {}

    /** A message of a group that is listened to, and not for the agent. */
    record Overheard(ReadMessage message) implements Incoming {}

    /** A message was edited or deleted, or somebody reacted to it. */
    record Event(Happened what) implements Incoming {}

    /**
     * Nothing for the agent: left out without a word.
     *
     * @param why why, for tests
     */
    record PassedOver(String why) implements Incoming {}

    /**
     * Nothing that can be read: left out with a warning.
     *
     * @param why why, without anything that people wrote
     */
    record Unreadable(String why) implements Incoming {}
}
