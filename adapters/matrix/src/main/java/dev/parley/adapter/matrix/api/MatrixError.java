package dev.parley.adapter.matrix.api;

import java.time.Duration;
import java.util.Optional;

/** A homeserver answered a call with an error: the call was not carried out, unless the status is one of a server's failures. */
public final class MatrixError extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final transient Optional<Duration> retryAfter;

    MatrixError(String call, int status, String code, String words, Optional<Duration> retryAfter) {
        super("The homeserver answered " + call + " with " + status + (code.isEmpty() ? "" : " " + code)
                + (words.isEmpty() ? "" : ": " + words));
        this.status = status;
        this.code = code;
        this.retryAfter = retryAfter;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns whether the error has this code, such as {@code M_FORBIDDEN}. */
    public boolean is(String wanted) {
        return code.equals(wanted);
    }

    /** Returns whether a homeserver said this, and not a proxy before it. */
    public boolean isSpoken() {
        return !code.isEmpty();
    }

    /** Returns how long the homeserver asks to wait before the next call. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Returns whether the token is not, or no more, an account's. */
    public boolean isUnauthorized() {
        return status == 401 || is("M_UNKNOWN_TOKEN") || is("M_MISSING_TOKEN") || is("M_USER_DEACTIVATED");
    }

    /** Returns whether too much was asked for in too short a time. */
    public boolean isLimit() {
        return status == 429 || is("M_LIMIT_EXCEEDED");
    }

    /** Returns whether the same call may succeed later: the homeserver, or what stands before it, is out of order. */
    public boolean isPassing() {
        return status >= 500 || status < 400 || status == 408 || isLimit() || isUnauthorized() || !isSpoken();
    }
}
