package dev.parley.adapter.telegram.api;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The Bot API answered a call with an error: the call was not carried out, unless the code is one of a server's failures. */
public final class BotApiError extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int SERVER = 500;

    private final int code;
    private final boolean spoken;
    private final String description;
    private final transient Optional<Duration> retryAfter;
    private final transient Optional<String> movedTo;

    BotApiError(
            String method,
            int code,
            boolean spoken,
            String description,
            Optional<Duration> retryAfter,
            Optional<String> movedTo) {
        super("Telegram answered " + method + " with " + code + ": " + description);
        this.code = code;
        this.spoken = spoken;
        this.description = description.toLowerCase(Locale.ROOT);
        this.retryAfter = retryAfter;
        this.movedTo = movedTo;
    }

    /** Returns the error's code, which is that of HTTP. */
    public int code() {
        return code;
    }

    /** Returns whether the Bot API said this, and not a proxy before it. */
    public boolean isSpoken() {
        return spoken;
    }

    /** Returns whether the description has these words, in any case. */
    public boolean says(String words) {
        return description.contains(words.toLowerCase(Locale.ROOT));
    }

    /** Returns how long Telegram asks to wait before the next call. */
    public Optional<Duration> retryAfter() {
        return retryAfter;
    }

    /** Returns the supergroup that the chat has become. */
    public Optional<String> movedTo() {
        return movedTo;
    }

    /**
     * Returns whether the token is not, or no more, a bot's: 401, or 404 for one that has not the form of a token. A proxy's 404 is
     * neither.
     */
    public boolean isUnauthorized() {
        return code == 401 || (spoken && code == 404);
    }

    /** Returns whether another program reads the same bot's messages, or a webhook is set. */
    public boolean isConflict() {
        return code == 409;
    }

    /** Returns whether the call may have been carried out all the same. */
    public boolean isUnknown() {
        return code >= SERVER || code < 400;
    }
}
