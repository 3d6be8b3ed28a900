package dev.parley.adapter.openai;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.StrippedFailure;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One turn: calls of the model until it answers without asking for tools. Everything that happens is a serial task, so the fields
 * below belong to whichever thread runs it. A timer of a call that was left is known by the call's number, and does nothing.
 */
final class OpenAiRun implements AgentRun {
    static final String NO_TOOL = "This tool is not available here.";

    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final Duration LONGEST_ASKED_WAIT = Duration.ofMinutes(5);

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

    private long calls;
    private int tries;
    private int rounds;
    private long kept;
    private boolean ended;
    private Optional<ModelCall> call = Optional.empty();
    private final StringBuilder said = new StringBuilder();
    private Timers.@Nullable Timer timer;
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
            fail(AgentFailure.Kind.MODEL, "The call of the model broke: " + StrippedFailure.line(fault));
        }
    }

    private Instant now() {
        return StoredTime.now(surroundings.clock());
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
            if (of == calls) {
                task.run();
            }
        });
    }

    // ---- one call

    private void call() {
        long number = ++calls;
        active("waiting for the model");
        ModelCall made =
                new ModelCall(settings, endpoint, conversation, surroundings.clock(), this::post, kept, new Heard());
        call = Optional.of(made);
        made.begin(client);
        watch(number, settings.patience());
    }

    /** What comes of the call that is going on. */
    private final class Heard implements ModelCall.Listener {
        @Override
        public void taken() {
            apiCalls++;
        }

        @Override
        public void heard() {
            active("receiving");
        }

        @Override
        public void said(String delta) {
            events.streamed(delta);
        }

        @Override
        public void tooLarge() {
            fail(
                    AgentFailure.Kind.MODEL,
                    "The answer of " + endpoint.baseUrl() + " is longer than the " + settings.answerSize()
                            + " characters that " + surroundings.nameOf(OpenAiSettings.ANSWER_SIZE) + " allows.");
        }

        @Override
        public void refused(Refusal refusal) {
            if (refusal.passing() && !completion().hasAnything()) {
                again(refusal.message(), refusal.retryAfter());
            } else {
                fail(refusal.kind(), refusal.message());
            }
        }

        @Override
        public void broke(String why) {
            OpenAiRun.this.broke(why);
        }

        @Override
        public void whole() {
            answered();
        }
    }

    // ---- what comes of a call

    private void answered() {
        leave();
        count();
        tries = 0;
        kept += completion().size();
        List<ToolCall> asked = completion().calls(surroundings.ids());
        if (!asked.isEmpty()) {
            answerCalls(asked);
            return;
        }
        said.append(completion().text());
        List<String> more = takeSteered(true);
        if (more.isEmpty()) {
            events.answered(answer(completion().reasoning(), completion().finishReason()));
            ended = true;
            return;
        }
        Conversation.addAnswer(conversation, completion().text(), List.of());
        more.forEach(text -> Conversation.addInput(conversation, text));
        if (!completion().text().isEmpty()) {
            said.append("\n\n");
            events.streamed("\n\n");
        }
        call();
    }

    private void answerCalls(List<ToolCall> asked) {
        String along = completion().text();
        events.toolsCalled(
                along.isEmpty() ? Content.none() : Content.text(along),
                asked,
                completion().reasoning());
        Conversation.addAnswer(conversation, along, asked);
        for (ToolCall each : asked) {
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

    private void broke(String why) {
        String message = "The answer of " + endpoint.baseUrl() + " did not come: " + why + ".";
        if (completion().hasAnything()) {
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
        long number = calls;
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
        calls++;
        call.ifPresent(ModelCall::leave);
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Returns what the model has said and asked for in the call that goes on, or in the last one. */
    private Completion completion() {
        return call.map(ModelCall::completion).orElseGet(Completion::new);
    }

    private void count() {
        tokens = tokens.plus(completion().tokens());
        if (completion().promptTokens() > 0) {
            lastPromptTokens = completion().promptTokens();
        }
        model = completion().model().or(() -> model);
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
            events.failed(new AgentFailure(kind, kind.inWords(), tokens, apiCalls));
        }
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
            said.append(completion().text());
            events.interrupted(answer(completion().reasoning(), Optional.of("interrupted")));
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
