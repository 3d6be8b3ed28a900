package dev.parley.application.gateway;

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

    /** Returns with which reason a turn is marked that this stop cuts off (P7.40). */
    ResumeReason resumeReason() {
        return this == RESTART ? ResumeReason.RESTART_TIMEOUT : ResumeReason.SHUTDOWN_TIMEOUT;
    }

    /** Returns what an agent is told that this stop interrupts (P7.42). */
    String interruptText() {
        return interrupt;
    }

    /** Returns what people are told whose turn is running (P7.37). */
    String banner() {
        return this == RESTART
                ? "The gateway is restarting: your running task will be interrupted unless it ends first. Send any message"
                        + " after the restart and I'll try to resume where you left off."
                : "The gateway is shutting down: your running task will be interrupted unless it ends first.";
    }

    /** Returns what the operator's chats are told. */
    String homeBanner() {
        return this == RESTART ? "The gateway is restarting." : "The gateway is shutting down.";
    }

    /** Returns what people are told who write during the drain; it is kept, since the queue is durable (D14). */
    String queuedText() {
        return this == RESTART
                ? "The gateway is restarting. Your message is kept and will be answered after it comes back."
                : "The gateway is shutting down. Your message is kept and will be answered when it is started again.";
    }
}
