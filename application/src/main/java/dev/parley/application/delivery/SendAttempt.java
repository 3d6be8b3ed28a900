package dev.parley.application.delivery;

import dev.parley.application.ability.Asking;
import dev.parley.application.ability.SendingInParts;
import dev.parley.application.guard.Guard;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.DeliveryFailed;
import dev.parley.application.port.Sent;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import dev.parley.domain.turn.Outgoing;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One send of a message, or of a part of it. Written by the outbox's tasks; {@link #perform} runs elsewhere. */
final class SendAttempt {
    final Outgoing message;
    final ChatPlatform platform;
    private final List<Asking.Choice> choices;
    Timers.@Nullable Timer limit;
    /** Whether nobody waits for it any more. */
    boolean slow;
    /** Whether its message was given up while it hung. */
    boolean isGivenUp;

    SendAttempt(Outgoing message, ChatPlatform platform, List<Asking.Choice> choices) {
        this.message = message;
        this.platform = platform;
        this.choices = choices;
    }

    /** What came of an attempt: one of the two is there. */
    record Outcome(Optional<Sent> sent, Optional<Throwable> failure) {
        /** Others may deliver the message by now. */
        static final Outcome NOT_NOW = failed(new DeliveryFailed(
                DeliveryFailed.Kind.AWAY, "This node has not reached the database for too long.", null));

        private static Outcome failed(Throwable failure) {
            return new Outcome(Optional.empty(), Optional.of(failure));
        }
    }

    /** Sends what is next of the message; throws nothing. */
    Outcome perform() {
        try {
            Sent sent = Guard.unchecked("The platform " + platform.name(), this::send);
            return new Outcome(Optional.of(sent), Optional.empty());
        } catch (Throwable e) {
            return Outcome.failed(e);
        }
    }

    private Sent send() {
        Outgoing sent = FilesInWords.sendable(message, platform.traits());
        Optional<Asking> asking = choices.isEmpty() ? Optional.empty() : platform.as(Asking.class);
        if (asking.isPresent()) {
            return asking.get().ask(sent, choices);
        }
        Optional<SendingInParts> inParts = platform.as(SendingInParts.class);
        if (inParts.isPresent()) {
            return inParts.get().sendPart(sent);
        }
        platform.send(sent);
        return Sent.UNNAMED;
    }

    /** Returns why an attempt failed, as it is stored. */
    static String cause(Throwable failure) {
        return StrippedFailure.line(failure);
    }

    /** Returns in a word why an attempt failed. */
    static String word(Throwable failure) {
        return failure instanceof DeliveryFailed known ? known.kind().name().toLowerCase(Locale.ROOT) : "unknown";
    }
}
