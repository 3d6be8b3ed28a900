package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.adapter.kit.json.Json;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.guard.Thrown;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * One turn: calls of the model until it answers without asking for tools. Everything that happens is a serial task, so the fields
 * below belong to whichever thread runs it. A call that was left is
 * known by its number: what it still reports is nothing to us.
 */
final class OpenAiRun implements AgentRun {
    static final String NO_TOOL = "This tool is not available here.";

    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_ASKED_WAIT = Duration.ofMinutes(5);
    private static final int LONGEST_REFUSAL = 1 << 16;

    private final ProviderSettings surroundings;
    private final OpenAiSettings settings;
    private final Endpoint endpoint;
    private final HttpClient client;
    private final ArrayNode conversation;
    private final AgentEvents events;

    private final SerialTasks tasks;
    private final Instant deadline;
    private final List<String> steered = new ArrayList<>();
    private boolean closedToSteering;
    private volatile Instant lastActivity;
    private volatile String activity = "waiting for the model";

    private long call;
    private int tries;
    private int rounds;
    private long kept;
    private boolean ended;
    private Completion completion = new Completion();
    private LineSplitter splitter;
    private EventLines eventLines = new EventLines();
    private final StringBuilder said = new StringBuilder();
    private StringBuilder body = new StringBuilder();
    private boolean streaming;
    private boolean done;
    private int status;
    private HttpHeaders headers = HttpHeaders.of(Map.of(), (name, value) -> true);
    private Flow.@Nullable Subscription subscription;
    private Timers.@Nullable Timer timer;
    private @Nullable Future<?> exchange;
    private TokenUsage tokens = TokenUsage.NONE;
    private long apiCalls;
    private long lastPromptTokens;
    private Optional<String> model = Optional.empty();

    OpenAiRun(
            ProviderSettings surroundings,
            OpenAiSettings settings,
            Endpoint endpoint,
            HttpClient client,
            ArrayNode conversation,
            AgentEvents events) {
        this.surroundings = surroundings;
        this.settings = settings;
        this.endpoint = endpoint;
        this.client = client;
        this.conversation = conversation;
        this.events = events;
        this.splitter = new LineSplitter(settings.answerSize());
        this.lastActivity = now();
        this.deadline = lastActivity.plus(settings.answerTime());
        this.tasks = new SerialTasks(surroundings.executor(), this::broken);
    }

    void begin() {
        post(this::call);
    }

    /** A task that throws, the report of the end too, ends the turn as a failure. */
    private void broken(Throwable fault) {
        if (!ended) {
            fail(AgentFailure.Kind.MODEL, "The call of the model broke: " + Thrown.line(fault));
        }
    }

    private Instant now() {
        return surroundings.clock().instant().truncatedTo(ChronoUnit.MICROS);
    }

    private void post(Runnable task) {
        tasks.execute(() -> {
            if (!ended) {
                task.run();
            }
        });
    }

    /** Posts a task that only matters while the call goes on. */
    private void post(long of, Runnable task) {
        post(() -> {
            if (of == call) {
                task.run();
            }
        });
    }

    // ---- one call

    private void call() {
        long number = ++call;
        completion = new Completion();
        splitter = new LineSplitter(settings.answerSize());
        eventLines = new EventLines();
        body = new StringBuilder();
        streaming = false;
        done = false;
        status = 0;
        active("waiting for the model");
        CompletableFuture<HttpResponse<Void>> sent = client.sendAsync(
                request(),
                info -> HttpResponse.BodySubscribers.fromSubscriber(
                        new Bytes(number, info.statusCode(), info.headers())));
        var unused = sent.whenComplete((response, failure) -> {
            if (failure != null) {
                post(number, () -> broke(reason(failure)));
            }
        });
        exchange = sent;
        watch(number, settings.patience());
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
        private final long number;
        private final int code;
        private final HttpHeaders head;

        Bytes(long number, int code, HttpHeaders head) {
            this.number = number;
            this.code = code;
            this.head = head;
        }

        @Override
        public void onSubscribe(Flow.Subscription bytes) {
            post(() -> {
                if (number == call) {
                    opened(code, head, bytes);
                } else {
                    bytes.cancel();
                }
            });
        }

        @Override
        public void onNext(List<ByteBuffer> bytes) {
            post(number, () -> received(bytes));
        }

        @Override
        public void onError(Throwable failure) {
            post(number, () -> broke(reason(failure)));
        }

        @Override
        public void onComplete() {
            post(number, OpenAiRun.this::complete);
        }
    }

    private void opened(int code, HttpHeaders head, Flow.Subscription bytes) {
        status = code;
        headers = head;
        subscription = bytes;
        streaming = code == 200
                && !head.firstValue("Content-Type").orElse("text/event-stream").startsWith("application/json");
        if (code == 200) {
            apiCalls++;
        }
        active("receiving");
        bytes.request(1);
    }

