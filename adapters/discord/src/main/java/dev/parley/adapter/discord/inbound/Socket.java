package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.json.Nulls;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One connection of the gateway. Tells its frames in order. Safe for concurrent use. */
final class Socket implements WebSocket.Listener {
    private static final int LONGEST = 64 << 20;
    private static final int HEARTBEAT = 1;
    private static final int RECONNECT = 7;
    private static final int INVALID = 9;
    private static final int HELLO = 10;
    private static final int HEARD = 11;

    private final Frames frames;
    private final CompletableFuture<Duration> hello = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private Optional<WebSocket> socket = Optional.empty();
    private CompletableFuture<Optional<WebSocket>> sending = CompletableFuture.completedFuture(Optional.empty());
    private volatile boolean ended;
    private volatile boolean leaving;
    private volatile boolean heard = true;
    private volatile int closed;

    /** Takes what comes by a connection; must not block. */
    interface Frames {
        /** An event of the session. */
        void event(Socket socket, JsonNode frame);

        /** Discord wants a heartbeat now. */
        void beat(Socket socket);

        /** The session is none, and whether it may be resumed all the same. */
        void invalid(Socket socket, boolean resumable);

        /** Discord wants the connection to be replaced by a new one. */
        void leaves(Socket socket);

        /** The connection has ended. */
        void ended(Socket socket);
    }

    Socket(Frames frames) {
        this.frames = frames;
    }

    /** Completes with the time between heartbeats; exceptionally where the connection ends before. */
    CompletableFuture<Duration> hello() {
        return hello;
    }

    boolean isEnded() {
        return ended;
    }

    /** Returns whether Discord has asked to replace it. */
    boolean isLeaving() {
        return leaving;
    }

    /** Returns whether any heartbeat was answered since the last one that has to be. */
    boolean isHeard() {
        return heard;
    }

    /** Returns the code that Discord closed it with; 0 where it did not. */
    int closed() {
        return closed;
    }

    /** Tells Discord up to which event everything is settled; one that has to be answered shows whether the connection lives. */
    void heartbeat(int settled, boolean answered) {
        heard = heard && !answered;
        send("{\"op\":1,\"d\":" + (settled == 0 ? "null" : String.valueOf(settled)) + "}");
    }

    /** Sends behind what is sent already: a connection takes one at a time. */
    synchronized void send(String frame) {
        if (ended || socket.isEmpty()) {
            return;
        }
        WebSocket open = socket.get();
        // A connection that the other side has just closed may not be told to end; sending by it fails all the same.
        sending = sending.thenCompose(done -> open.sendText(frame, true).thenApply(Optional::of));
        sending = sending.whenComplete((done, failure) -> {
            if (failure != null) {
                close();
            }
        });
    }

    /** Ends the connection without a farewell, which would end the session. */
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
        frames.ended(this);
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
        opened.request(1);
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        if (text.length() + data.length() > LONGEST) {
            close();
            return CompletableFuture.completedFuture(null);
        }
        text.append(data);
        if (last) {
            String whole = text.toString();
            text.setLength(0);
            if (!ended) {
                frame(whole);
            }
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    private void frame(String whole) {
        JsonNode frame;
        try {
            frame = Nulls.dropped(Json.MAPPER.readTree(whole));
        } catch (JsonProcessingException notJson) {
            // Nothing that has a number.
            return;
        }
        switch (frame.path("op").asInt(-1)) {
            case 0 -> frames.event(this, frame);
            case HEARTBEAT -> frames.beat(this);
            case RECONNECT -> {
                leaving = true;
                frames.leaves(this);
            }
            case INVALID -> frames.invalid(this, frame.path("d").asBoolean(false));
            case HELLO ->
                hello.complete(Duration.ofMillis(
                        Math.max(1, frame.path("d").path("heartbeat_interval").asLong(41_250))));
            case HEARD -> heard = true;
            default -> {
                // Of the future.
            }
        }
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        closed = status;
        end();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        end();
    }
}
