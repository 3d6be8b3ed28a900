package dev.parley.application.lane;

import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Waits for the rest of a text that a platform may have cut up, before a turn begins with it. Used by the lane's own tasks. */
final class RestOfText {
    private final LaneClock clock;
    private final Outlets outlets;
    private boolean isWaitedFor;
    /** The message behind which the rest of a text was waited for. */
    private Optional<InboundId> waitedBehind = Optional.empty();

    RestOfText(LaneClock clock, Outlets outlets) {
        this.clock = clock;
        this.outlets = outlets;
    }

    /**
     * Returns how much longer the rest is waited for of what a platform may have cut up, whatever the clock was set to meanwhile; absent
     * where nothing is missing.
     */
    Optional<Duration> missing(Inbound last) {
        return last.kind() == Inbound.Kind.MESSAGE && !waitedBehind.equals(Optional.of(last.id()))
                ? outlets.connections()
                        .cutting(last.source().platform())
                        .flatMap(cut -> cut.rest(last))
                        .map(rest -> Collections.min(List.of(
                                rest,
                                Duration.between(clock.now(), last.receivedAt().plus(rest)))))
                        .filter(left -> left.compareTo(Duration.ZERO) > 0)
                : Optional.empty();
    }

    /** Waits for it, once at a time; then the lane looks again what is next. */
    void await(Inbound last, Duration left, LaneWork lane) {
        if (!isWaitedFor) {
            isWaitedFor = true;
            lane.after(left, () -> {
                isWaitedFor = false;
                waitedBehind = Optional.of(last.id());
                lane.next();
            });
        }
    }
}
