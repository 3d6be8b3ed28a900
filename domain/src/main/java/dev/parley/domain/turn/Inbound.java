package dev.parley.domain.turn;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
 * @param sentAt when it was sent, by its platform's clock; absent where the platform does not say
 * @param replyTo the message it replies to; absent where it replies to none
 * @param mentioned whether it names the agent
 * @param context messages of its chat that came before it and were not for the agent, oldest first
 * @param event what happened, where it is no message
 * @param via the gateway whose caller waits for the answer, where several gateways share a store
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
        Optional<TurnId> turn,
        Optional<Instant> sentAt,
        Optional<ReplyTo> replyTo,
        boolean mentioned,
        List<PrecedingMessage> context,
        Optional<ChatEvent> event,
        Optional<LifeId> via) {

    public Inbound {
        attachments = List.copyOf(attachments);
        context = List.copyOf(context);
    }

    /** A message of which its platform says no more than who sent what. */
    public Inbound(
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
        this(
                id,
                lane,
                ordinal,
                kind,
                source,
                text,
                attachments,
                receivedAt,
                platformMessage,
                state,
                turn,
                Optional.empty(),
                Optional.empty(),
                false,
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** Starts an admitted message without anything but its text. */
    public static Builder builder(
            InboundId id, SessionKey lane, long ordinal, Kind kind, SessionSource source, String text, Instant at) {
        return new Builder(id, lane, ordinal, kind, source, text, at);
    }

    /** Starts a copy of this message. */
    public Builder toBuilder() {
        Builder b = new Builder(id, lane, ordinal, kind, source, text, receivedAt);
        b.attachments = attachments;
        b.platformMessage = platformMessage.orElse(null);
        b.state = state;
        b.turn = turn.orElse(null);
        b.sentAt = sentAt.orElse(null);
        b.replyTo = replyTo.orElse(null);
        b.mentioned = mentioned;
        b.context = context;
        b.event = event.orElse(null);
        b.via = via.orElse(null);
        return b;
    }

    /** What a message is to the queue. */
    public enum Kind {
        /** Ordinary input; what follows while a turn runs is merged into one item (Q8.17). */
        MESSAGE,
        /** Given with {@code /queue}: one whole turn, in order, never merged (Q8.20). */
        QUEUED,
        /** Run again with {@code /retry}: one whole turn, never merged, in front of what was said since (Z12.9). */
        RETRIED,
        /** Given while a turn runs, for that turn ({@code /steer}); becomes a message where it came too late (Q8.27). */
        STEER,
        /** A turn without new input, that resumes one that was cut off (P7.22). */
        RESUME,
        /** A slash command; recorded so that a redelivered one does nothing. */
        COMMAND,
        /** No message, but something that happened to one or to its chat; recorded so that a redelivered one does nothing. */
        EVENT
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
        return toBuilder().state(next).build();
    }

    /** Returns this message taken by a turn. */
    public Inbound claimedBy(TurnId by) {
        return toBuilder().state(State.CLAIMED).turn(by).build();
    }

    /** Returns this message as another kind. */
    public Inbound as(Kind next) {
        return toBuilder().kind(next).build();
    }

    /** Returns this message at another place among the lane's messages. */
    public Inbound at(long place) {
        return toBuilder().ordinal(place).build();
    }

    /** Returns this message with another text, after it was edited. */
    public Inbound edited(String nextText) {
        return toBuilder().text(nextText).build();
    }

    /** Returns this message without what people wrote and sent: enough to recognise it by. */
    public Inbound withoutContent() {
        return toBuilder()
                .text("")
                .attachments(List.of())
                .replyTo(replyTo.map(ReplyTo::withoutContent).orElse(null))
                .context(List.of())
                .event(null)
                .build();
    }

    /** Builds an {@link Inbound}; null means absent. Not safe for concurrent use. */
    public static final class Builder {
        private final InboundId id;
        private final SessionKey lane;
        private long ordinal;
        private Kind kind;
        private final SessionSource source;
        private String text;
        private final Instant receivedAt;
        private List<Attachment> attachments = List.of();
        private @Nullable PlatformMessage platformMessage;
        private State state = State.ADMITTED;
        private @Nullable TurnId turn;
        private @Nullable Instant sentAt;
        private @Nullable ReplyTo replyTo;
        private boolean mentioned;
        private List<PrecedingMessage> context = List.of();
        private @Nullable ChatEvent event;
        private @Nullable LifeId via;

        private Builder(
                InboundId id, SessionKey lane, long ordinal, Kind kind, SessionSource source, String text, Instant at) {
            this.id = id;
            this.lane = lane;
            this.ordinal = ordinal;
            this.kind = kind;
            this.source = source;
            this.text = text;
            this.receivedAt = at;
        }

        /** Sets the place among the lane's messages. */
        public Builder ordinal(long value) {
            ordinal = value;
            return this;
        }

        /** Sets the kind. */
        public Builder kind(Kind value) {
            kind = value;
            return this;
        }

        /** Sets the text. */
        public Builder text(String value) {
            text = value;
            return this;
        }

        /** Sets what came with it. */
        public Builder attachments(List<Attachment> value) {
            attachments = value;
            return this;
        }

        /** Sets how its platform names it. */
        public Builder platformMessage(@Nullable PlatformMessage value) {
            platformMessage = value;
            return this;
        }

        /** Sets what became of it. */
        public Builder state(State value) {
            state = value;
            return this;
        }

        /** Sets the turn that took it. */
        public Builder turn(@Nullable TurnId value) {
            turn = value;
            return this;
        }

        /** Sets when it was sent. */
        public Builder sentAt(@Nullable Instant value) {
            sentAt = value;
            return this;
        }

        /** Sets the message it replies to. */
        public Builder replyTo(@Nullable ReplyTo value) {
            replyTo = value;
            return this;
        }

        /** Sets whether it names the agent. */
        public Builder mentioned(boolean value) {
            mentioned = value;
            return this;
        }

        /** Sets the messages before it. */
        public Builder context(List<PrecedingMessage> value) {
            context = value;
            return this;
        }

        /** Sets what happened, where it is no message. */
        public Builder event(@Nullable ChatEvent value) {
            event = value;
            return this;
        }

        /** Sets the gateway whose caller waits for the answer. */
        public Builder via(@Nullable LifeId value) {
            via = value;
            return this;
        }

        /** Returns the message. */
        public Inbound build() {
            return new Inbound(
                    id,
                    lane,
                    ordinal,
                    kind,
                    source,
                    text,
                    attachments,
                    receivedAt,
                    Optional.ofNullable(platformMessage),
                    state,
                    Optional.ofNullable(turn),
                    Optional.ofNullable(sentAt),
                    Optional.ofNullable(replyTo),
                    mentioned,
                    context,
                    Optional.ofNullable(event),
                    Optional.ofNullable(via));
        }
    }
}
