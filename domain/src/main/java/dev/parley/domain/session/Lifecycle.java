package dev.parley.domain.session;

import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.reset.ResetRules;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** The decision which session a message belongs to. Pure: the same facts give the same answer. */
public final class Lifecycle {
    private Lifecycle() {}

    /**
     * The facts a decision stands on.
     *
     * @param now the clock
     * @param zone the zone of the daily boundary
     * @param policy the policy that applies
     * @param busy whether a turn or a background process of the lane is running: then no policy resets it (R6.9)
     * @param forceNew whether the caller demands a new session
     * @param endedElsewhere whether the stored session behind the entry has ended; false where that is not known (G3.15)
     */
    public record Facts(
            Instant now, ZoneId zone, ResetPolicy policy, boolean busy, boolean forceNew, boolean endedElsewhere) {}

    /**
     * Decides, in this order: a forced new session, suspension, a mark to be resumed, the policy, a session ended elsewhere,
     * reuse (G3.1–G3.6, G3.15). Running work does not prevent a suspension (R6.12).
     *
     * @param entry the lane's entry; absent where the lane has none
     */
    public static Decision decide(Optional<SessionEntry> entry, Facts facts) {
        if (entry.isEmpty()) {
            return new Decision.Create(Decision.Create.Why.FIRST_MESSAGE);
        }
        SessionEntry current = entry.get();
        if (facts.forceNew()) {
            return new Decision.Create(Decision.Create.Why.FORCED);
        }
        if (current.isSuspended()) {
            return new Decision.Reset(ResetReason.SUSPENDED);
        }
        Optional<Standing.ResumePending> mark = current.toBeResumed();
        if (mark.isPresent() && !facts.endedElsewhere()) {
            return new Decision.Resume(mark.get());
        }
        Optional<ResetReason> expired = mark.isPresent() ? Optional.empty() : expired(current, facts);
        if (expired.isPresent()) {
            return new Decision.Reset(expired.get());
        }
        return facts.endedElsewhere() ? new Decision.Create(Decision.Create.Why.ENDED_ELSEWHERE) : new Decision.Reuse();
    }

    /** Returns why the policy would reset this entry now, or nothing where it would not, or where the lane is busy. */
    public static Optional<ResetReason> expired(SessionEntry entry, Facts facts) {
        return facts.busy()
                ? Optional.empty()
                : ResetRules.evaluate(facts.policy(), entry.updatedAt(), facts.now(), facts.zone());
    }
}
