package dev.parley.application.agents;

import dev.parley.application.actor.SerialTasks;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.domain.change.StoredTime;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One turn of a {@link StreamingAgent}. The fields are guarded by this object; reports are serial tasks, added while it is held, so that
 * their order is that of the calls and nothing comes behind the end.
 */
final class StreamingRun implements StreamingTurn, AgentRun {
    private static final int LONGEST_QUESTION = 1_000;

    private final InstantSource clock;
    private final Set<String> approved;
    private final AgentEvents events;
    private final boolean takesSteering;
    private final Function<Throwable, AgentFailure.Kind> kinds;
    private final SerialTasks reports;
    private final List<String> steered = new ArrayList<>();
    private final Map<String, ToolCall> open = new LinkedHashMap<>();
    private final StringBuilder said = new StringBuilder();
    private final List<Attachment> attached = new ArrayList<>();
    private boolean over;
    private boolean closedToSteering;
    private @Nullable Thread worker;
    private Runnable cancel = () -> {};
    private @Nullable CompletableFuture<AgentQuestion.Decision> decision;
    private @Nullable CompletableFuture<String> explanation;
    private TokenUsage tokens = TokenUsage.NONE;
    private long lastPrompt;
    private long apiCalls;
    private Optional<String> model = Optional.empty();
    private volatile Instant lastActivity;
    private volatile String activity = "working";

    /** What a turn does. */
    @FunctionalInterface
    interface Work {
        AgentAnswer in(StreamingTurn now) throws Exception;
    }

    StreamingRun(
            Executor executor,
            InstantSource clock,
            Set<String> approved,
            AgentEvents events,
            boolean takesSteering,
            Function<Throwable, AgentFailure.Kind> kinds) {
        this.clock = clock;
        this.approved = approved;
        this.events = events;
        this.takesSteering = takesSteering;
        this.kinds = kinds;
        this.reports = new SerialTasks(executor, this::failed);
        this.lastActivity = now();
    }

    private Instant now() {
        return StoredTime.now(clock);
    }

    void work(Work work) {
        if (!takesPlaceOn(Thread.currentThread())) {
            return;
        }
        try {
            answered(work.in(this));
        } catch (Throwable e) {
            failed(e);
        } finally {
            letGo();
        }
    }

    private synchronized boolean takesPlaceOn(Thread thread) {
        worker = over ? null : thread;
        return worker != null;
    }

    /** The thread goes back to its pool without an interrupt that was meant for the turn. */
    private synchronized void letGo() {
        worker = null;
        Thread.interrupted();
    }

    // ---- reports

    @Override
    public synchronized void say(String text) {
        if (over || text.isEmpty()) {
            return;
        }
        active("answering");
        said.append(text);
        reports.execute(() -> events.streamed(text));
    }

    @Override
    public synchronized void attach(Attachment file) {
        if (over) {
            return;
        }
        active("answering");
        attached.add(file);
    }

    @Override
    public void doing(String what) {
        active(what);
    }

    private void active(String what) {
        lastActivity = now();
        activity = what;
    }

    @Override
    public synchronized void callsModel() throws InterruptedException {
        if (over) {
            throw new InterruptedException("The turn is over.");
        }
        active("waiting for the model");
        apiCalls++;
    }

    @Override
    public synchronized void used(TokenUsage more, long prompt, Optional<String> answeredBy) {
        tokens = tokens.plus(more);
        lastPrompt = prompt;
        model = answeredBy.or(() -> model);
    }

    @Override
    public synchronized void asksFor(List<ToolCall> calls) {
        if (over) {
            return;
        }
        active("using tools");
        Content along = said.isEmpty() ? Content.none() : Content.text(said.toString());
        said.setLength(0);
        List<ToolCall> asked = List.copyOf(calls);
        asked.forEach(call -> open.put(call.id(), call));
        reports.execute(() -> events.toolsCalled(along, asked, Reasoning.NONE));
    }

    @Override
    public synchronized void returned(ToolCall call, String result) {
        if (over) {
            return;
        }
        active("using tools");
        open.remove(call.id());
        reports.execute(() -> events.toolAnswered(call.id(), call.name(), Content.text(result)));
    }

    @Override
    public synchronized AgentAnswer answer(Optional<String> finishReason) {
        return new AgentAnswer(
                Content.text(said.toString()),
                attached,
                Reasoning.NONE,
                finishReason,
                tokens,
                lastPrompt,
                apiCalls,
                model,
                Billing.NONE,
                Optional.empty());
    }

    // ---- people

