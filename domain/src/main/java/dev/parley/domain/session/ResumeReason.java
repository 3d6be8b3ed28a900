package dev.parley.domain.session;

/**
 * Why a lane is marked to be resumed. An open set: a text written by another system is kept.
 *
 * @param text the reason as stored
 */
public record ResumeReason(String text) {
    /** The turn was cut off when the drain of a restart timed out. */
    public static final ResumeReason RESTART_TIMEOUT = new ResumeReason("restart_timeout");
    /** The turn was cut off when the drain of a shutdown timed out. */
    public static final ResumeReason SHUTDOWN_TIMEOUT = new ResumeReason("shutdown_timeout");
    /** The turn was cut off by a crash. */
    public static final ResumeReason RESTART_INTERRUPTED = new ResumeReason("restart_interrupted");

    /** Returns whether the lane is resumed after the start without waiting for a message (P7.20). */
    public boolean isResumedAutomatically() {
        return equals(RESTART_TIMEOUT) || equals(SHUTDOWN_TIMEOUT) || equals(RESTART_INTERRUPTED);
    }
}
