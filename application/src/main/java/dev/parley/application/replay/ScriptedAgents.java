package dev.parley.application.replay;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.ScriptedTurn.Outcome;
import dev.parley.application.replay.ScriptedTurn.ToolUse;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ReplayCleaning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Agents that behave as a script says: each turn takes the first scripted turn that is for its lane or for any; without one it
 * echoes at once. The script belongs to this factory, so it outlives the gateways that use it. Safe for concurrent use.
 */
public final class ScriptedAgents implements AgentFactory {
    private static final String MODEL = "scripted";

    private final InstantSource clock;
    private final Object lock = new Object();
    private final Deque<ScriptedTurn> script = new ArrayDeque<>();
    private final Deque<ScriptedSummary> summaries = new ArrayDeque<>();
    private final List<AgentTurn> turns = new ArrayList<>();
    private final List<AgentSpec> created = new ArrayList<>();
    private final List<String> steered = new ArrayList<>();
    private final List<String> interrupts = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private Timers timers;
    private boolean holding;
    private long contextLength;
    private int released;
    private int closed;

    /** Agents that take their time from {@code timers}. */
    public ScriptedAgents(InstantSource clock, Timers timers) {
        this.clock = clock;
        this.timers = timers;
    }

    /** Uses other timers from now on, where the process that owned the former ones has died. */
    public void use(Timers next) {
        synchronized (lock) {
            timers = next;
        }
    }

    /** Adds a turn to the end of the script. */
    public ScriptedAgents then(ScriptedTurn turn) {
        synchronized (lock) {
            script.add(turn);
        }
        return this;
    }

    /** Scripts the next summary that has no script yet, as one that is there at once; absent for one that fails. */
    public ScriptedAgents thenSummarise(Optional<String> summary) {
        return thenSummarise(summary, Duration.ZERO);
    }

    /**
     * Scripts the next summary that has no script yet. Without a script a summary is made at once and says how many messages it replaces.
     *
     * @param summary the summary; absent for one that fails
     * @param takes how long it takes
     */
    public ScriptedAgents thenSummarise(Optional<String> summary, Duration takes) {
        synchronized (lock) {
            summaries.add(new ScriptedSummary(summary, takes));
        }
        return this;
    }

    private record ScriptedSummary(Optional<String> summary, Duration takes) {}

    /** Sets the size of the model's context in tokens; 0, which is not known, unless set. */
    public ScriptedAgents withContextLength(long tokens) {
        synchronized (lock) {
            contextLength = tokens;
        }
        return this;
    }

    /** Keeps summaries from ever coming, or no more; those under way are not changed. */
    public ScriptedAgents holdSummaries(boolean hold) {
        synchronized (lock) {
            holding = hold;
        }
        return this;
    }

    /** Returns every turn that was started, in order. */
    public List<AgentTurn> turns() {
        synchronized (lock) {
            return List.copyOf(turns);
        }
    }

    /** Returns what every agent was made for, in order. */
    public List<AgentSpec> created() {
        synchronized (lock) {
            return List.copyOf(created);
        }
    }

    /** Returns every text that a running turn took, in order. */
    public List<String> steered() {
        synchronized (lock) {
            return List.copyOf(steered);
        }
    }

    /** Returns the reason of every interrupt that reached a running turn, in order. */
    public List<String> interrupts() {
        synchronized (lock) {
            return List.copyOf(interrupts);
        }
    }

    /** Returns every answer to a question that a running turn took, in order: what was said, or the name of a decision, with the reason of a denial behind it. */
    public List<String> answers() {
        synchronized (lock) {
            return List.copyOf(answers);
        }
    }

    /** Returns how many agents were released. */
    public int released() {
        synchronized (lock) {
            return released;
        }
    }

    /** Returns how many agents were closed. */
    public int closed() {
        synchronized (lock) {
            return closed;
        }
    }

    /** Returns how many scripted turns are left. */
    public int scripted() {
        synchronized (lock) {
            return script.size();
        }
    }

    @Override
    public String signature(AgentSpec spec) {
        return MODEL + "\n" + spec.override().map(ModelOverride::toString).orElse("") + "\n" + spec.prompt();
    }

