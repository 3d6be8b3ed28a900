package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.port.GatewayMarkers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Lets an operator hold new turns back while the gateway goes on running (P7.49): running turns end, what comes in is stored and
 * told that it waits, and turns that resume begin all the same. Used by the gateway's own actor.
 */
final class Maintenance {
    private final GatewayActor actor;
    private final Timing timing;
    private final GatewayMarkers markers;
    private final Phase phase;
    private final Duration check;
    /** Whether an operator wishes it of the node, beside what stands in its home. */
    private boolean wished;

    /** Holds nothing yet; looks every {@code check}, never where that is zero. */
    Maintenance(GatewayActor actor, Timing timing, GatewayMarkers markers, Phase phase, Duration check) {
        this.actor = actor;
        this.timing = timing;
        this.markers = markers;
        this.phase = phase;
        this.check = check;
    }

    /** Looks now, and from then on again and again until the gateway stops; {@code released} is told that turns may begin again, and returns at once. */
    void start(Runnable released) {
        if (check.isZero() || check.isNegative()) {
            return;
        }
        timing.after(
                check,
                () -> actor.post(() -> {
                    if (phase.stop().isEmpty()) {
                        start(released);
                    }
                }));
        look(released);
    }

    /** Holds turns back, or does not any more, as an operator wishes of the node; from any thread, returns at once. */
    void wish(boolean hold, Runnable released) {
        actor.post(() -> {
            if (wished != hold) {
                wished = hold;
                look(released);
            }
        });
    }

    /** Looks now instead of at the next time; {@code done} is told whether turns are held. From any thread, returns at once. */
    void look(Runnable released, CompletableFuture<Boolean> done) {
        actor.post(() -> {
            look(released);
            done.complete(phase.isHeld());
        });
    }

    private void look(Runnable released) {
        boolean before = phase.isHeld();
        boolean now = wished || markers.isHeld();
        phase.hold(now);
        if (before && !now) {
            released.run();
        }
    }
}
