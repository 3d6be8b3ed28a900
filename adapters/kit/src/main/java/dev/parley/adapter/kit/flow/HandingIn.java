package dev.parley.adapter.kit.flow;

import dev.parley.adapter.kit.flow.ChatOrder.Settlement;
import dev.parley.adapter.kit.media.FileFetch;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Received;
import dev.parley.domain.turn.Attachment;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Hands what was read to the gateway, the files of a message first fetched. What is handed in at once is taken in the order of the
 * calls, unless it has files: an adapter waits for one message of a chat before it hands in the next. Safe for concurrent use.
 */
public final class HandingIn {
    private final FileFetch files;
    private final InboundListener listener;
    private final Executor executor;
    private final Duration leastPause;

    /**
     * Hands in to a gateway.
     *
     * @param files fetches what comes with messages
     * @param listener the gateway
     * @param executor runs what may block
     * @param leastPause how long to wait at least before what could not be stored is handed in again
     */
    public HandingIn(FileFetch files, InboundListener listener, Executor executor, Duration leastPause) {
        this.files = files;
        this.listener = listener;
        this.executor = executor;
        this.leastPause = leastPause;
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
        Received received = new Received(
                message.source(),
                message.text(),
                attachments,
                Optional.of(message.messageId()),
                message.sentAt(),
                message.replyTo(),
                message.mentioned(),
                message.context());
        return listener.receive(received, AnswerListener.NONE).thenApply(receipt -> Settlement.of(receipt, leastPause));
    }

    /** Hands in what happened to a message or a chat; completes as {@link #message} does. */
    public CompletionStage<Settlement> happened(Happened what) {
        return listener.happened(what).thenApply(receipt -> Settlement.of(receipt, leastPause));
    }
}
