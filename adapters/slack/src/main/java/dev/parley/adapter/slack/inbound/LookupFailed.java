package dev.parley.adapter.slack.inbound;

import dev.parley.adapter.slack.api.SlackError;
import java.time.Duration;
import java.util.Optional;

/** Something that has to be known could not be asked for now. */
final class LookupFailed extends Exception {
    private static final long serialVersionUID = 1L;

    LookupFailed(Exception cause) {
        super(cause.getMessage(), cause);
    }

    /** Returns how long Slack asks to wait. */
    Optional<Duration> retryAfter() {
        return getCause() instanceof SlackError error ? error.retryAfter() : Optional.empty();
    }
}
