package dev.parley.bootstrap.chaos;

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
record Plan(
        long seed,
        int lanes,
        int perSecond,
        List<Happening> script,
        List<Happening> choices,
        Duration time,
        int megabytes) {
    /** What can happen to a gateway. */
    enum Happening {
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

    Plan {
        script = List.copyOf(script);
        choices = List.copyOf(choices);
    }

    /** Returns this plan with another seed and more time. */
    Plan longer(long anotherSeed, Duration moreTime) {
        return new Plan(anotherSeed, lanes, perSecond, script, choices, moreTime, megabytes);
    }
}
