package dev.parley.application.port;

import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Where platforms hand in what they receive. Safe for concurrent use. */
public interface InboundListener {
    /**
     * Takes a message; returns at once. Completes with {@link Receipt.Admitted} once the message is stored and will be answered
     * whatever happens; only then may the platform tell its server so. Never completes exceptionally. Messages of one lane are
     * taken in the order of the calls.
     *
     * @param message the message
     * @param answer told how the answer comes about, as long as this process lives; {@link AnswerListener#NONE} where nobody
     *     waits
     */
    CompletionStage<Receipt> receive(Received message, AnswerListener answer);

    /**
     * Takes something that happened to a message or to a chat; returns at once. Completes as {@link #receive} does, and with {@link
     * Receipt.Refused} where it concerns nothing that is open: a message that does not wait any more, a question that is answered. What
     * is taken is settled like a message, and taken once.
     */
    default CompletionStage<Receipt> happened(Happened what) {
        return CompletableFuture.completedFuture(
                new Receipt.Refused(Receipt.Reason.NO_USE, "Nothing listens to this."));
    }

    /**
     * Returns at once, and completes with whether a message from this source would be taken, behind what was handed in of its chat
     * before; false where nobody can say so in time. Nothing is stored, and nobody is told. For what people say in a group that is not
     * for the agent. Never completes exceptionally.
     */
    default CompletionStage<Boolean> mayTalk(SessionSource source) {
        return CompletableFuture.completedFuture(false);
    }

    /** A platform has become able to send: lanes of it that wait to be resumed are resumed (P7.24), answers are delivered. */
    void connected(Platform platform);

    /** A platform is not able to send now: answers wait. */
    void disconnected(Platform platform);

    /**
     * A platform is not able to send now: answers wait.
     *
     * @param why one line for the operator, without secrets: what is wrong and, where they can mend it, how
     */
    default void disconnected(Platform platform, String why) {
        disconnected(platform);
    }
}