    @Override
    public AgentQuestion.Decision approval(String subject, String question) throws InterruptedException {
        if (approved.contains(subject)) {
            return AgentQuestion.Decision.of(AgentQuestion.Approval.SESSION);
        }
        CompletableFuture<AgentQuestion.Decision> decided = new CompletableFuture<>();
        synchronized (this) {
            ask(new AgentQuestion(AgentQuestion.Kind.APPROVAL, shortened(question)));
            decision = decided;
        }
        AgentQuestion.Decision made = awaited(decided);
        active("working");
        if (made.approval() == AgentQuestion.Approval.SESSION || made.approval() == AgentQuestion.Approval.ALWAYS) {
            approved.add(subject);
        }
        return made;
    }

    @Override
    public String clarification(String question, List<String> choices) throws InterruptedException {
        CompletableFuture<String> explained = new CompletableFuture<>();
        synchronized (this) {
            ask(new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, shortened(question), choices));
            explanation = explained;
        }
        String answer = awaited(explained);
        active("working");
        return answer;
    }

    private void ask(AgentQuestion question) throws InterruptedException {
        if (over) {
            throw new InterruptedException("The turn is over.");
        }
        decision = null;
        explanation = null;
        active("waiting for an answer");
        reports.execute(() -> events.asked(question));
    }

    private static String shortened(String question) {
        return question.length() <= LONGEST_QUESTION ? question : question.substring(0, LONGEST_QUESTION) + "…";
    }

    private static <T> T awaited(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public List<String> saidMeanwhile() {
        return taken(false);
    }

    @Override
    public List<String> saidLast() {
        return taken(true);
    }

    private synchronized List<String> taken(boolean last) {
        List<String> texts = List.copyOf(steered);
        steered.clear();
        closedToSteering = closedToSteering || (last && texts.isEmpty());
        return texts;
    }

    @Override
    public void onInterrupt(Runnable run) {
        synchronized (this) {
            if (!over) {
                cancel = run;
                return;
            }
        }
        run.run();
    }

    // ---- the end

    private synchronized void answered(AgentAnswer answer) {
        if (end("(no result)")) {
            reports.execute(() -> events.answered(answer));
        }
    }

    private synchronized void failed(Throwable failure) {
        if (end("(not used: the turn failed)")) {
            AgentFailure told = AgentFailure.thrown(kind(failure), failure, tokens, apiCalls);
            reports.execute(() -> events.failed(told));
        }
    }

    /** Returns what kind of failure it is, the model's where the agent does not say; what its not saying threw is suppressed by it. */
    private AgentFailure.Kind kind(Throwable failure) {
        try {
            return Objects.requireNonNull(kinds.apply(failure), "The agent did not say what kind of failure it is.");
        } catch (Throwable e) {
            if (e != failure) {
                failure.addSuppressed(e);
            }
            return AgentFailure.Kind.MODEL;
        }
    }

    /** Ends the turn, forgets what was said and answers the tools that nobody answered; returns false where it has ended before. */
    private boolean end(String result) {
        if (over) {
            return false;
        }
        open.values()
                .forEach(call ->
                        reports.execute(() -> events.toolAnswered(call.id(), call.name(), Content.text(result))));
        open.clear();
        over = true;
        said.setLength(0);
        said.trimToSize();
        attached.clear();
        closedToSteering = true;
        decision = null;
        explanation = null;
        return true;
    }

    // ---- from outside

    @Override
    public void interrupt(String reason) {
        Runnable left;
        synchronized (this) {
            AgentAnswer partial = answer(Optional.of("interrupted"));
            if (!end("(not used: interrupted)")) {
                return;
            }
            reports.execute(() -> events.interrupted(partial));
            if (worker != null) {
                worker.interrupt();
            }
            left = cancel;
        }
        left.run();
    }

    @Override
    public synchronized boolean steer(String text) {
        return takesSteering && !closedToSteering && steered.add(text);
    }

    @Override
    public boolean approve(AgentQuestion.Approval what) {
        return decided(AgentQuestion.Decision.of(what));
    }

    @Override
    public boolean deny(String reason) {
        return decided(new AgentQuestion.Decision(AgentQuestion.Approval.DENY, Optional.of(reason), false));
    }

    private synchronized boolean decided(AgentQuestion.Decision what) {
        CompletableFuture<AgentQuestion.Decision> waiting = decision;
        decision = null;
        return waiting != null && waiting.complete(what);
    }

    @Override
    public synchronized boolean clarify(String answer) {
        CompletableFuture<String> waiting = explanation;
        explanation = null;
        return waiting != null && waiting.complete(answer);
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
