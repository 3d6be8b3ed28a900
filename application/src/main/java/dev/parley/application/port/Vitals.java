package dev.parley.application.port;

import java.util.Optional;

/**
 * How a gateway is that shares a store, as it says with each beat.
 *
 * @param busy how many lanes it works on
 * @param isDraining whether it takes nothing more from now on
 * @param address where it is reached over HTTP; absent where it is not
 */
public record Vitals(int busy, boolean isDraining, Optional<String> address) {
    /** A gateway that works on nothing yet. */
    public static final Vitals NONE = new Vitals(0, false, Optional.empty());
}
