package dev.parley.application.port;

import dev.parley.domain.source.Platform;
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

    /** A platform has become able to send: lanes of it that wait to be resumed are resumed (P7.24), answers are delivered. */
    void connected(Platform platform);

    /** A platform is not able to send for now: answers wait. */
    void disconnected(Platform platform);
}
