package dev.parley.application.gateway;

/**
 * How a gateway ended.
 *
 * @param mode why it stopped
 * @param timedOut whether turns were cut off because the drain timed out
 */
public record ExitStatus(StopMode mode, boolean timedOut) {
    /** Returns the exit code of the process: 75 for a planned restart, otherwise 0 (P7.47). */
    public int code() {
        return mode == StopMode.RESTART ? 75 : 0;
    }
}
