package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.AnswerListener;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.TurnId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Server-sent events to one caller. Whoever reports an event never waits for the caller: events are written in their order on
 * the executor, one thread at a time. Nothing is written before {@link #open}. A caller that does not read is left once more waits
 * for it than one answer can be. Safe for concurrent use.
 */
final class EventStream implements AnswerListener {
    private static final Event HEARTBEAT = new Event(": waiting\n\n", false);
    private static final int MOST_WAITING = 64 << 20;

    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private final CompletableFuture<OutputStream> to = new CompletableFuture<>();
    private final SerialTasks tasks;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Set<OutgoingId> told = ConcurrentHashMap.newKeySet();
    private final List<Event> early = new ArrayList<>();

    private record Event(String text, boolean last) {}

    EventStream(Executor executor) {
        this.tasks = new SerialTasks(executor, failure -> ended.complete(null));
    }

    /** Begins to write, with a first event before everything reported so far. */
    void open(OutputStream out, String name, ObjectNode data) {
        Event first = event(name, data, false);
        tasks.execute(() -> {
            to.complete(out);
            write(out, first);
            early.forEach(event -> write(out, event));
            early.clear();
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

    /** The stream goes on: the answer comes on it once the question is answered. */
    @Override
    public void asked(Outgoing question) {
        if (told.add(question.id())) {
            add(event("asked", LiveRows.outgoing(question), false));
        }
    }

    @Override
    public void finished(Outgoing answer) {
        ObjectNode data = Json.object()
                .put("turn", answer.turn().map(TurnId::value).orElse(null))
                .put("text", answer.text());
        add(event("done", SentFiles.named(data, answer), true));
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
        if (ended.isDone()) {
            return;
        }
        if (waiting.addAndGet(event.text().length()) > MOST_WAITING) {
            ended.complete(null);
            return;
        }
        tasks.execute(() -> {
            waiting.addAndGet(-event.text().length());
            if (to.isDone()) {
                write(to.join(), event);
            } else {
                early.add(event);
            }
        });
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
