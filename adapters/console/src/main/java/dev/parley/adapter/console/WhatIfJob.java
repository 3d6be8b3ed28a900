package dev.parley.adapter.console;

import dev.parley.application.expiry.PolicyEffect;
import dev.parley.application.expiry.PolicyReplay;
import dev.parley.domain.reset.ResetPolicies;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A what-if that runs or has run. Safe for concurrent use; the replay itself is stepped by one thread at a time. */
final class WhatIfJob {
    /** How a job stands. */
    enum State {
        /** It is under way. */
        RUNNING,
        /** It has looked at every lane. */
        DONE,
        /** Somebody ended it; what it found until then is kept. */
        CANCELLED,
        /** It could not go on. */
        FAILED
    }

    /**
     * What a job was asked.
     *
     * @param policies the other policies
     * @param days how far it looks back
     * @param since the time from which it looks
     */
    record Asked(ResetPolicies policies, int days, Instant since) {}

    /**
     * How a job stands at a moment.
     *
     * @param state how it stands
     * @param done lanes it has looked at
     * @param total lanes there are; 0 while that is not known
     * @param sums what it has found so far
     * @param lanes the lanes with the most changes; empty while it runs
     * @param failure why it could not go on; empty where it could
     * @param endedAt when it ended
     */
    record Standing(
            State state,
            long done,
            long total,
            PolicyEffect.Sums sums,
            List<PolicyReplay.LaneReplay> lanes,
            String failure,
            Optional<Instant> endedAt) {}

    private final String id;
    private final Asked asked;
    private final Instant startedAt;
    private final PolicyEffect effect;
    private State state = State.RUNNING;
    private String failure = "";
    private long done;
    private long total;
    private @Nullable Instant endedAt;

    WhatIfJob(String id, Asked asked, Instant startedAt, int kept) {
        this.id = id;
        this.asked = asked;
        this.startedAt = startedAt;
        this.effect = new PolicyEffect(kept);
    }

    String id() {
        return id;
    }

    Asked asked() {
        return asked;
    }

    Instant startedAt() {
        return startedAt;
    }

    synchronized boolean isRunning() {
        return state == State.RUNNING;
    }

    synchronized Standing standing() {
        return new Standing(
                state,
                done,
                total,
                effect.sums(),
                state == State.RUNNING ? List.of() : effect.mostChanged(),
                failure,
                Optional.ofNullable(endedAt));
    }

    /** Looks at the next lane. */
    synchronized void step(PolicyReplay.Walk walk) {
        total = walk.total();
        walk.next().ifPresent(effect::add);
        done = walk.done();
    }

    /** Ends it; does nothing where it has ended. Returns whether it ran. */
    synchronized boolean end(State how, String why, Instant at) {
        if (state != State.RUNNING) {
            return false;
        }
        state = how;
        failure = why;
        endedAt = at;
        return true;
    }
}
