package dev.parley.fakes.whatsapp;

import java.time.Duration;
import java.util.Optional;

/** A call that fails as those of the Graph API do. */
final class GraphFault extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final int code;
    private final int subcode;
    private final transient Optional<Duration> retryAfter;

    GraphFault(int status, int code, int subcode, String message, Optional<Duration> retryAfter) {
        super(message);
        this.status = status;
        this.code = code;
        this.subcode = subcode;
        this.retryAfter = retryAfter;
    }

    static GraphFault of(int status, int code, String message) {
        return new GraphFault(status, code, 0, message, Optional.empty());
    }

    static GraphFault parameter(String details) {
        return of(400, 131009, "(#131009) Parameter value is not valid: " + details);
    }

    int status() {
        return status;
    }

    int code() {
        return code;
    }

    int subcode() {
        return subcode;
    }

    Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
