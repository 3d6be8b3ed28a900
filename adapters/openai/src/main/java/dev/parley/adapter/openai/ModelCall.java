package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One call of the model: the request, and the answer as it comes in. Everything that happens is a task of its turn, and so are the calls of
 * its methods. What comes in after it was left is dropped.
 */
final class ModelCall {
    private static final int LONGEST_REFUSAL = 1 << 16;

    private final OpenAiSettings settings;
    private final Endpoint endpoint;
    private final ArrayNode conversation;
    private final InstantSource clock;
    private final Executor tasks;
    private final long kept;
    private final Listener listener;
    private final Completion completion = new Completion();
    private final LineSplitter splitter;
    private final EventLines eventLines = new EventLines();
    private final StringBuilder body = new StringBuilder();
    private boolean left;
    private boolean streaming;
    private boolean done;
    private int status;
    private HttpHeaders headers = HttpHeaders.of(Map.of(), (name, value) -> true);
    private Flow.@Nullable Subscription subscription;
    private @Nullable Future<?> exchange;

    /** Told what comes of a call, in its turn's tasks; after the last four it is over. */
    interface Listener {
        /** The server takes the request and begins to answer. */
        void taken();

        /** Something came in. */
        void heard();

        /** The model has said something. */
        void said(String delta);

        /** The answer is longer than may be. */
        void tooLarge();

        /** The server refuses. */
        void refused(Refusal refusal);

        /** The answer did not come whole. */
        void broke(String why);

        /** The answer is whole. */
        void whole();
    }

    /**
     * A call that is not made yet.
     *
     * @param conversation what the model is told
     * @param clock the time from which waits count
     * @param tasks runs what happens, one at a time and in order
     * @param kept how many characters the turn holds already, which count towards the longest answer
     * @param listener told what comes of it
     */
    ModelCall(
            OpenAiSettings settings,
            Endpoint endpoint,
            ArrayNode conversation,
            InstantSource clock,
            Executor tasks,
            long kept,
            Listener listener) {
        this.settings = settings;
        this.endpoint = endpoint;
        this.conversation = conversation;
        this.clock = clock;
        this.tasks = tasks;
        this.kept = kept;
        this.listener = listener;
        this.splitter = new LineSplitter(settings.answerSize());
    }

    /** Sends the request. */
    void begin(HttpClient client) {
        CompletableFuture<HttpResponse<Void>> sent = client.sendAsync(
                request(),
                info -> HttpResponse.BodySubscribers.fromSubscriber(new Bytes(info.statusCode(), info.headers())));
        var unused = sent.whenComplete((response, failure) -> {
            if (failure != null) {
                post(() -> listener.broke(reason(failure)));
            }
        });
        exchange = sent;
    }

    /** Ends it, whatever is still coming in. */
    void leave() {
        left = true;
        if (subscription != null) {
            subscription.cancel();
        }
        if (exchange != null) {
            exchange.cancel(true);
        }
    }

    /** Returns what the model has said and asked for until now. */
    Completion completion() {
        return completion;
    }

    private void post(Runnable task) {
        tasks.execute(() -> {
            if (!left) {
                task.run();
            }
        });
    }

    private HttpRequest request() {
        ObjectNode content = Json.object().put("model", endpoint.model());
        content.set("messages", conversation);
        content.put("stream", true).putObject("stream_options").put("include_usage", true);
        settings.temperature().ifPresent(value -> content.put("temperature", value));
        settings.maxTokens().ifPresent(value -> content.put(settings.maxTokensName(), value));
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.completions())
                .header("Content-Type", "application/json")
                .header("Accept", "text/event-stream, application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(content)));
        endpoint.key().ifPresent(key -> request.header("Authorization", "Bearer " + key.text()));
        return request.build();
    }

    private final class Bytes implements Flow.Subscriber<List<ByteBuffer>> {
        private final int code;
        private final HttpHeaders head;

        Bytes(int code, HttpHeaders head) {
            this.code = code;
            this.head = head;
        }

        @Override
        public void onSubscribe(Flow.Subscription bytes) {
            tasks.execute(() -> {
                if (left) {
                    bytes.cancel();
                } else {
                    opened(code, head, bytes);
                }
            });
        }

        @Override
        public void onNext(List<ByteBuffer> bytes) {
            post(() -> received(bytes));
        }

        @Override
        public void onError(Throwable failure) {
            post(() -> listener.broke(reason(failure)));
        }

        @Override
        public void onComplete() {
            post(ModelCall.this::complete);
        }
    }

    private void opened(int code, HttpHeaders head, Flow.Subscription bytes) {
        status = code;
        headers = head;
        subscription = bytes;
        streaming = code == 200
                && !head.firstValue("Content-Type").orElse("text/event-stream").startsWith("application/json");
        if (code == 200) {
            listener.taken();
        }
        listener.heard();
        bytes.request(1);
    }

    private void received(List<ByteBuffer> bytes) {
        listener.heard();
        List<String> lines;
        try {
            lines = splitter.take(bytes);
        } catch (IllegalStateException e) {
            listener.tooLarge();
            return;
        }
        for (String line : lines) {
            line(line);
            if (left) {
                return;
            }
        }
        if (kept + completion.size() + eventLines.size() + body.length() > settings.answerSize()) {
            listener.tooLarge();
        } else if (subscription != null) {
            subscription.request(1);
        }
    }

    private void line(String line) {
        if (streaming) {
            eventLines.line(line).ifPresent(this::event);
        } else if (body.length() < LONGEST_REFUSAL || status == 200) {
            body.append(line).append('\n');
        }
    }

    private void event(String data) {
        if (data.strip().equals("[DONE]")) {
            done = true;
            return;
        }
        Optional<JsonNode> chunk = Json.read(data).filter(JsonNode::isObject);
        if (chunk.isEmpty()) {
            listener.broke("it sent something that is no JSON");
        } else {
            add(chunk.get());
        }
    }

    private void add(JsonNode chunk) {
        if (chunk.hasNonNull("error")) {
            listener.refused(Refusal.inStream(chunk, endpoint, conversation));
            return;
        }
        String delta = completion.add(chunk);
        if (!delta.isEmpty()) {
            listener.said(delta);
        }
    }

    private void complete() {
        splitter.end().ifPresent(this::line);
        if (left) {
            return;
        }
        if (status != 200) {
            listener.refused(Refusal.of(
                    status, headers, body.toString(), endpoint, settings.keyName(), conversation, clock.instant()));
            return;
        }
        if (streaming) {
            eventLines.end().ifPresent(this::event);
        } else {
            // A server that does not stream answers at once.
            Json.read(body.toString())
                    .ifPresentOrElse(
                            answer -> {
                                done = true;
                                add(answer);
                            },
                            () -> listener.broke("it sent something that is no JSON"));
        }
        if (left) {
            return;
        }
        if (done || completion.isFinished()) {
            listener.whole();
        } else {
            listener.broke("the connection ended in the middle of the answer");
        }
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }
}
