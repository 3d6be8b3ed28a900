package dev.parley.application.settings;

import java.time.Duration;

/**
 * How an operator's requests are met. Zero stands for "off" where nothing else is said.
 *
 * @param maintenanceCheck how often it is looked whether an operator holds new turns back; zero: never (P7.49)
 * @param requestTimeout how long a request of an operator waits for its lane before it fails
 * @param starvedAfter for how long the executor runs no task before that is told; zero: it is never told
 */
public record Operation(Duration maintenanceCheck, Duration requestTimeout, Duration starvedAfter) {
    /** What holds where nothing is configured. */
    public static final Operation DEFAULT =
            new Operation(Duration.ZERO, Duration.ofSeconds(30), Duration.ofSeconds(10));

    /** Returns this with another {@link #maintenanceCheck()}. */
    public Operation withMaintenanceCheck(Duration value) {
        return new Operation(value, requestTimeout, starvedAfter);
    }

    /** Returns this with another {@link #requestTimeout()}. */
    public Operation withRequestTimeout(Duration value) {
        return new Operation(maintenanceCheck, value, starvedAfter);
    }

    /** Returns this with another {@link #starvedAfter()}. */
    public Operation withStarvedAfter(Duration value) {
        return new Operation(maintenanceCheck, requestTimeout, value);
    }
}
