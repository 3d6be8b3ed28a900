package dev.parley.adapter.kit.api;

import dev.parley.application.port.DeliveryFailed;

/** It is not known whether a platform carried a call out. */
public final class OutcomeUnknown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Says what is not known, and why. */
    public OutcomeUnknown(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns what a call without an answer means for a message: not sent, or not known. */
    public static RuntimeException of(ApiFailure failure) {
        String what = String.valueOf(failure.getMessage());
        return failure instanceof ApiFailure.NotSent
                ? new DeliveryFailed(DeliveryFailed.Kind.AWAY, what, failure)
                : new OutcomeUnknown(what, failure);
    }

    /** Returns what an interrupted call means for a message; the thread stays interrupted. */
    public static RuntimeException of(InterruptedException interruption) {
        Thread.currentThread().interrupt();
        return new OutcomeUnknown("Sending was interrupted.", interruption);
    }
}
