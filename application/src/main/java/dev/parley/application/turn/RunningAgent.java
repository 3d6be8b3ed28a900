package dev.parley.application.turn;

import dev.parley.application.agents.AgentCache;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** An agent that works for a lane, until it is given back. Safe for concurrent use. */
public final class RunningAgent {
    /** How many questions of one run one decision answers at most. */
    private static final int MOST_QUESTIONS = 100;

    private final AgentCache cache;
    private final AtomicReference<@Nullable Agent> agent;
    private final AgentRun run;
    private final long messages;
    private volatile boolean superseded;

    RunningAgent(AgentCache cache, Agent agent, AgentRun run, long messages) {
        this.cache = cache;
        this.agent = new AtomicReference<>(agent);
        this.run = run;
        this.messages = messages;
    }

    /** Asks it to end soon. */
    public void interrupt(String reason) {
        run.interrupt(reason);
    }

    /** Hands it more input; returns false where it takes none. */
    public boolean steer(String text) {
        return run.steer(text);
    }

    /** Decides what it has asked approval of, and all it asks after that where all is meant; returns false where it waits for none. */
    public boolean decide(AgentQuestion.Decision decision) {
        if (!take(decision)) {
            return false;
        }
        int questions = 1;
        while (decision.all() && questions < MOST_QUESTIONS && take(decision)) {
            questions++;
        }
        return true;
    }

    private boolean take(AgentQuestion.Decision decision) {
        boolean reasoned = decision.approval() == AgentQuestion.Approval.DENY
                && decision.reason().isPresent();
        return reasoned ? run.deny(decision.reason().get()) : run.approve(decision.approval());
    }

    /** Answers what it has asked; returns false where it waits for no answer. */
    public boolean clarify(String answer) {
        return run.clarify(answer);
    }

    /** Returns what an interrupt would ruin now; absent where nothing. */
    public Optional<AgentRun.Engagement> engagement() {
        return run.engagement();
    }

    /** Returns what it is doing, for display. */
    public Optional<String> activity() {
        return run.activity();
    }

    /** Returns when it last did something, as it says itself. */
    public Instant lastActivity() {
        return run.lastActivity();
    }

    /** Asks it to end, and takes no notice of what it reports from now on. */
    public void supersede(String reason) {
        superseded = true;
        run.interrupt(reason);
    }

    boolean isSuperseded() {
        return superseded;
    }

    /**
     * Gives the agent back, once.
     *
     * @param stored how many messages its run has stored; negative where its session is another one now
     * @param spoilt whether it must not be used again
     */
    public void letGo(int stored, boolean spoilt) {
        Agent mine = agent.getAndSet(null);
        if (mine != null) {
            cache.putBack(mine, messages < 0 || stored < 0 ? -1 : messages + stored, spoilt || superseded);
        }
    }
}
