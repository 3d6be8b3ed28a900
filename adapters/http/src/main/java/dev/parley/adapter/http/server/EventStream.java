package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.AnswerListener;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events to one caller. Whoever reports an event never waits for the caller: events are written in their order on
 * the executor, one thread at a time. Nothing is written before {@link #open}.
 */
final class EventStream implements AnswerListener {
    private static final Event HEARTBEAT = new Event(": waiting\n\n", false);

    private final Executor executor;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    /** Begins at one, so that nobody writes before it is opened. */
    private final AtomicInteger wanted = new AtomicInteger(1);

    private final Set<OutgoingId> told = ConcurrentHashMap.newKeySet();
    private volatile OutputStream to = OutputStream.nullOutputStream();

    private record Event(String text, boolean last) {}

    EventStream(Executor executor) {
        this.executor = executor;
    }

    /** Begins to write, with {@code first} before everything reported so far. */
    void open(OutputStream out, String name, ObjectNode data) {
        Event first = event(name, data, false);
        executor.execute(() -> {
            to = out;
            write(out, first);
            write();
        });
    }

    /** Completes when the last event is written or the caller is gone. */
    CompletableFuture<@Nullable Void> ended() {
        return ended;
    }

    /** Writes a comment, so that nobody between us and the caller takes the connection for dead. */
    void heartbeat() {
        add(HEARTBEAT);
    }

    /** Tells a message of the gateway, once. */
    void tell(Outgoing message) {
        if (told.add(message.id())) {
            add(event("reply", LiveRows.outgoing(message), false));
        }
    }

    /** Ends with an error. */
    void fail(String why) {
        add(event("error", Json.error(why), true));
    }

    @Override
    public void streamed(TurnId turn, String delta) {
        add(event("delta", Json.object().put("turn", turn.value()).put("text", delta), false));
    }

    @Override
    public void replied(Outgoing reply) {
        tell(reply);
    }

    @Override
    public void finished(TurnId turn, String text) {
        add(event("done", Json.object().put("turn", turn.value()).put("text", text), true));
    }

    @Override
    public void closed(String why) {
        add(event("done", Json.object().putNull("turn").put("text", "").put("why", why), true));
    }

    /** Ends without an answer to come, as for a message received before. */
    void end() {
        closed("received before");
    }

    private static Event event(String name, ObjectNode data, boolean last) {
        return new Event("event: " + name + "\ndata: " + Json.text(data) + "\n\n", last);
    }

    private void add(Event event) {
        events.add(event);
        if (wanted.getAndIncrement() == 0) {
            executor.execute(this::write);
        }
    }

    private void write() {
        do {
            for (Event next = events.poll(); next != null; next = events.poll()) {
                write(to, next);
            }
        } while (wanted.decrementAndGet() > 0);
    }

    private void write(OutputStream out, Event event) {
        if (ended.isDone()) {
            return;
        }
        try {
            out.write(event.text().getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException callerIsGone) {
            ended.complete(null);
        }
        if (event.last()) {
            ended.complete(null);
        }
    }
}
