package dev.parley.adapter.discord.api;

import java.time.Duration;
import java.util.Optional;

/** Discord answered a call with an error, or the call waits for a limit and was not made. */
public final class DiscordError extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LIMIT = 429;
    private static final int SERVER = 500;

    private final int status;
    private final int code;
    private final boolean spoken;
    private final transient Optional<Duration> retryAfter;

    DiscordError(String call, int status, int code, boolean spoken, String words, Optional<Duration> retryAfter) {
        super("Discord answered " + call + " with " + status + (code > 0 ? " (" + code + ")" : "") + words);
        this.status = status;
        this.code = code;
        this.spoken = spoken;
        this.retryAfter = retryAfter;
    }

    private DiscordError(String call, Duration wait) {
        super("Discord asked to wait before it is called again, to " + call);
        this.status = LIMIT;
        this.code = 0;
        this.spoken = true;
        this.retryAfter = Optional.of(wait);
    }

    /** A call was not made, since a limit holds. */
    static DiscordError paused(String call, Duration wait) {
        return new DiscordError(call, wait);
    }

    /** Returns whether the error has this code of Discord's, such as 10003 for a channel that is not there. */
    public boolean is(int wanted) {
        return code == wanted;
    }

    /** Returns whether Discord said this, and not a proxy before it. */
    public boolean isSpoken() {
        return spoken;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns how long Discord asks to wait before the next call of the kind. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Returns whether the token is not, or no more, one that is taken. */
    public boolean isUnauthorized() {
        return status == 401;
    }

    /** Returns whether too much was asked for in too short a time. */
    public boolean isLimit() {
        return status == LIMIT;
    }

    /** Returns whether the call may have been carried out all the same. */
    public boolean isUnknown() {
        return status >= SERVER || (status < 400 && !spoken);
    }

    /** Returns whether the same call may succeed later. */
    public boolean isPassing() {
        return isLimit() || isUnknown() || isUnauthorized() || status == 408 || (!spoken && status != 403);
    }
}
