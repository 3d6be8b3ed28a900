package dev.parley.fakes.slack;

import java.time.Duration;
import java.util.Optional;

/** A call that fails. */
final class SlackFault extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String error;
    private final transient Optional<Duration> retryAfter;

    /** Fails as Slack does, with a word. */
    SlackFault(String error) {
        this(200, error, Optional.empty());
    }

    /** Fails with a status; with an empty word as a proxy before Slack fails. */
    SlackFault(int status, String error, Optional<Duration> retryAfter) {
        super(error);
        this.status = status;
        this.error = error;
        this.retryAfter = retryAfter;
    }

    int status() {
        return status;
    }

    String error() {
        return error;
    }

    Optional<Duration> retryAfter() {
        return retryAfter;
    }
}
