package dev.parley.adapter.http.server;

/** A request that is answered with an error. */
final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** Says in one line what is wrong with the request and what to do. */
    Rejected(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
