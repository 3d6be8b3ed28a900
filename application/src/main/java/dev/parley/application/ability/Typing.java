package dev.parley.application.ability;

import dev.parley.domain.source.Address;
import java.time.Duration;

/** A platform that shows that somebody writes. */
public interface Typing {
    /** Returns how soon what is shown fades, so that it is shown again. */
    Duration typingLasts();

    /**
     * Shows in a chat that an answer is being written, or no longer. Called again before it fades. What it throws is told to the operator
     * once and does no harm.
     */
    void typing(Address where, boolean on);
}
