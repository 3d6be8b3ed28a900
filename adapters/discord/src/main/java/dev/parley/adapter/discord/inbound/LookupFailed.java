package dev.parley.adapter.discord.inbound;

import dev.parley.adapter.discord.api.DiscordError;
import java.time.Duration;
import java.util.Optional;

/** Something that has to be known could not be asked for now. */
final class LookupFailed extends Exception {
    private static final long serialVersionUID = 1L;

    LookupFailed(Exception cause) {
        super(cause.getMessage(), cause);
    }

    /** Returns how long Discord asks to wait. */
    Optional<Duration> retryAfter() {
        return getCause() instanceof DiscordError error ? error.retryAfter() : Optional.empty();
    }
}
