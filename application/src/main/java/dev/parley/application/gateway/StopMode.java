package dev.parley.application.gateway;

import dev.parley.application.lane.Stopping;
import dev.parley.domain.session.ResumeReason;

/** Why a gateway stops. */
public enum StopMode {
    /** It will be started again at once. */
    RESTART("Gateway restarting"),
    /** It will be started again some day. */
    SHUTDOWN("Gateway shutting down");

    private final String interrupt;

    StopMode(String interrupt) {
        this.interrupt = interrupt;
    }

    /** Returns what lanes need to know of this stop. */
    Stopping stopping() {
        return this == RESTART
                ? new Stopping(
                        "The gateway is restarting: your running task will be interrupted unless it ends first. Send any"
                                + " message after the restart and I'll try to resume where you left off.",
                        interrupt,
                        "The gateway is restarting. Your message is kept and will be answered after it comes back.",
                        ResumeReason.RESTART_TIMEOUT)
                : new Stopping(
                        "The gateway is shutting down: your running task will be interrupted unless it ends first.",
                        interrupt,
                        "The gateway is shutting down. Your message is kept and will be answered when it is started again.",
                        ResumeReason.SHUTDOWN_TIMEOUT);
    }

    /** Returns what the operator's chats are told. */
    String homeBanner() {
        return this == RESTART ? "The gateway is restarting." : "The gateway is shutting down.";
    }
}
