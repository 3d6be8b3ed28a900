package dev.parley.application.settings;

import java.time.Duration;

/**
 * How many agents are kept between turns.
 *
 * @param kept how many agents are kept (A11.1)
 * @param idle how long an unused agent is kept (A11.7)
 */
public record Agents(int kept, Duration idle) {
    /** What holds where nothing is configured. */
    public static final Agents DEFAULT = new Agents(128, Duration.ofHours(1));

    /** Returns this with another {@link #kept()}. */
    public Agents withKept(int value) {
        return new Agents(value, idle);
    }

    /** Returns this with another {@link #idle()}. */
    public Agents withIdle(Duration value) {
        return new Agents(kept, value);
    }
}
