package dev.parley.application.port;

import dev.parley.domain.source.Platform;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * How a platform of a running gateway is.
 *
 * @param platform the platform
 * @param standing how far it has come
 * @param since since when it stands so
 * @param error what is wrong with it, or was wrong last, in one line without secrets; absent where nothing was
 * @param advice what the operator can do about it now, in one line; absent where nothing is wrong now, or only waiting helps
 */
public record PlatformState(
        Platform platform, Standing standing, Instant since, Optional<String> error, Optional<String> advice) {
    /** How far a platform has come. */
    public enum Standing {
        /** It was not able to send yet. */
        CONNECTING,
        /** It is able to send. */
        CONNECTED,
        /** It is able to send, and something is wrong with it. */
        TROUBLED,
        /** It is not able to send; it tries again by itself. */
        AWAY,
        /** It cannot start as it is configured; it is not started again. */
        REFUSED;

        /** Returns its word in outputs. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
