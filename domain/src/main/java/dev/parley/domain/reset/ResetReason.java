package dev.parley.domain.reset;

import java.util.Locale;
import java.util.Optional;

/** Why a session was replaced without the user asking for it. */
public enum ResetReason {
    /** No activity for longer than the policy allows. */
    IDLE,
    /** The daily boundary passed since the last activity. */
    DAILY,
    /** The lane had been suspended. */
    SUSPENDED;

    /** The stored form: the name in lower case. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The reason whose {@link #text()} is exactly that; empty for any other text. */
    public static Optional<ResetReason> parse(String text) {
        for (ResetReason reason : values()) {
            if (reason.text().equals(text)) {
                return Optional.of(reason);
            }
        }
        return Optional.empty();
    }
}
