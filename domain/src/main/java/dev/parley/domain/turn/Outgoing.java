package dev.parley.domain.turn;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import java.time.Instant;
import java.util.Optional;

/**
 * A message to be sent, stored together with what caused it and sent afterwards: run once, delivered at least once, never
 * silently dropped.
 *
 * @param id the message
 * @param lane the lane it belongs to; absent for messages to an operator's chat
 * @param platform where it goes
 * @param chatId the chat
 * @param threadId the thread in the chat
 * @param text what is sent
 * @param kind what it is
 * @param createdAt when it was stored
 * @param turn the turn whose answer it is
 * @param state how far it has come
 * @param attempts how often sending it was begun
 */
public record Outgoing(
        OutgoingId id,
        Optional<SessionKey> lane,
        Platform platform,
        String chatId,
        Optional<String> threadId,
        String text,
        Kind kind,
        Instant createdAt,
        Optional<TurnId> turn,
        State state,
        int attempts) {

    /** What an outgoing message is. */
    public enum Kind {
        /** An answer of the agent or of a command. */
        REPLY,
        /** Something the gateway has to say about the session. */
        NOTICE,
        /** Something the gateway has to say about itself, such as a restart. */
        BANNER,
        /** Says that a message was received and what happens to it. */
        ACK;

        /** Returns the word used in output. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** How far an outgoing message has come. */
    public enum State {
        /** Stored, not yet sent. */
        PENDING,
        /** Sending was begun; whether it arrived is not known. */
        ATTEMPTED,
        /** The platform took it. */
        DELIVERED,
        /** Given up: older than the limit, and reported. */
        EXPIRED
    }

    /** Returns this message with sending begun once more. */
    public Outgoing attempted() {
        return with(State.ATTEMPTED, attempts + 1);
    }

    /** Returns this message delivered. */
    public Outgoing delivered() {
        return with(State.DELIVERED, attempts);
    }

    /** Returns this message given up. */
    public Outgoing expired() {
        return with(State.EXPIRED, attempts);
    }

    private Outgoing with(State next, int nextAttempts) {
        return new Outgoing(id, lane, platform, chatId, threadId, text, kind, createdAt, turn, next, nextAttempts);
    }
}
