package dev.parley.fakes.discord;

import java.time.Duration;
import java.util.Optional;

/** A call that fails. */
final class DiscordFault extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final int code;
    private final transient Optional<Duration> retryAfter;
    private final boolean global;

    private DiscordFault(int status, int code, String words, Optional<Duration> retryAfter, boolean global) {
        super(words);
        this.status = status;
        this.code = code;
        this.retryAfter = retryAfter;
        this.global = global;
    }

    /** Fails as Discord does. */
    DiscordFault(int status, int code, String words) {
        this(status, code, words, Optional.empty(), false);
    }

    /** Fails as a proxy before Discord does. */
    static DiscordFault ofProxy(int status) {
        return new DiscordFault(status, -1, "", Optional.empty(), false);
    }

    /** Asks for a pause, of this route or of everything. */
    static DiscordFault limit(Duration pause, boolean global) {
        return new DiscordFault(429, 0, "You are being rate limited.", Optional.of(pause), global);
    }

    int status() {
        return status;
    }

    int code() {
        return code;
    }

    /** Returns whether Discord says it, and not a proxy before it. */
    boolean isSpoken() {
        return code >= 0;
    }

    Optional<Duration> retryAfter() {
        return retryAfter;
    }

    boolean isGlobal() {
        return global;
    }
}
