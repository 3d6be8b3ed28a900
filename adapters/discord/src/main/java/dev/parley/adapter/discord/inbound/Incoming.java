package dev.parley.adapter.discord.inbound;

import dev.parley.adapter.kit.flow.ReadMessage;
import dev.parley.application.port.Happened;

/** What Discord told, as it was read. */
sealed interface Incoming {
    /**
     * A message for the agent.
     *
     * @param message the message
     */
    record Message(ReadMessage message) implements Incoming {}

    /**
     * Something that happened to a message or to a channel.
     *
     * @param what what happened
     */
    record Occurrence(Happened what) implements Incoming {}

    /**
     * Nothing for the agent: settled without a word.
     *
     * @param why why, for tests
     */
    record PassedOver(String why) implements Incoming {}

    /**
     * Nothing that can be read: settled with a warning.
     *
     * @param why why, without anything that people wrote
     */
    record Unreadable(String why) implements Incoming {}
}