    private void received(List<ByteBuffer> bytes) {
        active("receiving");
        long number = call;
        try {
            for (String line : splitter.take(bytes)) {
                line(line);
                if (number != call || ended) {
                    return;
                }
            }
        } catch (IllegalStateException e) {
            tooLarge();
        }
        if (number == call && !ended && size() > settings.answerSize()) {
            tooLarge();
        }
        if (subscription != null) {
            subscription.request(1);
        }
    }

    /** Returns how many characters the model has said and asked in this turn, and how many are held beside that. */
    private long size() {
        return kept + completion.size() + eventLines.size() + body.length();
    }

    private void tooLarge() {
        fail(
                AgentFailure.Kind.MODEL,
                "The answer of " + endpoint.baseUrl() + " is longer than the " + settings.answerSize()
                        + " characters that " + surroundings.nameOf(OpenAiSettings.ANSWER_SIZE) + " allows.");
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
            broke("it sent something that is no JSON");
        } else if (chunk.get().hasNonNull("error")) {
            refused(Refusal.inStream(chunk.get(), endpoint, conversation));
        } else {
            say(completion.add(chunk.get()));
        }
    }

    private void say(String delta) {
        if (!delta.isEmpty()) {
            events.streamed(delta);
        }
    }

    private void complete() {
        long number = call;
        splitter.end().ifPresent(this::line);
        if (status != 200) {
            refused(Refusal.of(status, headers, body.toString(), endpoint, settings.keyName(), conversation, now()));
            return;
        }
        if (streaming && number == call && !ended) {
            eventLines.end().ifPresent(this::event);
        } else if (!streaming) {
            Json.read(body.toString()).ifPresentOrElse(this::whole, () -> broke("it sent something that is no JSON"));
        }
        if (number != call || ended) {
            return;
        }
        if (done || completion.isFinished()) {
            answered();
        } else {
            broke("the connection ended in the middle of the answer");
        }
    }

    /** A server that does not stream answers at once. */
    private void whole(JsonNode message) {
        if (message.hasNonNull("error")) {
            refused(Refusal.inStream(message, endpoint, conversation));
        } else {
            done = true;
            say(completion.add(message));
        }
    }

    // ---- what comes of a call

    private void answered() {
        leave();
        count();
        tries = 0;
        kept += completion.size();
        List<ToolCall> calls = completion.calls(surroundings.ids());
        if (!calls.isEmpty()) {
            answerCalls(calls);
            return;
        }
        said.append(completion.text());
        List<String> more = takeSteered(true);
        if (more.isEmpty()) {
            events.answered(answer(completion.reasoning(), completion.finishReason()));
            ended = true;
            return;
        }
        Conversation.addAnswer(conversation, completion.text(), List.of());
        more.forEach(text -> Conversation.addInput(conversation, text));
        if (!completion.text().isEmpty()) {
            said.append("\n\n");
            events.streamed("\n\n");
        }
        call();
    }

    private void answerCalls(List<ToolCall> calls) {
        String along = completion.text();
        events.toolsCalled(along.isEmpty() ? Content.none() : Content.text(along), calls, completion.reasoning());
        Conversation.addAnswer(conversation, along, calls);
        for (ToolCall each : calls) {
            events.toolAnswered(each.id(), each.name(), Content.text(NO_TOOL));
            Conversation.addResult(conversation, each.id(), NO_TOOL);
        }
        if (++rounds > settings.rounds()) {
            fail(AgentFailure.Kind.MODEL, endpoint.model() + " keeps asking for tools, and none is available here.");
            return;
        }
        takeSteered(false).forEach(text -> Conversation.addInput(conversation, text));
        if (!along.isEmpty()) {
            events.streamed("\n\n");
        }
        call();
    }

    /** What was steered in counts as taken; with nothing left at the end, nothing more is. */
    private List<String> takeSteered(boolean last) {
        synchronized (steered) {
            List<String> taken = List.copyOf(steered);
            steered.clear();
            closedToSteering = last && taken.isEmpty();
            return taken;
        }
    }

    private void refused(Refusal refusal) {
        if (refusal.passing() && !completion.hasAnything()) {
            again(refusal.message(), refusal.retryAfter());
        } else {
            fail(refusal.kind(), refusal.message());
        }
    }

    private void broke(String why) {
        String message = "The answer of " + endpoint.baseUrl() + " did not come: " + why + ".";
        if (completion.hasAnything()) {
            fail(AgentFailure.Kind.MODEL, message);
        } else {
            again(message, Optional.empty());
        }
    }

    private void again(String why, Optional<Duration> asked) {
        leave();
        if (tries >= settings.retries()) {
            fail(AgentFailure.Kind.MODEL, tries == 0 ? why : why + " Tried " + (tries + 1) + " times.");
            return;
        }
        if (asked.isPresent() && asked.get().compareTo(LONGEST_ASKED_WAIT) > 0) {
            fail(
                    AgentFailure.Kind.MODEL,
                    why + " It asks to wait " + asked.get().toSeconds() + " seconds.");
            return;
        }
        Duration wait = asked.orElseGet(this::backoff);
        if (!now().plus(wait).isBefore(deadline)) {
            tooLate(why);
            return;
        }
        tries++;
        active("trying again (" + tries + " of " + settings.retries() + ")");
        long number = call;
        timer = surroundings.timers().after(wait, () -> post(number, this::call));
    }

    /** Doubles with each try, and is spread, so that many turns do not come back at once. */
    private Duration backoff() {
        Duration most = FIRST_WAIT.multipliedBy(1L << Math.min(tries, 10));
        Duration capped = most.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : most;
        return surroundings.ids().jitter(capped.dividedBy(2), capped);
    }

    /** Gives up a call that is silent for too long, and a turn that goes on for too long, whatever is still coming in. */
    private void watch(long number, Duration in) {
        Duration left = Duration.between(now(), deadline);
        Duration next = left.compareTo(in) < 0 ? left : in;
        timer = surroundings
                .timers()
                .after(
                        next.isNegative() ? Duration.ZERO : next,
                        () -> post(number, () -> {
                            Duration silent = Duration.between(lastActivity, now());
                            if (!now().isBefore(deadline)) {
                                tooLate("It was " + activity + ".");
                            } else if (silent.compareTo(settings.patience()) >= 0) {
                                broke("it was silent for " + silent.toSeconds() + " seconds");
                            } else {
                                watch(number, settings.patience().minus(silent));
                            }
                        }));
    }

    private void tooLate(String why) {
        fail(
                AgentFailure.Kind.MODEL,
                "The answer of " + endpoint.baseUrl() + " did not end within the "
                        + settings.answerTime().toSeconds() + " seconds that "
                        + surroundings.nameOf(OpenAiSettings.ANSWER_TIME) + " allows. " + why);
    }

    private void leave() {
        call++;
        if (subscription != null) {
            subscription.cancel();
            subscription = null;
        }
        if (exchange != null) {
            exchange.cancel(true);
            exchange = null;
        }
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void count() {
        tokens = tokens.plus(completion.tokens());
        if (completion.promptTokens() > 0) {
            lastPromptTokens = completion.promptTokens();
        }
        model = completion.model().or(() -> model);
    }

    /** Ends the turn: people are told in general what went wrong, the operator is told what the server said. */
    private void fail(AgentFailure.Kind kind, String detail) {
        leave();
        closeToSteering();
        ended = true;
        String safe =
                endpoint.key().map(key -> detail.replace(key.text(), "(key)")).orElse(detail);
        try {
            surroundings.warnings().accept(surroundings.path() + ": " + safe);
        } finally {
            events.failed(new AgentFailure(kind, forPeople(kind), tokens, apiCalls));
        }
    }

    private static String forPeople(AgentFailure.Kind kind) {
        return switch (kind) {
            case CONTEXT_TOO_LARGE, COMPRESSION_EXHAUSTED -> "The conversation is too large for the model.";
            case CONFIGURATION ->
                "The model cannot be used as it is set up; the operator of this gateway finds the reason in its log.";
            case MODEL -> "The model gave no answer. Please try again in a while.";
        };
    }

    private void closeToSteering() {
        synchronized (steered) {
            closedToSteering = true;
        }
    }

    private AgentAnswer answer(Reasoning reasoning, Optional<String> finishReason) {
        return new AgentAnswer(
                Content.text(said.toString()),
                reasoning,
                finishReason,
                tokens,
                lastPromptTokens,
                apiCalls,
                model.or(() -> Optional.of(endpoint.model())),
                new Billing(
                        Optional.of(endpoint.provider()),
                        Optional.of(endpoint.baseUrl()),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                Optional.empty());
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        for (Throwable cause = root.getCause(); cause != null; cause = root.getCause()) {
            root = cause;
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }

    private void active(String doing) {
        lastActivity = now();
        activity = doing;
    }

    // ---- from outside

    @Override
    public void interrupt(String reason) {
        post(() -> {
            leave();
            closeToSteering();
            said.append(completion.text());
            events.interrupted(answer(completion.reasoning(), Optional.of("interrupted")));
            ended = true;
        });
    }

    @Override
    public boolean steer(String text) {
        synchronized (steered) {
            return !closedToSteering && steered.add(text);
        }
    }

    @Override
    public Instant lastActivity() {
        return lastActivity;
    }

    @Override
    public Optional<String> activity() {
        return Optional.of(activity);
    }
}
