package dev.parley.adapter.acp;

/** What a program answered instead of what it was asked for, or why it cannot answer any more. One line for people. */
final class AcpFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AcpFault(String message) {
        super(message);
    }

    AcpFault(String message, Throwable cause) {
        super(message, cause);
    }
}
