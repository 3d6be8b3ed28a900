package dev.parley.fakes.chaos;

import java.time.Duration;
import java.util.List;

/**
 * How a run goes.
 *
 * @param seed what chance begins with
 * @param lanes how many lanes talk
 * @param perSecond how often somebody says something
 * @param script what happens, in this order; then it goes on with {@code choices} until {@code time} is over
 * @param choices what may happen after that
 * @param time how long it goes on
 * @param megabytes the size of the database's file system
 */
public record Plan(
        long seed,
        int lanes,
        int perSecond,
        List<Happening> script,
        List<Happening> choices,
        Duration time,
        int megabytes) {
    private static final int SHORT_LANES = 24;
    private static final int SHORT_RATE = 20;
    private static final int SHORT_MEGABYTES = 256;

    /** What can happen to a gateway. */
    public enum Happening {
        /** SIGKILL. */
        KILL,
        /** SIGKILL, and again while the next one starts. */
        KILL_TWICE,
        /** SIGTERM, and it takes the time it needs. */
        STOP,
        /** SIGTERM, and SIGKILL while it drains. */
        STOP_AND_KILL,
        /** The platform cannot be reached for a while. */
        PLATFORM_AWAY,
        /** The storage is locked for a while. */
        LOCKED,
        /** The storage is full for a while. */
        FULL,
        /** The storage is locked; SIGKILL while it is; it is free again some time after the next start. */
        LOCKED_AND_KILL,
        /** The storage is full; SIGKILL while it is; it is free again some time after the next start. */
        FULL_AND_KILL,
        /** The storage is locked; SIGTERM while it is; it is free again before the next start. */
        LOCKED_AND_STOP,
        /** The storage is full; SIGKILL while it is; it is free again, and SIGKILL comes while what was kept is merged back. */
        FULL_AND_KILL_WHILE_HEALING
    }

    public Plan {
        script = List.copyOf(script);
        choices = List.copyOf(choices);
    }

    /** Returns a short run of a gateway that is killed and stopped, and of platforms that are away. */
    public static Plan ofKills(long seed) {
        return new Plan(
                seed,
                SHORT_LANES,
                SHORT_RATE,
                List.of(Happening.KILL, Happening.STOP_AND_KILL, Happening.KILL_TWICE, Happening.PLATFORM_AWAY),
                List.of(
                        Happening.KILL,
                        Happening.STOP,
                        Happening.KILL_TWICE,
                        Happening.STOP_AND_KILL,
                        Happening.PLATFORM_AWAY),
                Duration.ZERO,
                SHORT_MEGABYTES);
    }

    /** Returns a short run of a gateway whose storage fails and returns, also while it is killed. */
    public static Plan ofFailingStorage(long seed) {
        return new Plan(
                seed,
                SHORT_LANES,
                SHORT_RATE,
                List.of(Happening.LOCKED, Happening.FULL_AND_KILL_WHILE_HEALING),
                List.of(
                        Happening.LOCKED,
                        Happening.FULL,
                        Happening.LOCKED_AND_KILL,
                        Happening.FULL_AND_KILL,
                        Happening.LOCKED_AND_STOP,
                        Happening.FULL_AND_KILL_WHILE_HEALING,
                        Happening.KILL),
                Duration.ZERO,
                SHORT_MEGABYTES);
    }

    /** Returns this plan that goes on for a time. */
    public Plan lasting(Duration longer) {
        return new Plan(seed, lanes, perSecond, script, choices, longer, megabytes);
    }
}
