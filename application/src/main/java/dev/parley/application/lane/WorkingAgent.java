package dev.parley.application.lane;

import dev.parley.application.actor.Timing;
import dev.parley.application.port.Timers;
import dev.parley.application.turn.RunningAgent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The agent that works for a lane, where one does, and the one timer that is set for it. The timer never outlives its agent. Used by the
 * lane's own tasks.
 */
final class WorkingAgent {
    private final Timing timing;
    private final Duration grace;
    private Optional<Work> work = Optional.empty();
    private Timers.@Nullable Timer timer;

    /** No agent; one that is superseded has {@code grace} to end by itself. */
    WorkingAgent(Timing timing, Duration grace) {
        this.timing = timing;
        this.grace = grace;
    }

    /** An agent works for the lane from now on; {@code over} is run once it no longer does, however it came to that. */
    void begin(RunningAgent agent, Runnable over) {
        work = Optional.of(new Work(agent, over));
    }

    Optional<RunningAgent> running() {
        return work.map(Work::agent);
    }

    boolean isPresent() {
        return work.isPresent();
    }

    /** Returns when the agent began; absent while it has not. */
    Optional<Instant> begunAt() {
        return running().flatMap(RunningAgent::begunAt);
    }

    /**
     * Returns what looks at the agent; it may be asked on another thread. What the turn was heard to do last counts as well as what the
     * agent says.
     */
    Optional<Supplier<Glance>> looking(Optional<TurnWork> turn) {
        return running().map(running -> () -> {
            Instant said = running.lastActivity();
            Instant heard = heard(turn);
            return new Glance(running.engagement(), said.isAfter(heard) ? said : heard, running.activity());
        });
    }

    /** Returns what is known of an agent that does not say anything. */
    static Glance unseen(Optional<TurnWork> turn) {
        return new Glance(Optional.empty(), heard(turn), Optional.empty());
    }

    private static Instant heard(Optional<TurnWork> turn) {
        return turn.map(TurnWork::lastEvent).orElse(Instant.EPOCH);
    }

    /** Asks the agent to end. */
    void interrupt(String reason) {
        running().ifPresent(running -> running.interrupt(reason));
    }

    /** What the agent still reports is discarded; it is asked to end and given time to. */
    void supersede(String reason) {
        end().ifPresent(running -> {
            running.supersede(reason);
            timing.after(grace, () -> running.letGo(-1, true));
        });
    }

    /** The agent is given back; {@code stored} messages were stored by its run, negative where that is not known. */
    void letGo(int stored, boolean spoilt) {
        end().ifPresent(running -> running.letGo(stored, spoilt));
    }

    private Optional<RunningAgent> end() {
        stopTimer();
        Optional<Work> ended = work;
        work = Optional.empty();
        ended.ifPresent(mine -> mine.over().run());
        return ended.map(Work::agent);
    }

    /** Sets the timer, in place of the one that was set before. */
    void after(Duration delay, Runnable task) {
        stopTimer();
        timer = timing.after(delay, task);
    }

    void stopTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private record Work(RunningAgent agent, Runnable over) {}
}
