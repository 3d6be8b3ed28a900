package dev.parley.adapter.signal.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Reads one stream of server-sent events. Written here since the readers of libraries drop what has arrived before a connection breaks,
 * hold a line of any length in memory, and do not tell where a stream breaks within an event. Safe for concurrent use.
 */
public final class EventStream implements Flow.Subscriber<List<ByteBuffer>> {
    private static final String RECEIVE = "receive";

    private final int longest;
    private final Events events;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private StringJoiner data = new StringJoiner("\n");
    private Flow.@Nullable Subscription subscription;
    private boolean closed;
    private boolean begun;
    private boolean other;
    private boolean tooLong;
    private long length;

    /** Takes what a stream brings, in the thread that reads it. */
    public interface Events {
        /** A line came: the server is there. */
        void line();

        /** A message or the like came, with its data. */
        void event(String data);

        /** An event came that is longer than may be; it was left out. */
        void tooLong();
    }

    /** A reader of one stream, for events of at most so many bytes. */
    public EventStream(int longest, Events events) {
        this.longest = longest;
        this.events = events;
    }

    /** Completes once the stream has ended, is broken or closed; never exceptionally. */
    public CompletionStage<Void> over() {
        return over;
    }

    /** Closes the stream; returns once no event of it is being taken. */
    public synchronized void close() {
        closed = true;
        if (subscription != null) {
            subscription.cancel();
        }
        over.complete(null);
    }

    /** Returns whether the stream has ended within an event, which is lost. */
    public synchronized boolean isWithinEvent() {
        return begun;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (closed) {
            given.cancel();
        } else {
            given.request(1);
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining() && !closed) {
                next(buffer.get());
            }
        }
        if (subscription != null && !closed) {
            subscription.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        over.complete(null);
    }

    @Override
    public void onComplete() {
        over.complete(null);
    }

    private void next(byte each) {
        if (each == '\n') {
            String whole = line.toString(StandardCharsets.UTF_8);
            line.reset();
            line(whole);
            return;
        }
        length++;
        begun |= line.size() == 0 && each != ':' && each != '\r';
        if (length <= longest) {
            line.write(each);
        } else {
            tooLong = true;
        }
    }

    private void line(String raw) {
        String text = raw.endsWith("\r") ? raw.substring(0, raw.length() - 1) : raw;
        events.line();
        if (text.isEmpty()) {
            end();
        } else if (text.startsWith(":")) {
            // A sign of life stands between events as well as within them, and is no part of them.
            length -= raw.length();
        } else if (text.startsWith("event:")) {
            other = !text.substring(6).strip().equals(RECEIVE);
        } else if (text.startsWith("data:")) {
            data.add(text.substring(text.startsWith("data: ") ? 6 : 5));
        }
    }

    private void end() {
        String whole = data.toString();
        boolean taken = !tooLong && !other && !whole.isEmpty();
        boolean leftOut = tooLong;
        data = new StringJoiner("\n");
        begun = false;
        other = false;
        tooLong = false;
        length = 0;
        if (leftOut) {
            events.tooLong();
        } else if (taken) {
            events.event(whole);
        }
    }
}