    @Override
    public Agent create(AgentSpec spec) {
        synchronized (lock) {
            created.add(spec);
        }
        return new ScriptedAgent(spec.lane());
    }

    @Override
    public String model(AgentSpec spec) {
        return spec.override().flatMap(ModelOverride::model).orElse(MODEL);
    }

    @Override
    public long contextLength(AgentSpec spec) {
        synchronized (lock) {
            return contextLength;
        }
    }

    private ScriptedTurn take(SessionKey lane) {
        for (Iterator<ScriptedTurn> each = script.iterator(); each.hasNext(); ) {
            ScriptedTurn turn = each.next();
            if (turn.lane().isEmpty() || turn.lane().get().equals(lane)) {
                each.remove();
                return turn;
            }
        }
        return ScriptedTurn.echo();
    }

    private static AgentAnswer answer(String text, TokenUsage usage, String finish) {
        return new AgentAnswer(
                Content.text(text),
                Reasoning.NONE,
                Optional.of(finish),
                usage,
                usage.input(),
                1,
                Optional.of(MODEL),
                Billing.NONE,
                Optional.empty());
    }

    private static String echoOf(AgentTurn turn) {
        String said = ReplayCleaning.withoutNotes(turn.input().content().plainText());
        return said.isBlank() ? "(nothing was said)" : said;
    }

    private final class ScriptedAgent implements Agent {
        private final SessionKey lane;

        ScriptedAgent(SessionKey lane) {
            this.lane = lane;
        }

        @Override
        public AgentRun start(AgentTurn turn, AgentEvents events) {
            synchronized (lock) {
                turns.add(turn);
                ScriptedRun run = new ScriptedRun(turn, take(lane), events, turns.size());
                run.begin();
                return run;
            }
        }

        @Override
        public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
            synchronized (lock) {
                ScriptedSummary script = summaries.isEmpty()
                        ? new ScriptedSummary(
                                Optional.of("A summary of " + history.size() + " messages"
                                        + focus.map(f -> " about " + f).orElse("") + "."),
                                Duration.ZERO)
                        : summaries.remove();
                SummaryRun run = new SummaryRun(script.summary(), done, clock.instant());
                if (!holding) {
                    run.pending = timers.after(script.takes(), run::end);
                }
                return run;
            }
        }

        @Override
        public void release() {
            synchronized (lock) {
                released++;
            }
        }

