package dev.parley.domain.session;

import dev.parley.domain.reset.ResetReason;

/** How a session began, as long as its first turn has not taken notice of it. */
public sealed interface Beginning {
    /** Returns a beginning without anything to take notice of. */
    static Beginning ordinary() {
        return new Ordinary();
    }

    /** Returns a beginning that a person asked for. */
    static Beginning fresh() {
        return new Fresh();
    }

    /** Begun by a first message, or already taken notice of. */
    record Ordinary() implements Beginning {}

    /**
     * Begun because the session before it was reset automatically (G3.7).
     *
     * @param reason why
     * @param hadActivity whether the session before had used any tokens (C5)
     */
    record AfterReset(ResetReason reason, boolean hadActivity) implements Beginning {}

    /** Begun by {@code /new} or {@code /reset}: never causes a notice about an expired session (G3.23). */
    record Fresh() implements Beginning {}
}
