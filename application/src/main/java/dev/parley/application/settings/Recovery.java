package dev.parley.application.settings;

import java.time.Duration;

/**
 * What a start makes of turns that the process before left behind. Zero stands for "off" where nothing else is said.
 *
 * @param freshness how old a mark to be resumed may be; zero: always fresh (D12)
 * @param stuckLoopThreshold after how many consecutive restarts in a turn a lane is suspended (P7.9)
 * @param bootLoopMax how many starts with lanes to resume within {@code bootLoopWithin} keep them from being resumed; zero: any
 *     number is fine (P7.25)
 * @param bootLoopWithin see {@code bootLoopMax}
 */
public record Recovery(Duration freshness, int stuckLoopThreshold, int bootLoopMax, Duration bootLoopWithin) {
    /** What holds where nothing is configured. */
    public static final Recovery DEFAULT = new Recovery(Duration.ofHours(1), 3, 3, Duration.ofMinutes(1));

    /** Returns this with another {@link #freshness()}. */
    public Recovery withFreshness(Duration value) {
        return new Recovery(value, stuckLoopThreshold, bootLoopMax, bootLoopWithin);
    }

    /** Returns this with another {@link #stuckLoopThreshold()}. */
    public Recovery withStuckLoopThreshold(int value) {
        return new Recovery(freshness, value, bootLoopMax, bootLoopWithin);
    }

    /** Returns this with another {@link #bootLoopMax()}. */
    public Recovery withBootLoopMax(int value) {
        return new Recovery(freshness, stuckLoopThreshold, value, bootLoopWithin);
    }

    /** Returns this with another {@link #bootLoopWithin()}. */
    public Recovery withBootLoopWithin(Duration value) {
        return new Recovery(freshness, stuckLoopThreshold, bootLoopMax, value);
    }
}
