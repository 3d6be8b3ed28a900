package dev.parley.adapter.discord.inbound;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.api.JsonSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** One connection of the gateway. Tells its frames in order. Safe for concurrent use. */
final class Socket extends JsonSocket {
    private static final int LONGEST = 64 << 20;
    private static final int HEARTBEAT = 1;
    private static final int RECONNECT = 7;
    private static final int INVALID = 9;
    private static final int HELLO = 10;
    private static final int HEARD = 11;

    private final Frames frames;
    private final CompletableFuture<Duration> hello = new CompletableFuture<>();
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
        super(LONGEST);
        this.frames = frames;
    }

    /** Completes with the time between heartbeats; exceptionally where the connection ends before. */
    CompletableFuture<Duration> hello() {
        return hello;
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

    void send(String frame) {
        send(socket -> socket.sendText(frame, true));
    }

    @Override
    protected void frame(JsonNode frame) {
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
    protected void closed(int status) {
        closed = status;
    }

    @Override
    protected void ended() {
        hello.completeExceptionally(new IllegalStateException("The connection ended."));
        frames.ended(this);
    }
}