        @Override
        public void close() {
            synchronized (lock) {
                closed++;
            }
        }
    }

    private final class ScriptedRun implements AgentRun {
        private final AgentTurn turn;
        private final ScriptedTurn script;
        private final AgentEvents events;
        private final int number;
        private final List<Timers.Timer> pending = new ArrayList<>();
        private Instant lastActivity;
        private String activity = "thinking";
        private Optional<AgentQuestion> open = Optional.empty();
        private boolean asked;
        private boolean ended;

        ScriptedRun(AgentTurn turn, ScriptedTurn script, AgentEvents events, int number) {
            this.turn = turn;
            this.script = script;
            this.events = events;
            this.number = number;
            this.lastActivity = clock.instant();
        }

        void begin() {
            int tools = script.tools().size();
            for (int i = 0; i < tools; i++) {
                ToolUse use = script.tools().get(i);
                String call = "call-" + number + "-" + (i + 1);
                at(i, () -> call(use, call));
                at(i + 1, () -> answer(use, call));
            }
            if (script.outcome() != Outcome.HANG) {
                at(tools + 1, this::end);
            }
        }

        /** Runs a step when so many parts of the turn's time have passed. */
        private void at(int parts, Runnable step) {
            Duration delay =
                    script.takes().multipliedBy(parts).dividedBy(script.tools().size() + 1L);
            pending.add(timers.after(delay, () -> {
                synchronized (lock) {
                    if (ended) {
                        return;
                    }
                    lastActivity = clock.instant();
                }
                step.run();
            }));
        }

        private void call(ToolUse use, String id) {
            synchronized (lock) {
                activity = "running " + use.name();
            }
            events.toolsCalled(Content.none(), List.of(new ToolCall(id, use.name(), use.arguments())), Reasoning.NONE);
        }

        private void answer(ToolUse use, String id) {
            synchronized (lock) {
                activity = "thinking";
            }
            events.toolAnswered(id, use.name(), Content.text(use.result()));
        }

        private void end() {
            synchronized (lock) {
                if (script.asks().isPresent() && !asked) {
                    asked = true;
                    open = script.asks();
                    activity = "waiting for an answer";
                } else {
                    ended = true;
                }
            }
            if (!ended) {
                open.ifPresent(events::asked);
                return;
            }
            if (script.outcome() == Outcome.FAIL) {
                events.failed(new AgentFailure(
                        AgentFailure.Kind.MODEL,
                        script.reply().orElse("The scripted agent failed."),
                        script.usage(),
                        1));
                return;
            }
            String text =
                    script.outcome() == Outcome.EMPTY ? "" : script.reply().orElseGet(() -> echoOf(turn));
            if (!text.isEmpty()) {
                events.streamed(text);
            }
            events.answered(ScriptedAgents.answer(text, script.usage(), "stop"));
        }

        @Override
        public void interrupt(String reason) {
            synchronized (lock) {
                if (ended) {
                    return;
                }
                interrupts.add(reason);
                if (!script.obeys()) {
                    return;
                }
                ended = true;
                pending.forEach(Timers.Timer::cancel);
                timers.after(
                        Duration.ZERO,
                        () -> events.interrupted(ScriptedAgents.answer("", script.usage(), "interrupted")));
            }
        }

        @Override
        public boolean steer(String text) {
            synchronized (lock) {
                if (ended || !script.steers()) {
                    return false;
                }
                steered.add(text);
                lastActivity = clock.instant();
                return true;
            }
        }

        @Override
        public boolean approve(AgentQuestion.Approval decision) {
            return takes(AgentQuestion.Kind.APPROVAL, decision.name());
        }

        @Override
        public boolean deny(String reason) {
            return takes(AgentQuestion.Kind.APPROVAL, AgentQuestion.Approval.DENY.name() + ": " + reason);
        }

        @Override
        public boolean clarify(String answer) {
            return takes(AgentQuestion.Kind.CLARIFICATION, answer);
        }

        private boolean takes(AgentQuestion.Kind kind, String answer) {
            synchronized (lock) {
                if (ended || open.filter(q -> q.kind() == kind).isEmpty()) {
                    return false;
                }
                open = Optional.empty();
                answers.add(answer);
                lastActivity = clock.instant();
                at(0, this::end);
                return true;
            }
        }

        @Override
        public Optional<Engagement> engagement() {
            synchronized (lock) {
                return ended ? Optional.empty() : script.engaged();
            }
        }

        @Override
        public Instant lastActivity() {
            synchronized (lock) {
                return lastActivity;
            }
        }

        @Override
        public Optional<String> activity() {
            synchronized (lock) {
                return ended ? Optional.empty() : Optional.of(activity);
            }
        }
    }

    private final class SummaryRun implements AgentRun {
        private final Optional<String> summary;
        private final Agent.SummaryListener done;
        private final Instant begun;
        private Timers.Timer pending = () -> {};
        private boolean ended;

        SummaryRun(Optional<String> summary, Agent.SummaryListener done, Instant begun) {
            this.summary = summary;
            this.done = done;
            this.begun = begun;
        }

        void end() {
            synchronized (lock) {
                if (ended) {
                    return;
                }
                ended = true;
            }
            summary.ifPresentOrElse(done::summarised, () -> done.failed("The scripted summary failed."));
        }

        @Override
        public void interrupt(String reason) {
            synchronized (lock) {
                if (ended) {
                    return;
                }
                ended = true;
                pending.cancel();
                timers.after(Duration.ZERO, () -> done.failed("Interrupted: " + reason));
            }
        }

        @Override
        public boolean steer(String text) {
            return false;
        }

        @Override
        public Instant lastActivity() {
            return begun;
        }

        @Override
        public Optional<String> activity() {
            return Optional.of("summarising");
        }
    }
}
