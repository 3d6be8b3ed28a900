package dev.parley.bootstrap.chaos;

import java.time.Duration;
import java.util.List;

/**
 * How a run of several nodes goes.
 *
 * @param seed what chance begins with
 * @param nodes how many nodes there are
 * @param lease for how long nobody takes the lanes of a node that is not heard of
 * @param lanes how many lanes talk
 * @param perSecond how often somebody says something
 * @param script what happens, in this order; then it goes on with any of {@link Happening} until {@code time} is over
 * @param time how long it goes on
 */
record ClusterPlan(
        long seed, int nodes, Duration lease, int lanes, int perSecond, List<Happening> script, Duration time) {
    /** What can happen to nodes that share a server. */
    enum Happening {
        /** One node: SIGKILL, and another process in its place. */
        KILL,
        /** One node: SIGSTOP for longer than its lease. */
        PAUSE,
        /** One node: SIGSTOP for less than its lease. */
        SHORT_PAUSE,
        /** One node: SIGSTOP between the two halves of a commit, for longer than its lease. */
        PAUSE_IN_COMMIT,
        /** One node: its connections to the database break, and it gets no new ones for longer than its lease. */
        CUT_OFF,
        /** One node: for longer than its lease nothing passes between it and the database; then everything arrives. */
        SILENCE,
        /** The server ends without closing anything, and starts again. */
        SERVER_BREAKS_OFF,
        /** The server ends without closing anything, and a synchronous replica takes its place. */
        FAILOVER,
        /** Each node, one after the other: SIGTERM, and another process in its place. */
        ROLLING_RESTART,
        /** All nodes at once: SIGKILL, and others in their place. */
        ALL_KILLED
    }

    ClusterPlan {
        script = List.copyOf(script);
    }
}
