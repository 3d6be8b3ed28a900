package dev.parley.adapter.slack.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.JsonSocket;
import dev.parley.adapter.kit.json.Json;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One connection of Socket Mode. Tells its events what comes by it, in order. Safe for concurrent use. */
final class Socket extends JsonSocket {
    private static final int LONGEST = 16 << 20;

    private final InstantSource clock;
    private final Events events;
    private final CompletableFuture<Socket> hello = new CompletableFuture<>();
    private volatile Instant heard;
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
        super(LONGEST);
        this.clock = clock;
        this.events = events;
        this.heard = clock.instant();
    }

    /** Completes once Slack gives work by this connection; exceptionally where it ends before. */
    CompletableFuture<Socket> hello() {
        return hello;
    }

    /** Returns when anything came by it last. */
    Instant lastHeard() {
        return heard;
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

    @Override
    protected void frame(JsonNode frame) {
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
    protected void heard() {
        heard = clock.instant();
    }

    @Override
    protected void ended() {
        hello.completeExceptionally(new IllegalStateException("The connection ended."));
        events.ended(this);
    }
}
