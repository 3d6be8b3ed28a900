package dev.parley.domain.turn;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message to be sent, stored together with what caused it and sent afterwards: run once, delivered at least once, never
 * silently dropped.
 *
 * @param id the message
 * @param lane the lane it belongs to; absent for messages to an operator's chat
 * @param to where it goes
 * @param text what is sent
 * @param attachments what is sent along
 * @param replyTo the platform's id of the message it replies to; absent where it replies to none
 * @param replaces the platform's id of the preview that it replaces; absent where it is a new message
 * @param kind what it is
 * @param createdAt when it was stored
 * @param expiresAt from when on it is not sent any more; absent where only the general limit holds
 * @param turn the turn whose answer it is
 * @param cause the received message that it answers; absent where none caused it
 * @param delivery how far it has come
 */
public record Outgoing(
        OutgoingId id,
        Optional<SessionKey> lane,
        Address to,
        String text,
        List<Attachment> attachments,
        Optional<String> replyTo,
        Optional<String> replaces,
        Kind kind,
        Instant createdAt,
        Optional<Instant> expiresAt,
        Optional<TurnId> turn,
        Optional<InboundId> cause,
        Delivery delivery) {

    public Outgoing {
        attachments = List.copyOf(attachments);
    }

    /** A text for a chat, or for a thread in it, and how far it has come. */
    public Outgoing(
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
        this(
                id,
                lane,
                Address.of(platform, chatId, threadId),
                text,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                kind,
                createdAt,
                Optional.empty(),
                turn,
                Optional.empty(),
                Delivery.of(state, attempts));
    }

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
        EXPIRED;

        /** Returns true while there is something left to do. */
        public boolean isOpen() {
            return this == PENDING || this == ATTEMPTED;
        }

        /** Returns the word used in output. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Starts a pending message with everything else absent. */
    public static Builder builder(OutgoingId id, Address to, String text, Kind kind, Instant createdAt) {
        return new Builder(id, to, text, kind, createdAt);
    }

    /** Starts a copy of this message. */
    public Builder toBuilder() {
        Builder b = new Builder(id, to, text, kind, createdAt);
        b.lane = lane.orElse(null);
        b.attachments = attachments;
        b.replyTo = replyTo.orElse(null);
        b.replaces = replaces.orElse(null);
        b.expiresAt = expiresAt.orElse(null);
        b.turn = turn.orElse(null);
        b.cause = cause.orElse(null);
        b.delivery = delivery;
        return b;
    }

    /** Returns the platform it goes to. */
    public Platform platform() {
        return to.platform();
    }

    /** Returns the chat it goes to. */
    public String chatId() {
        return to.chatId();
    }

    /** Returns the thread it goes to. */
    public Optional<String> threadId() {
        return to.threadId();
    }

    /** Returns how it stands. */
    public State state() {
        return delivery.state();
    }

    /** Returns how often sending it was begun. */
    public int attempts() {
        return delivery.attempts();
    }

    /** Returns whether it is too old to be sent at {@code now}. */
    public boolean isExpiredAt(Instant now) {
        return expiresAt.filter(limit -> !now.isBefore(limit)).isPresent();
    }

    /** Returns this message with sending begun once more, at a time that is not noted. */
    public Outgoing attempted() {
        return with(delivery.attempted(Optional.empty()));
    }

    /** Returns this message with sending begun once more. */
    public Outgoing attempted(Instant at) {
        return with(delivery.attempted(Optional.of(at)));
    }

    /** Returns this message after an attempt that failed; see {@link Delivery#failed}. */
    public Outgoing failed(String why, Optional<Instant> again) {
        return with(delivery.failed(why, again));
    }

    /** Returns this message with a part of it taken by the platform. */
    public Outgoing sent(SentPart part) {
        return with(delivery.sent(part));
    }

    /** Returns this message delivered. */
    public Outgoing delivered() {
        return with(delivery.in(State.DELIVERED));
    }

    /** Returns this message given up. */
    public Outgoing expired() {
        return with(delivery.in(State.EXPIRED));
    }

    /** Returns this message with another delivery. */
    public Outgoing with(Delivery next) {
        return new Outgoing(
                id, lane, to, text, attachments, replyTo, replaces, kind, createdAt, expiresAt, turn, cause, next);
    }

    /** Returns this message with another text and without attachments. */
    public Outgoing inWords(String words) {
        return new Outgoing(
                id, lane, to, words, List.of(), replyTo, replaces, kind, createdAt, expiresAt, turn, cause, delivery);
    }

    /** Builds an {@link Outgoing}; null means absent. Not safe for concurrent use. */
    public static final class Builder {
        private final OutgoingId id;
        private final Address to;
        private final String text;
        private final Kind kind;
        private final Instant createdAt;
        private @Nullable SessionKey lane;
        private List<Attachment> attachments = List.of();
        private @Nullable String replyTo;
        private @Nullable String replaces;
        private @Nullable Instant expiresAt;
        private @Nullable TurnId turn;
        private @Nullable InboundId cause;
        private Delivery delivery = Delivery.PENDING;

        private Builder(OutgoingId id, Address to, String text, Kind kind, Instant createdAt) {
            this.id = id;
            this.to = to;
            this.text = text;
            this.kind = kind;
            this.createdAt = createdAt;
        }

        /** Sets the lane. */
        public Builder lane(@Nullable SessionKey value) {
            lane = value;
            return this;
        }

        /** Sets what is sent along. */
        public Builder attachments(List<Attachment> value) {
            attachments = List.copyOf(value);
            return this;
        }

        /** Sets the platform's id of the message it replies to. */
        public Builder replyTo(@Nullable String value) {
            replyTo = value;
            return this;
        }

        /** Sets the platform's id of the preview it takes the place of. */
        public Builder replaces(@Nullable String value) {
            replaces = value;
            return this;
        }

        /** Sets from when on it is not sent any more. */
        public Builder expiresAt(@Nullable Instant value) {
            expiresAt = value;
            return this;
        }

        /** Sets the turn whose answer it is. */
        public Builder turn(@Nullable TurnId value) {
            turn = value;
            return this;
        }

        /** Sets the received message that it answers. */
        public Builder cause(@Nullable InboundId value) {
            cause = value;
            return this;
        }

        /** Sets how far it has come. */
        public Builder delivery(Delivery value) {
            delivery = value;
            return this;
        }

        /** Returns the message. */
        public Outgoing build() {
            return new Outgoing(
                    id,
                    Optional.ofNullable(lane),
                    to,
                    text,
                    attachments,
                    Optional.ofNullable(replyTo),
                    Optional.ofNullable(replaces),
                    kind,
                    createdAt,
                    Optional.ofNullable(expiresAt),
                    Optional.ofNullable(turn),
                    Optional.ofNullable(cause),
                    delivery);
        }
    }

    /**
     * How far an outgoing message has come.
     *
     * @param state how it stands
     * @param attempts how often sending it was begun
     * @param attemptedAt when it was begun last; absent before, and for messages that an earlier version stored
     * @param failure one line: why the last attempt failed; absent where none did
     * @param notBefore when it may be tried again at the earliest, where its platform asked for a pause
     * @param parts the parts that the platform took so far, in order
     */
    public record Delivery(
            State state,
            int attempts,
            Optional<Instant> attemptedAt,
            Optional<String> failure,
            Optional<Instant> notBefore,
            List<SentPart> parts) {
        private static final int FAILURE = 300;

        /** Stored, not yet sent. */
        public static final Delivery PENDING = of(State.PENDING, 0);

        /** Makes the failure one line of at most 300 characters. */
        public Delivery {
            failure = failure.map(text -> OneLine.of(text, FAILURE)).filter(text -> !text.isEmpty());
            parts = List.copyOf(parts);
        }

        /** Returns a delivery of which no more is known than its state and how often it was begun. */
        public static Delivery of(State state, int attempts) {
            return new Delivery(state, attempts, Optional.empty(), Optional.empty(), Optional.empty(), List.of());
        }

        /** Returns this in another state. */
        public Delivery in(State next) {
            return new Delivery(next, attempts, attemptedAt, failure, notBefore, parts);
        }

        /** Returns this begun once more; the pause that was asked for is over. */
        public Delivery attempted(Optional<Instant> at) {
            return new Delivery(
                    State.ATTEMPTED, attempts + 1, at.or(() -> attemptedAt), failure, Optional.empty(), parts);
        }

        /** Returns this after an attempt that failed; not to be tried again before a time, where one is given. */
        public Delivery failed(String why, Optional<Instant> again) {
            return new Delivery(state, attempts, attemptedAt, Optional.of(why), again, parts);
        }

        /** Returns this with a part that the platform took; a part that is there already stays as it is. */
        public Delivery sent(SentPart part) {
            if (parts.stream().anyMatch(each -> each.number() == part.number())) {
                return this;
            }
            List<SentPart> all = new ArrayList<>(parts);
            all.add(part);
            return new Delivery(state, attempts, attemptedAt, failure, notBefore, all);
        }

        /** Returns the number of the part that is next. */
        public int nextPart() {
            return parts.stream().mapToInt(SentPart::number).max().orElse(0) + 1;
        }

        /** Returns the messages that it became, as the platform names them, in order. */
        public List<String> messageIds() {
            return parts.stream().flatMap(part -> part.messageIds().stream()).toList();
        }
    }
}
