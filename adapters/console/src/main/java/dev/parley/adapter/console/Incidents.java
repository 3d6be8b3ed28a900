package dev.parley.adapter.console;

import dev.parley.application.port.GatewayEvent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What befell the gateway since its start and is stored nowhere: the start itself, and the times in which the storage was degraded. Safe for
 * concurrent use.
 */
final class Incidents {
    private static final int KEPT = 20;

    private final InstantSource clock;
    private final Deque<Degraded> degraded = new ArrayDeque<>();
    private Optional<Start> start = Optional.empty();

    /**
     * The start of the gateway.
     *
     * @param at when it had set right what the process before left behind
     * @param report what it did
     */
    record Start(Instant at, GatewayEvent.Started report) {}

    /**
     * A time in which the storage was degraded.
     *
     * @param since when it began
     * @param why what the storage said
     * @param healed how it ended; absent while it lasts
     */
    record Degraded(Instant since, String why, Optional<Healed> healed) {}

    /**
     * The end of such a time.
     *
     * @param at when
     * @param report what was merged back
     */
    record Healed(Instant at, GatewayEvent.Healed report) {}

    Incidents(InstantSource clock) {
        this.clock = clock;
    }

    synchronized void on(GatewayEvent event) {
        if (event instanceof GatewayEvent.Started started) {
            start = Optional.of(new Start(clock.instant(), started));
        } else if (event instanceof GatewayEvent.Degraded began) {
            degraded.addFirst(new Degraded(clock.instant(), began.why(), Optional.empty()));
            if (degraded.size() > KEPT) {
                degraded.removeLast();
            }
        } else if (event instanceof GatewayEvent.Healed healed && !degraded.isEmpty()) {
            Degraded last = degraded.removeFirst();
            degraded.addFirst(new Degraded(last.since(), last.why(), Optional.of(new Healed(clock.instant(), healed))));
        }
    }

    /** Returns the start; absent where the gateway is still starting. */
    synchronized Optional<Start> start() {
        return start;
    }

    /** Returns the last times in which the storage was degraded, latest first. */
    synchronized List<Degraded> degraded() {
        return List.copyOf(degraded);
    }
}
