package dev.parley.domain.turn;

import java.util.Optional;

/**
 * Something that happened to a message or to a chat, and is no message itself. It is recorded like a message, so that one handed
 * in again does nothing.
 */
public sealed interface ChatEvent {
    /**
     * A message was edited.
     *
     * @param messageId the message, as the platform names it
     * @param text what it says now
     */
    record Edited(String messageId, String text) implements ChatEvent {}

    /**
     * A message was deleted.
     *
     * @param messageId the message, as the platform names it
     */
    record Deleted(String messageId) implements ChatEvent {}

    /**
     * Somebody reacted to a message, or took the reaction back.
     *
     * @param messageId the message, as the platform names it
     * @param reaction the reaction, usually an emoji or its name
     * @param removed whether it was taken back
     */
    record Reacted(String messageId, String reaction, boolean removed) implements ChatEvent {}

    /**
     * A button was pressed that stood under a message.
     *
     * @param messageId the message, as the platform names it
     * @param choice the value that the button sends
     */
    record Pressed(String messageId, String choice) implements ChatEvent {}

    /**
     * Somebody joined the chat; the source says who.
     *
     * @param self whether that is the agent itself
     */
    record Joined(boolean self) implements ChatEvent {}

    /**
     * Somebody left the chat; the source says who.
     *
     * @param self whether that is the agent itself
     */
    record Left(boolean self) implements ChatEvent {}

    /**
     * The chat continues under another id; the source has the new one.
     *
     * @param from its id before
     */
    record Moved(String from) implements ChatEvent {}

    /**
     * The chat has another name or topic.
     *
     * @param name its name now; absent where it did not change
     * @param topic its topic now; absent where it did not change
     */
    record Renamed(Optional<String> name, Optional<String> topic) implements ChatEvent {}
}
