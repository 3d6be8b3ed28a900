package dev.parley.adapter.kit.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.adapter.kit.json.Nulls;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One WebSocket by which a server tells frames of JSON. Frames come one after the other, in order, and none once the connection has ended;
 * what is sent goes out in order, too. A frame that is no JSON is left out, and one that is too long ends the connection. Safe for
 * concurrent use.
 */
public abstract class JsonSocket implements WebSocket.Listener {
    private final int longest;
    private final StringBuilder text = new StringBuilder();
    private Optional<WebSocket> socket = Optional.empty();
    private CompletableFuture<Optional<WebSocket>> sending = CompletableFuture.completedFuture(Optional.empty());
    private volatile boolean ended;

    /** A connection that is not open yet, for frames of at most {@code longest} characters. */
    protected JsonSocket(int longest) {
        this.longest = longest;
    }

    /** Takes a frame, whose fields that are null are left out. Called on the connection's thread; must not block. */
    protected abstract void frame(JsonNode frame);

    /** Anything came by the connection, a ping included. Called before what came is taken; does nothing by itself. */
    protected void heard() {}

    /** The server has closed the connection, with this status. Called before {@link #ended()}; does nothing by itself. */
    protected void closed(int status) {}

    /** The connection has ended, whoever ended it. May be called more than once, on any thread; must not block. */
    protected abstract void ended();

    /** Returns whether the connection has ended; one that is not open yet has not. */
    public final boolean isEnded() {
        return ended;
    }

    /** Sends behind what is sent already, since a connection takes one at a time; where that fails the connection ends. */
    protected final synchronized void send(Function<WebSocket, CompletableFuture<WebSocket>> what) {
        if (ended || socket.isEmpty()) {
            return;
        }
        WebSocket open = socket.get();
        // A connection that the other side has just closed may not be told to end; sending by it fails all the same.
        sending = sending.thenCompose(done -> what.apply(open).thenApply(Optional::of));
        sending = sending.whenComplete((done, failure) -> {
            if (failure != null) {
                close();
            }
        });
    }

    /** Ends the connection without a farewell and without waiting for the other side; one that opens later is ended then. */
    public final void close() {
        end();
        Optional<WebSocket> open;
        synchronized (this) {
            open = socket;
        }
        open.ifPresent(WebSocket::abort);
    }

    private void end() {
        ended = true;
        ended();
    }

    @Override
    public final void onOpen(WebSocket opened) {
        synchronized (this) {
            socket = Optional.of(opened);
        }
        if (ended) {
            // It was given up while it was opened: nobody else would end it.
            opened.abort();
            return;
        }
        heard();
        opened.request(1);
    }

    @Override
    public final CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        heard();
        if (text.length() + data.length() > longest) {
            close();
            return CompletableFuture.completedFuture(null);
        }
        text.append(data);
        if (last) {
            String whole = text.toString();
            text.setLength(0);
            if (!ended) {
                Json.read(whole).map(Nulls::dropped).ifPresent(this::frame);
            }
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public final CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean last) {
        return passed(from);
    }

    @Override
    public final CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        return passed(from);
    }

    @Override
    public final CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        return passed(from);
    }

    private CompletionStage<?> passed(WebSocket from) {
        heard();
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public final CompletionStage<?> onClose(WebSocket from, int status, String reason) {
        closed(status);
        end();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public final void onError(WebSocket from, Throwable failure) {
        end();
    }
}
