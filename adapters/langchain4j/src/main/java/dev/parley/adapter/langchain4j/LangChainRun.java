package dev.parley.adapter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.AuthenticationException;
import dev.langchain4j.exception.ModelNotFoundException;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One turn: calls of the model until it answers without asking for tools. Everything that happens is a serial task, so the fields below belong
 * to whichever thread runs it; models and tools work outside of the tasks and post what comes of them. A call that was left is known by its
 * number: what it still reports is nothing to us.
 */
final class LangChainRun implements AgentRun {
    private static final int LONGEST_QUESTION = 1_000;

    private final LangChainAgents made;
    private final Optional<String> modelName;
    private final boolean offersTools;
    private final Set<String> approved;
    private final List<ChatMessage> conversation;
    private final AgentEvents events;
    private final SerialTasks tasks;
    private final List<String> steered = new ArrayList<>();
    private final Deque<ToolExecutionRequest> waiting = new ArrayDeque<>();
    private final StringBuilder said = new StringBuilder();
    private final StringBuilder partial = new StringBuilder();
    private boolean closedToSteering;
    private boolean waitsForPeople;
    private long call;
    private int rounds;
    private boolean ended;
    private Optional<StreamingHandle> stream = Optional.empty();
    private @Nullable Thread toolThread;
    private TokenUsage tokens = TokenUsage.NONE;
    private long lastPrompt;
    private long apiCalls;
    private Optional<String> answeredBy = Optional.empty();
    private volatile Instant lastActivity;
    private volatile String activity = "waiting for the model";

    LangChainRun(
            LangChainAgents made,
            Optional<String> modelName,
            boolean offersTools,
            Set<String> approved,
            List<ChatMessage> conversation,
            AgentEvents events) {
        this.made = made;
        this.modelName = modelName;
        this.offersTools = offersTools;
        this.approved = approved;
        this.conversation = new ArrayList<>(conversation);
        this.events = events;
        this.tasks = new SerialTasks(made.executor(), this::broken);
        this.lastActivity = now();
    }

    void begin() {
        post(this::callModel);
    }

    private Instant now() {
        return made.clock().instant().truncatedTo(ChronoUnit.MICROS);
    }

    private void active(String doing) {
        lastActivity = now();
        activity = doing;
    }

    private void post(Runnable task) {
        tasks.execute(() -> {
            if (!ended) {
                task.run();
            }
        });
    }

    private void post(long of, Runnable task) {
        post(() -> {
            if (of == call) {
                task.run();
            }
        });
    }

    private void broken(Throwable fault) {
        if (!ended) {
            fail(fault);
        }
    }

    // ---- the model

    private void callModel() {
        long number = ++call;
        partial.setLength(0);
        stream = Optional.empty();
        active("waiting for the model");
        ChatRequest.Builder request = ChatRequest.builder().messages(List.copyOf(conversation));
        if (offersTools && !made.specifications().isEmpty()) {
            request.toolSpecifications(made.specifications());
        }
        modelName.ifPresent(request::modelName);
        ChatRequest built = request.build();
        apiCalls++;
        // A model may block until it has answered; an interrupt must be heard meanwhile.
        made.executor().execute(() -> {
            try {
                made.model().chat(built, new Heard(number));
            } catch (RuntimeException | Error e) {
                post(number, () -> fail(e));
            }
        });
    }

    /** What the model says to one call. */
    private final class Heard implements StreamingChatResponseHandler {
        private final long number;

        Heard(long number) {
            this.number = number;
        }

        @Override
        public void onPartialResponse(String text) {
            post(number, () -> streamed(text));
        }

        @Override
        public void onPartialResponse(PartialResponse text, PartialResponseContext context) {
            post(() -> {
                if (number == call) {
                    stream = Optional.ofNullable(context.streamingHandle());
                    streamed(text.text());
                } else {
                    Optional.ofNullable(context.streamingHandle()).ifPresent(StreamingHandle::cancel);
                }
            });
        }

