package dev.parley.application.gateway;

import java.time.Duration;

/**
 * Lets an operator hold new turns back while the gateway goes on running (P7.49): running turns end, what comes in is stored and
 * told that it waits, and turns that resume begin all the same. Used on the operator's desk.
 */
final class Holding {
    static final String QUEUED =
            "The gateway is being maintained. Your message is kept and will be answered afterwards.";

    private final Workings works;
    private final OperatorDesk desk;
    private final Runnable released;

    /**
     * Holds nothing yet.
     *
     * @param released told that turns may begin again
     */
    Holding(Workings works, OperatorDesk desk, Runnable released) {
        this.works = works;
        this.desk = desk;
        this.released = released;
    }

    /** Looks now, and from then on again and again until the gateway stops; does nothing where it is not to be looked. */
    void start() {
        Duration check = works.settings.operation().maintenanceCheck();
        if (check.isZero() || check.isNegative()) {
            return;
        }
        look();
        works.timers.after(
                check,
                () -> desk.post(() -> {
                    if (works.stopping().isEmpty() && !works.isClosed()) {
                        start();
                    }
                }));
    }

    private void look() {
        boolean before = works.isHeld();
        boolean now = works.markers.isHeld();
        works.hold(now);
        if (before && !now) {
            try {
                released.run();
            } catch (RuntimeException e) {
                // Whoever waits is told again with the next look.
                works.hold(true);
                throw e;
            }
        }
    }
}
