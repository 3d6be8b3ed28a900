package dev.parley.application.settings;

import java.time.Duration;

/**
 * How an operator's requests are met. Zero stands for "off" where nothing else is said.
 *
 * @param maintenanceCheck how often it is looked whether an operator holds new turns back; zero: never (P7.49)
 * @param requestTimeout how long a request of an operator waits for its lane before it fails
 */
public record Operation(Duration maintenanceCheck, Duration requestTimeout) {
    /** What holds where nothing is configured. */
    public static final Operation DEFAULT = new Operation(Duration.ZERO, Duration.ofSeconds(30));

    /** Returns this with another {@link #maintenanceCheck()}. */
    public Operation withMaintenanceCheck(Duration value) {
        return new Operation(value, requestTimeout);
    }

    /** Returns this with another {@link #requestTimeout()}. */
    public Operation withRequestTimeout(Duration value) {
        return new Operation(maintenanceCheck, value);
    }
}
