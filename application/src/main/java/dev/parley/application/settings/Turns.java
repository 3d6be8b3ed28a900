package dev.parley.application.settings;

import java.time.Duration;

/**
 * How long turns may take, and what their people are told meanwhile. Zero stands for "off" where nothing else is said.
 *
 * @param timeout how long an agent may do nothing; zero: for ever (C18)
 * @param warning after how long the user is told that an agent does nothing; zero: never. Not told where the time-out is off or
 *     comes first
 * @param progress how often the user is told that a turn still runs; zero: never
 * @param drain how long a stop waits for running turns; zero: not at all
 * @param start how long an agent may take to begin; zero: for ever
 * @param grace how long an interrupted agent is waited for (P7.42)
 * @param answerSize how many characters an agent may say in one turn, or in a summary: text, reasoning and calls of tools
 */
public record Turns(
        Duration timeout,
        Duration warning,
        Duration progress,
        Duration drain,
        Duration start,
        Duration grace,
        int answerSize) {
    /** What holds where nothing is configured. */
    public static final Turns DEFAULT = new Turns(
            Duration.ofMinutes(30),
            Duration.ofMinutes(15),
            Duration.ofMinutes(3),
            Duration.ofMinutes(3),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            4_000_000);

    /** Returns this with another {@link #timeout()}. */
    public Turns withTimeout(Duration value) {
        return new Turns(value, warning, progress, drain, start, grace, answerSize);
    }

    /** Returns this with another {@link #warning()}. */
    public Turns withWarning(Duration value) {
        return new Turns(timeout, value, progress, drain, start, grace, answerSize);
    }

    /** Returns this with another {@link #progress()}. */
    public Turns withProgress(Duration value) {
        return new Turns(timeout, warning, value, drain, start, grace, answerSize);
    }

    /** Returns this with another {@link #drain()}. */
    public Turns withDrain(Duration value) {
        return new Turns(timeout, warning, progress, value, start, grace, answerSize);
    }

    /** Returns this with another {@link #start()}. */
    public Turns withStart(Duration value) {
        return new Turns(timeout, warning, progress, drain, value, grace, answerSize);
    }

    /** Returns this with another {@link #grace()}. */
    public Turns withGrace(Duration value) {
        return new Turns(timeout, warning, progress, drain, start, value, answerSize);
    }

    /** Returns this with another {@link #answerSize()}. */
    public Turns withAnswerSize(int value) {
        return new Turns(timeout, warning, progress, drain, start, grace, value);
    }
}
