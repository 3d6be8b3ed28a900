package dev.parley.domain.turn;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A message that was received, as the queue keeps it. It stays admitted until the batch that stores what became of it, so
 * nothing that was acknowledged is ever lost.
 *
 * @param id made when it was admitted
 * @param lane the lane it belongs to
 * @param ordinal its place among the lane's messages: rising in the order they were admitted
 * @param kind what it is to the queue
 * @param source who sent it, and from where
 * @param text its text, possibly empty
 * @param attachments what came with it
 * @param receivedAt when it was admitted
 * @param platformMessage how its platform names it; absent where the platform gave it no id
 * @param state what became of it
 * @param turn the turn that took it; absent before, and for messages no turn takes
 */
public record Inbound(
        InboundId id,
        SessionKey lane,
        long ordinal,
        Kind kind,
        SessionSource source,
        String text,
        List<Attachment> attachments,
        Instant receivedAt,
        Optional<PlatformMessage> platformMessage,
        State state,
        Optional<TurnId> turn) {

    public Inbound {
        attachments = List.copyOf(attachments);
    }

    /** What a message is to the queue. */
    public enum Kind {
        /** Ordinary input; what follows while a turn runs is merged into one item (Q8.17). */
        MESSAGE,
        /** Given with {@code /queue}: a turn of its own, in order, never merged (Q8.20). */
        QUEUED,
        /** Given while a turn runs, for that turn ({@code /steer}); becomes a message where it came too late (Q8.27). */
        STEER,
        /** A turn without new input, that resumes one that was cut off (P7.22). */
        RESUME,
        /** A slash command; recorded so that a redelivered one does nothing. */
        COMMAND
    }

    /** What became of a message. */
    public enum State {
        /** Waits in the queue. */
        ADMITTED,
        /** Belongs to a turn: its text is in the transcript. */
        CLAIMED,
        /** Its turn has ended, or its command has taken effect. */
        DONE,
        /** Taken out of the queue with a reason that was told. */
        DROPPED
    }

    /** Returns this message in another state. */
    public Inbound in(State next) {
        return with(next, turn);
    }

    /** Returns this message taken by a turn. */
    public Inbound claimedBy(TurnId by) {
        return with(State.CLAIMED, Optional.of(by));
    }

    /** Returns this message as another kind. */
    public Inbound as(Kind next) {
        return new Inbound(
                id, lane, ordinal, next, source, text, attachments, receivedAt, platformMessage, state, turn);
    }

    /** Returns this message without its text and attachments: enough to recognise it by. */
    public Inbound withoutContent() {
        return new Inbound(id, lane, ordinal, kind, source, "", List.of(), receivedAt, platformMessage, state, turn);
    }

    private Inbound with(State next, Optional<TurnId> by) {
        return new Inbound(id, lane, ordinal, kind, source, text, attachments, receivedAt, platformMessage, next, by);
    }
}
