package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.json.Nulls;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One connection of Socket Mode. Tells its events what comes by it, in order. Safe for concurrent use. */
final class Socket implements WebSocket.Listener {
    private static final int LONGEST = 16 << 20;

    private final InstantSource clock;
    private final Events events;
    private final CompletableFuture<Socket> hello = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private Optional<WebSocket> socket = Optional.empty();
    private CompletableFuture<Optional<WebSocket>> sending = CompletableFuture.completedFuture(Optional.empty());
    private volatile Instant heard;
    private volatile boolean ended;
    private volatile boolean leaving;

    /** Takes what comes by a connection; must not block. */
    interface Events {
        /** Slack gives work. */
        void work(Socket socket, JsonNode envelope);

        /** Slack wants the connection to be replaced by a new one. */
        void leaves(Socket socket);

        /** The connection has ended. */
        void ended(Socket socket);
    }

    Socket(InstantSource clock, Events events) {
        this.clock = clock;
        this.events = events;
        this.heard = clock.instant();
    }

    /** Completes once Slack gives work by this connection; exceptionally where it ends before. */
    CompletableFuture<Socket> hello() {
        return hello;
    }

    /** Returns when anything came by it last. */
    Instant heard() {
        return heard;
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns whether Slack has asked to replace it. */
    boolean isLeaving() {
        return leaving;
    }

    void acknowledge(String envelope) {
        String answer = Json.MAPPER.valueToTree(Map.of("envelope_id", envelope)).toString();
        send(socket -> socket.sendText(answer, true));
    }

    void ping() {
        send(socket -> socket.sendPing(ByteBuffer.wrap(new byte[] {'p'})));
    }

    private interface Sending {
        CompletableFuture<WebSocket> on(WebSocket socket);
    }

    /** Sends behind what is sent already: a connection takes one at a time. */
    private synchronized void send(Sending what) {
        if (ended || socket.isEmpty()) {
            return;
        }
        WebSocket open = socket.get();
        // A connection that the other side has just closed may not be told to end; sending by it fails all the same.
        sending = sending.thenCompose(done -> what.on(open).thenApply(Optional::of));
        sending = sending.whenComplete((done, failure) -> {
            if (failure != null) {
                close();
            }
        });
    }

    /** Ends the connection without waiting for the other side. */
    void close() {
        end();
        Optional<WebSocket> open;
        synchronized (this) {
            open = socket;
        }
        open.ifPresent(WebSocket::abort);
    }

    private void end() {
        ended = true;
        hello.completeExceptionally(new IllegalStateException("The connection ended."));
        events.ended(this);
    }

    @Override
    public void onOpen(WebSocket opened) {
        synchronized (this) {
            socket = Optional.of(opened);
        }
        if (ended) {
            // It was given up while it was opened: nobody else would end it.
            opened.abort();
            return;
        }
        heard = clock.instant();
        opened.request(1);
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        heard = clock.instant();
        if (text.length() + data.length() > LONGEST) {
            close();
            return CompletableFuture.completedFuture(null);
        }
        text.append(data);
        if (last) {
            String whole = text.toString();
            text.setLength(0);
            frame(whole);
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    private void frame(String whole) {
        JsonNode frame;
        try {
            frame = Nulls.dropped(Json.MAPPER.readTree(whole));
        } catch (JsonProcessingException notJson) {
            // Nothing that could be acknowledged.
            return;
        }
        switch (frame.path("type").asText()) {
            case "hello" -> hello.complete(this);
            case "disconnect" -> {
                leaving = true;
                events.leaves(this);
            }
            default -> {
                if (frame.path("envelope_id").isTextual()) {
                    events.work(this, frame);
                }
            }
        }
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        heard = clock.instant();
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        heard = clock.instant();
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        heard = clock.instant();
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        end();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        end();
    }
}
