package dev.parley.adapter.kit.flow;

import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.PrecedingMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * Hands what was read to the gateway, the files of a message first fetched. What is handed in at once is taken in the order of the
 * calls, unless it has files: an adapter waits for one message of a chat before it hands in the next. Safe for concurrent use.
 */
public final class HandingIn {
    private final FileFetch files;
    private final InboundListener listener;
    private final Executor executor;
    private final Duration leastPause;
    private final Overheard overheard;

    /**
     * Hands in to a gateway, with nothing that was said before.
     *
     * @param files fetches what comes with messages
     * @param listener the gateway
     * @param executor runs what may block
     * @param leastPause how long to wait at least before what could not be stored is handed in again
     */
    public HandingIn(FileFetch files, InboundListener listener, Executor executor, Duration leastPause) {
        // What keeps nothing needs no time.
        this(files, listener, executor, leastPause, new Overheard(false, listener, () -> Instant.EPOCH));
    }

    /**
     * Hands in to a gateway, each message with what was overheard before it.
     *
     * @param files fetches what comes with messages
     * @param listener the gateway
     * @param executor runs what may block
     * @param leastPause how long to wait at least before what could not be stored is handed in again
     * @param overheard what was not for the agent; taken with the first message that is admitted
     */
    public HandingIn(
            FileFetch files, InboundListener listener, Executor executor, Duration leastPause, Overheard overheard) {
        this.files = files;
        this.listener = listener;
        this.executor = executor;
        this.leastPause = leastPause;
        this.overheard = overheard;
    }

    /** Hands in a message; completes once it is settled or is to be handed in again. */
    public CompletionStage<Settlement> message(ReadMessage message) {
        if (message.files().isEmpty()) {
            return receive(message, List.of());
        }
        return CompletableFuture.supplyAsync(() -> files.fetch(message.files()), executor)
                .thenCompose(fetched -> receive(message, fetched));
    }

    private CompletionStage<Settlement> receive(ReadMessage message, List<Attachment> attachments) {
        Overheard.Taken before = overheard.takeBefore(message);
        List<PrecedingMessage> context = Stream.concat(message.context().stream(), before.messages().stream())
                .toList();
        Received received = new Received(
                message.source(),
                message.text(),
                attachments,
                Optional.of(message.messageId()),
                message.sentAt(),
                message.replyTo(),
                message.mentioned(),
                context);
        return listener.receive(received, AnswerListener.NONE).thenApply(receipt -> {
            if (!(receipt instanceof Receipt.Admitted)) {
                overheard.giveBack(before);
            }
            return Settlement.of(receipt, leastPause);
        });
    }

    /** Keeps a message that was not for the agent, as far as such messages are kept; completes once it is settled. */
    public CompletionStage<Settlement> overheard(ReadMessage message) {
        return overheard.keep(message);
    }

    /** Hands in what happened to a message or a chat; completes as {@link #message} does. */
    public CompletionStage<Settlement> happened(Happened what) {
        overheard.happened(what.source(), what.event());
        return listener.happened(what).thenApply(receipt -> Settlement.of(receipt, leastPause));
    }
}
