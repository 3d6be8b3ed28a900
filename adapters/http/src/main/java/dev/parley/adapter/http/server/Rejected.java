package dev.parley.adapter.http.server;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.text.OneLine;

/** A request that is answered with an error. */
final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /** Says in one line what is wrong with the request and what to do. */
    Rejected(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    /** Says that a lane is asked about which there is not. */
    static Rejected noLane(SessionKey key) {
        return new Rejected(404, "There is no lane " + OneLine.quoted(key.value()) + "; see GET /v1/lanes.");
    }

    int status() {
        return status;
    }

    String message() {
        return String.valueOf(getMessage());
    }
}
