package dev.parley.application.turn;

import dev.parley.application.actor.Timing;
import dev.parley.application.agents.AgentCache;
import dev.parley.application.guard.TimedCalls;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.domain.key.SessionKey;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An agent that works for a lane, from when it is asked to begin until it is given back. What it is asked before it has begun it is
 * told once it has. Safe for concurrent use.
 */
public final class RunningAgent {
    /** How many questions of one run one decision answers at most. */
    private static final int MOST_QUESTIONS = 100;

    private final AgentCache cache;
    private final TimedCalls calls;
    private final Timing timing;
    private final SessionKey lane;
    private final long messages;
    private final Object lock = new Object();
    private @Nullable Agent agent;
    private Activity activity;
    private volatile @Nullable AgentRun run;
    private volatile Optional<Instant> begunAt = Optional.empty();
    private volatile boolean superseded;
    private volatile boolean spoilt;
    private Optional<GivenBack> givenBack = Optional.empty();
    private Optional<String> interruption = Optional.empty();

    /**
     * When an agent last did something.
     *
     * @param said as it said itself
     * @param counts as that counts: a time that lies in the future as when it was first said
     */
    private record Activity(Instant said, Instant counts) {
        Activity then(Instant next, Instant now) {
            boolean known = next.equals(said) && !counts.isAfter(now);
            return known ? this : new Activity(next, next.isAfter(now) ? now : next);
        }
    }

    /** What is known of the run of an agent that is given back. */
    private record GivenBack(int stored, boolean spoilt) {}

    /**
     * Nothing has begun yet.
     *
     * @param cache takes the agent back
     * @param calls interrupt
     * @param timing the clock
     * @param lane the lane it works for
     * @param messages how many messages its session has before the run; negative where that is not known
     */
    RunningAgent(AgentCache cache, TimedCalls calls, Timing timing, SessionKey lane, long messages) {
        this.cache = cache;
        this.calls = calls;
        this.timing = timing;
        this.lane = lane;
        Instant asked = timing.now();
        this.activity = new Activity(asked, asked);
        this.messages = messages;
    }

    /**
     * The agent begins; where nobody wants it any more by then, it is asked to end and given back.
     *
     * @param work has it begin
     */
    void begin(Agent begun, Function<Agent, AgentRun> work) {
        AgentRun begunRun;
        try {
            begunRun = work.apply(begun);
        } catch (Throwable e) {
            cache.putBack(begun, -1, true);
            throw e;
        }
        Optional<GivenBack> before;
        Optional<String> reason;
        synchronized (lock) {
            before = givenBack;
            begunAt = Optional.of(timing.now());
            run = begunRun;
            agent = before.isPresent() ? null : begun;
            reason = interruption;
        }
        reason.ifPresent(begunRun::interrupt);
        before.ifPresent(how -> putBack(begun, how));
    }

    /** The agent has taken too long to begin, and its turn goes on without it; returns false where it has begun. */
    boolean giveUpStart() {
        synchronized (lock) {
            if (run != null) {
                return false;
            }
            superseded = true;
            interruption = Optional.of("The turn goes on without the agent");
            givenBack = Optional.of(new GivenBack(-1, true));
            return true;
        }
    }

    /** Returns when the agent began; absent where it has not. */
    public Optional<Instant> begunAt() {
        return begunAt;
    }

    /** Returns whether the agent has begun. */
    public boolean isBegun() {
        return run != null;
    }

    /** Asks it to end soon; returns at once. */
    public void interrupt(String reason) {
        AgentRun mine;
        synchronized (lock) {
            mine = run;
            interruption = Optional.of(reason);
        }
        if (mine != null) {
            calls.run(Optional.of(lane), "The running agent could not be asked to end.", () -> mine.interrupt(reason));
        }
    }

    /** Hands it more input; returns false where it takes none. */
    public boolean steer(String text) {
        AgentRun mine = run;
        return mine != null && mine.steer(text);
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
        AgentRun mine = run;
        if (mine == null) {
            return false;
        }
        boolean reasoned = decision.approval() == AgentQuestion.Approval.DENY
                && decision.reason().isPresent();
        return reasoned ? mine.deny(decision.reason().get()) : mine.approve(decision.approval());
    }

    /** Answers what it has asked; returns false where it waits for no answer. */
    public boolean clarify(String answer) {
        AgentRun mine = run;
        return mine != null && mine.clarify(answer);
    }

    /** Returns what an interrupt would ruin now; absent where nothing. */
    public Optional<AgentRun.Engagement> engagement() {
        AgentRun mine = run;
        return mine == null ? Optional.empty() : mine.engagement();
    }

    /** Returns what it is doing, for display. */
    public Optional<String> activity() {
        AgentRun mine = run;
        return mine == null ? Optional.empty() : mine.activity();
    }

    /**
     * Returns when it last did something, as it says itself; when it was asked to begin, where it has not. What lies in the future, by a
     * clock that was set back, counts as when it was first asked for.
     */
    public Instant lastActivity() {
        AgentRun mine = run;
        Optional<Instant> said = mine == null ? Optional.empty() : Optional.of(mine.lastActivity());
        synchronized (lock) {
            activity = activity.then(said.orElse(activity.said()), timing.now());
            return activity.counts();
        }
    }

    /** Asks it to end, and takes no notice of what it reports from now on. */
    public void supersede(String reason) {
        superseded = true;
        interrupt(reason);
    }

    /** Asks it to end, and has nobody use it again; what it reports is still its lane's. */
    void spoil(String reason) {
        spoilt = true;
        interrupt(reason);
    }

    boolean isSuperseded() {
        return superseded;
    }

    /**
     * Gives the agent back, once; one that has not begun as soon as it has.
     *
     * @param stored how many messages its run has stored; negative where its session is another one now
     * @param spoilt whether it must not be used again
     */
    public void letGo(int stored, boolean spoilt) {
        GivenBack how = new GivenBack(stored, spoilt);
        Agent mine;
        synchronized (lock) {
            if (givenBack.isPresent()) {
                return;
            }
            givenBack = Optional.of(how);
            mine = agent;
            agent = null;
        }
        if (mine != null) {
            putBack(mine, how);
        }
    }

    private void putBack(Agent mine, GivenBack how) {
        boolean known = messages >= 0 && how.stored() >= 0;
        cache.putBack(mine, known ? messages + how.stored() : -1, how.spoilt() || superseded || spoilt);
    }
}
