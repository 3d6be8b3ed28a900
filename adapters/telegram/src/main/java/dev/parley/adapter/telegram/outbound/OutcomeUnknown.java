package dev.parley.adapter.telegram.outbound;

/** It is not known whether Telegram carried a call out. */
final class OutcomeUnknown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutcomeUnknown(String message, Throwable cause) {
        super(message, cause);
    }
}