        @Override
        public void onCompleteResponse(ChatResponse response) {
            post(number, () -> completed(response));
        }

        @Override
        public void onError(Throwable error) {
            post(number, () -> fail(error));
        }
    }

    private void streamed(String text) {
        active("receiving");
        if (!text.isEmpty()) {
            partial.append(text);
            events.streamed(text);
        }
    }

    private void completed(ChatResponse response) {
        call++;
        count(response);
        AiMessage answer = response.aiMessage();
        String text = Optional.ofNullable(answer.text()).orElse("");
        if (partial.isEmpty() && !text.isEmpty()) {
            events.streamed(text);
        }
        partial.setLength(0);
        conversation.add(answer);
        if (answer.hasToolExecutionRequests()) {
            use(text, answer.toolExecutionRequests());
            return;
        }
        said.append(text);
        if (addSteered(true)) {
            said.append("\n\n");
            events.streamed("\n\n");
            callModel();
            return;
        }
        ended = true;
        events.answered(answer(Optional.ofNullable(response.finishReason())
                .map(reason -> reason.name().toLowerCase(Locale.ROOT))));
    }

    private void count(ChatResponse response) {
        answeredBy = Optional.ofNullable(response.modelName()).or(() -> answeredBy);
        Optional.ofNullable(response.tokenUsage()).ifPresent(used -> {
            long input = number(used.inputTokenCount());
            tokens = tokens.plus(new TokenUsage(input, number(used.outputTokenCount()), 0, 0, 0));
            lastPrompt = input;
        });
    }

    private static long number(@Nullable Integer count) {
        return count == null ? 0 : Math.max(0, count);
    }

    /** What was steered in counts as taken; with nothing left at the end, nothing more is. */
    private boolean addSteered(boolean last) {
        List<String> taken;
        synchronized (steered) {
            taken = List.copyOf(steered);
            steered.clear();
            closedToSteering = last && taken.isEmpty();
        }
        taken.forEach(text -> conversation.add(UserMessage.from(text)));
        return !taken.isEmpty();
    }

    // ---- tools

    private void use(String along, List<ToolExecutionRequest> requests) {
        List<ToolExecutionRequest> named = new ArrayList<>();
        for (ToolExecutionRequest request : requests) {
            named.add(
                    Optional.ofNullable(request.id()).orElse("").isEmpty()
                            ? request.toBuilder()
                                    .id("call-" + apiCalls + "-" + (named.size() + 1))
                                    .build()
                            : request);
        }
        events.toolsCalled(
                along.isEmpty() ? Content.none() : Content.text(along),
                named.stream()
                        .map(request -> new ToolCall(request.id(), request.name(), arguments(request)))
                        .toList(),
                Reasoning.NONE);
        waiting.addAll(named);
        if (++rounds > made.rounds()) {
            waiting.forEach(request ->
                    events.toolAnswered(request.id(), request.name(), Content.text("The turn uses too many tools.")));
            waiting.clear();
            fail(new IllegalStateException(
                    "The model asked for tools more than " + made.rounds() + " times in this turn."));
            return;
        }
        nextTool();
    }

    private static String arguments(ToolExecutionRequest request) {
        return Optional.ofNullable(request.arguments()).orElse("{}");
    }

    private void nextTool() {
        if (waiting.isEmpty()) {
            addSteered(false);
            callModel();
            return;
        }
        ToolExecutionRequest request = waiting.element();
        Optional<LangChainAgents.Offered> offered = made.tool(request.name());
        if (offered.isEmpty()) {
            answered("There is no tool " + request.name() + ".");
        } else if (offered.get().approved() && !approved.contains(request.name())) {
            active("waiting for an approval");
            synchronized (steered) {
                waitsForPeople = true;
            }
            String question = "May I use " + request.name() + "?\n" + arguments(request);
            events.asked(new AgentQuestion(
                    AgentQuestion.Kind.APPROVAL,
                    question.length() <= LONGEST_QUESTION ? question : question.substring(0, LONGEST_QUESTION) + "…"));
        } else {
            run(offered.get().tool(), request);
        }
    }

