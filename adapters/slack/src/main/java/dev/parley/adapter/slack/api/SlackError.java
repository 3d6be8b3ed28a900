package dev.parley.adapter.slack.api;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Slack answered a call with an error. */
public final class SlackError extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SERVER = 500;
    private static final Set<String> AUTH = Set.of(
            "invalid_auth",
            "not_authed",
            "account_inactive",
            "token_revoked",
            "token_expired",
            "not_allowed_token_type",
            "no_permission");
    private static final Set<String> LIMITS = Set.of("ratelimited", "rate_limited", "message_limit_exceeded");
    /** What Slack says where it does not know itself whether it did it. */
    private static final Set<String> FAULTS = Set.of("internal_error", "fatal_error", "request_timeout");

    private static final Set<String> AWAY =
            Set.of("service_unavailable", "team_added_to_org", "accesslimited", "external_channel_migrating");

    private final int status;
    private final String code;
    private final transient Optional<Duration> retryAfter;

    SlackError(String method, int status, String code, String words, Optional<Duration> retryAfter) {
        super("Slack answered " + method + " with " + (code.isEmpty() ? String.valueOf(status) : code) + words);
        this.status = status;
        this.code = code;
        this.retryAfter = retryAfter;
    }

    /** Returns whether the error has this code, such as {@code channel_not_found}. */
    public boolean is(String wanted) {
        return code.equals(wanted);
    }

    /** Returns whether Slack said this, and not a proxy before it. */
    public boolean isSpoken() {
        return !code.isEmpty();
    }

    /** Returns how long Slack asks to wait before the next call of the method. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Returns whether the token is not, or no more, one that may do this. */
    public boolean isUnauthorized() {
        return AUTH.contains(code);
    }

    /** Returns whether too much was asked for in too short a time. */
    public boolean isLimit() {
        return status == 429 || LIMITS.contains(code);
    }

    /** Returns whether the call may have been carried out all the same. */
    public boolean isUnknown() {
        return !isLimit() && (status >= SERVER || (status < 300 && !isSpoken()) || FAULTS.contains(code));
    }

    /** Returns whether the same call may succeed later. */
    public boolean isPassing() {
        return isLimit()
                || isUnknown()
                || isUnauthorized()
                || AWAY.contains(code)
                || (!isSpoken() && (status < 400 || status == 408));
    }
}
