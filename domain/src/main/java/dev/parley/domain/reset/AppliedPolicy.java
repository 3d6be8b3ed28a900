package dev.parley.domain.reset;

/**
 * The policy that applies to a lane, and where it was configured, so that a reset can be explained (R6.8).
 *
 * @param policy the policy
 * @param origin the configuration path, e.g. {@code platforms.telegram.session_reset}; never blank
 */
public record AppliedPolicy(ResetPolicy policy, String origin) {
    /** @throws IllegalArgumentException if the origin is blank */
    public AppliedPolicy {
        if (origin.isBlank()) {
            throw new IllegalArgumentException("An applied policy needs the configuration path it came from");
        }
    }
}
