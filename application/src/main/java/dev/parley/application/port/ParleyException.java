package dev.parley.application.port;

import org.jspecify.annotations.Nullable;

/** Root of what the application throws. The message is one line that says what happened, to what, and what to do; logs show it, so it quotes no text of people. */
public abstract class ParleyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ParleyException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
