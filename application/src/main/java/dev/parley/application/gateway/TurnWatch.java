package dev.parley.application.gateway;

import dev.parley.application.port.AgentRun;
import dev.parley.application.port.Timers;
import dev.parley.domain.change.Change;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches a running turn: tells its people from time to time that it still runs, warns them once it does nothing, and ends it
 * once it has done nothing for too long (C18). Has one timer, for whatever is due next.
 */
final class TurnWatch {
    private final Workings works;
    private final LaneDesk desk;
    private final TurnRun turn;
    private Instant told;
    private Optional<Instant> warnedOf = Optional.empty();
    private Timers.@Nullable Timer next;
    private Timers.@Nullable Timer grace;

    TurnWatch(LaneDesk desk, TurnRun turn) {
        this.works = desk.works;
        this.desk = desk;
        this.turn = turn;
        this.told = works.now();
    }

    /** Begins to watch. */
    void begin() {
        Stream.of(limit(), warning(), interval().map(i -> told.plus(i)))
                .flatMap(Optional::stream)
                .min(Instant::compareTo)
                .ifPresent(this::lookAt);
    }

    void stop() {
        if (next != null) {
            next.cancel();
            next = null;
        }
        if (grace != null) {
            grace.cancel();
            grace = null;
        }
    }

    private void lookAt(Instant due) {
        Duration left = Duration.between(works.now(), due);
        next = works.timers.after(left.isNegative() ? Duration.ZERO : left, () -> desk.post(this::look));
    }

    private void look() {
        if (!isRunning()) {
            return;
        }
        Instant now = works.now();
        if (limit().filter(due -> !due.isAfter(now)).isPresent()) {
            timeOut();
            return;
        }
        if (warning().filter(due -> !due.isAfter(now)).isPresent()) {
            warnedOf = Optional.of(lastActivity());
            told = now;
            tell("The agent has done nothing for " + inWords(idle(now)) + ". The task is stopped after "
                    + inWords(works.settings.turns().timeout()) + " without a sign of it; /stop ends it now.");
        } else if (interval().filter(i -> !told.plus(i).isAfter(now)).isPresent()) {
            told = now;
            tellProgress(now);
        }
        begin();
    }

    /** Tells that the turn goes on, unless its people know that it does nothing. */
    private void tellProgress(Instant now) {
        if (!isWarned()) {
            tell("Still working (" + inWords(Duration.between(turn.turn.startedAt(), now)) + ")"
                    + doing().map(what -> ": " + what).orElse("") + ".");
        }
    }

    private boolean isRunning() {
        return desk.running.current() == turn && turn.phase == TurnRun.Phase.RUNNING;
    }

    private void timeOut() {
        desk.running.interrupt(TurnRun.Cause.TIMEOUT, "Execution timed out (inactivity)");
        grace = works.timers.after(
                works.settings.turns().grace(),
                () -> desk.post(() -> {
                    if (isRunning()) {
                        desk.ending.timedOut(turn, TokenUsage.NONE, 0);
                    }
                }));
    }

    /** Tells the turn's people something that is of use only now: nothing is told where it would wait. */
    private void tell(String text) {
        if (!desk.outbox.isEmpty() || works.platformFor(turn.source.platform()).isEmpty()) {
            return;
        }
        Outgoing notice =
                works.outgoing(desk.key(), turn.source, text, Outgoing.Kind.NOTICE, Optional.of(turn.turn.id()));
        desk.then(() -> desk.commit(desk.running.claimedBy(turn), List.of(new Change.PutOutgoing(notice)), result -> {
            if (result.isCommitted()) {
                desk.outbox.add(notice);
            } else {
                desk.running.lost(turn);
            }
        }));
    }

    /** Returns when the turn has done nothing for too long; absent where it may for ever. */
    private Optional<Instant> limit() {
        return some(works.settings.turns().timeout()).map(lastActivity()::plus);
    }

    /** Returns when its people are to be warned; absent where they have been, or are told of its end before. */
    private Optional<Instant> warning() {
        Duration limit = works.settings.turns().timeout();
        return some(works.settings.turns().warning())
                .filter(warning -> some(limit).isPresent() && warning.compareTo(limit) < 0)
                .filter(warning -> !isWarned())
                .map(lastActivity()::plus);
    }

    private boolean isWarned() {
        return warnedOf.equals(Optional.of(lastActivity()));
    }

    private Optional<Duration> interval() {
        return some(works.settings.turns().progress());
    }

    private static Optional<Duration> some(Duration time) {
        return time.isZero() || time.isNegative() ? Optional.empty() : Optional.of(time);
    }

    /** Returns how long the agent has done nothing. */
    Duration idle(Instant now) {
        return Duration.between(lastActivity(), now);
    }

    private Instant lastActivity() {
        AgentRun agentRun = turn.agentRun;
        Instant reported = agentRun == null ? turn.lastEvent : agentRun.lastActivity();
        return reported.isAfter(turn.lastEvent) ? reported : turn.lastEvent;
    }

    private Optional<String> doing() {
        AgentRun agentRun = turn.agentRun;
        return agentRun == null ? Optional.empty() : agentRun.activity();
    }

    /** Returns a time as people say it: {@code 2 h 5 min}, {@code 3 min}, {@code 40 s}. */
    static String inWords(Duration time) {
        if (time.toMinutes() == 0) {
            return time.toSeconds() + " s";
        }
        if (time.toHours() == 0) {
            return time.toMinutes() + " min";
        }
        return time.toHours() + " h" + (time.toMinutesPart() > 0 ? " " + time.toMinutesPart() + " min" : "");
    }
}
