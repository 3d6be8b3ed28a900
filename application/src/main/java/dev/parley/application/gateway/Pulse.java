package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Timers;
import dev.parley.domain.text.Spans;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Looks whether the executor runs the gateway's tasks, by a task of its own now and then, and tells where it does not: agents or plug-ins
 * have taken all of its threads. It looks on a thread that they cannot take; without one ({@link Timers#beside}) it does not look. Safe for
 * concurrent use.
 */
final class Pulse {
    /** How often it is looked within the time after which it is told, so that a machine that slept is no alarm. */
    private static final int LOOKS = 2;

    private final Executor executor;
    private final Timing timing;
    private final GatewayEvents events;
    private final Duration limit;
    private boolean looking;
    private boolean over;
    private Optional<Instant> waitingSince = Optional.empty();
    private int looks;
    private boolean told;
    private Timers.Timer timer = () -> {};

    /**
     * Does not look yet.
     *
     * @param executor runs the gateway's tasks
     * @param timing time
     * @param events told when the executor runs no tasks, and when it does again
     * @param limit for how long it runs none before that is told; zero or less: it is never told
     */
    Pulse(Executor executor, Timing timing, GatewayEvents events, Duration limit) {
        this.executor = executor;
        this.timing = timing;
        this.events = events;
        this.limit = limit;
    }

    /** Looks from now on; does nothing the second time. */
    void start() {
        synchronized (this) {
            if (looking || limit.isZero() || limit.isNegative()) {
                return;
            }
            looking = true;
        }
        look();
    }

    /** Looks no more. */
    synchronized void end() {
        over = true;
        timer.cancel();
    }

    /** Returns since when the executor has run no task; absent while it does. */
    synchronized Optional<Instant> starvedSince() {
        return told ? waitingSince : Optional.empty();
    }

    private void look() {
        boolean asks;
        boolean tells;
        synchronized (this) {
            if (over) {
                return;
            }
            asks = waitingSince.isEmpty();
            if (asks) {
                waitingSince = Optional.of(timing.now());
                looks = 0;
            } else {
                looks++;
            }
            tells = looks >= LOOKS && !told;
            told |= tells;
            timer = timing.timers().beside(limit.dividedBy(LOOKS), this::look);
        }
        if (tells) {
            events.on(new GatewayEvent.Trouble(
                    Optional.empty(),
                    "The gateway's executor has run no task for " + Spans.inFull(limit)
                            + ": agents or plug-ins that block have all of its threads. Messages, commands, time-outs and a stop wait for"
                            + " one; give agents that block an executor of their own.",
                    Optional.empty()));
        }
        if (asks) {
            try {
                executor.execute(this::beats);
            } catch (RejectedExecutionException e) {
                end();
            }
        }
    }

    private void beats() {
        Optional<Instant> since;
        synchronized (this) {
            since = starvedSince();
            waitingSince = Optional.empty();
            told = false;
        }
        since.ifPresent(begin -> events.on(new GatewayEvent.Trouble(
                Optional.empty(),
                "The gateway's executor runs tasks again; it had run none for "
                        + Spans.inFull(Duration.between(begin, timing.now())) + ".",
                Optional.empty())));
    }
}