    private void run(Tool tool, ToolExecutionRequest request) {
        active("using " + request.name());
        long number = call;
        made.executor().execute(() -> {
            if (!takesPlace(Thread.currentThread())) {
                return;
            }
            String result;
            try {
                result = Optional.ofNullable(tool.execute(request)).orElse("");
            } catch (Throwable e) {
                result = "The tool failed: " + oneLine(e);
            } finally {
                letGo();
            }
            String told = result;
            post(number, () -> answered(told));
        });
    }

    private void answered(String result) {
        ToolExecutionRequest request = waiting.remove();
        active("waiting for the model");
        events.toolAnswered(request.id(), request.name(), Content.text(result));
        conversation.add(Conversation.result(request, result));
        nextTool();
    }

    private boolean takesPlace(Thread thread) {
        synchronized (steered) {
            toolThread = closedToSteering ? null : thread;
            return toolThread != null;
        }
    }

    /** The thread goes back to its pool without an interrupt that was meant for the tool. */
    private void letGo() {
        synchronized (steered) {
            toolThread = null;
            Thread.interrupted();
        }
    }

    // ---- the end

    private void fail(Throwable error) {
        ended = true;
        closeToInput();
        waiting.forEach(request ->
                events.toolAnswered(request.id(), request.name(), Content.text("(not used: the turn failed)")));
        boolean misconfigured = error instanceof AuthenticationException || error instanceof ModelNotFoundException;
        events.failed(new AgentFailure(
                misconfigured ? AgentFailure.Kind.CONFIGURATION : AgentFailure.Kind.MODEL,
                oneLine(error),
                tokens,
                apiCalls));
    }

    private void closeToInput() {
        synchronized (steered) {
            closedToSteering = true;
            waitsForPeople = false;
            if (toolThread != null) {
                toolThread.interrupt();
            }
        }
    }

    private AgentAnswer answer(Optional<String> reason) {
        return new AgentAnswer(
                Content.text(said.toString()),
                Reasoning.NONE,
                reason,
                tokens,
                lastPrompt,
                apiCalls,
                answeredBy.or(() -> modelName).or(() -> Optional.of(made.name())),
                Billing.NONE,
                Optional.empty());
    }

    private static String oneLine(Throwable e) {
        return Optional.ofNullable(e.getMessage())
                .flatMap(message ->
                        message.lines().filter(line -> !line.isBlank()).findFirst())
                .orElseGet(() -> e.getClass().getSimpleName());
    }

    // ---- from outside

    @Override
    public void interrupt(String reason) {
        post(() -> {
            ended = true;
            closeToInput();
            stream.ifPresent(StreamingHandle::cancel);
            waiting.forEach(request ->
                    events.toolAnswered(request.id(), request.name(), Content.text("(not used: interrupted)")));
            said.append(partial);
            events.interrupted(answer(Optional.of("interrupted")));
        });
    }

    @Override
    public boolean steer(String text) {
        synchronized (steered) {
            return !closedToSteering && steered.add(text);
        }
    }

    @Override
    public boolean approve(AgentQuestion.Approval decision) {
        return decided(decision, "The user does not allow this.");
    }

    @Override
    public boolean deny(String reason) {
        return decided(AgentQuestion.Approval.DENY, "The user does not allow this: " + reason);
    }

    private boolean decided(AgentQuestion.Approval decision, String denial) {
        synchronized (steered) {
            if (!waitsForPeople) {
                return false;
            }
            waitsForPeople = false;
        }
        post(() -> {
            ToolExecutionRequest request = waiting.element();
            if (decision == AgentQuestion.Approval.DENY) {
                answered(denial);
                return;
            }
            if (decision != AgentQuestion.Approval.ONCE) {
                approved.add(request.name());
            }
            made.tool(request.name()).ifPresent(offered -> run(offered.tool(), request));
        });
        return true;
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
