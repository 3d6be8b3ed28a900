package dev.parley.application.store;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetRules;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Lifecycle;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * Everything that decides which session a message belongs to, as read at one moment. {@link LaneReader} gathers it,
 * {@link LaneAccess#decide} decides on it.
 *
 * @param key the lane
 * @param source where the message comes from
 * @param lane the lane as stored; absent where it does not exist
 * @param row what is stored of the entry's session
 * @param tip the session that continues a compressed one (G3.14); absent where the entry's session is the last of its chain
 * @param recoverable the session that a lane without a session may take up again (G3.16); absent if no session qualifies
 * @param applied the policy that applies to the source, and where it was configured
 * @param now the clock
 * @param zone the zone of the daily boundary
 * @param busy whether a turn or a background process of the lane is running (R6.9), or the message keeps its session (R6.16)
 * @param forceNew whether the caller demands a new session
 */
public record LaneFacts(
        SessionKey key,
        SessionSource source,
        Optional<Lane> lane,
        Row row,
        Optional<Session> tip,
        Optional<Session> recoverable,
        AppliedPolicy applied,
        Instant now,
        ZoneId zone,
        boolean busy,
        boolean forceNew) {

    /** What is stored of the session that a lane points at; of the tip where there is one. */
    public enum Row {
        /** It has not ended. */
        LIVE,
        /** Somebody else has ended it. */
        ENDED,
        /** No row exists, though the lane names one. */
        MISSING,
        /** Nobody could look; it is not taken for ended (G3.15). */
        UNKNOWN
    }

    /** Returns the lane's entry, pointing at the tip where there is one. */
    public Optional<SessionEntry> entry() {
        return lane.map(Lane::entry)
                .map(entry -> tip.map(t -> entry.continuedAs(t.id())).orElse(entry));
    }

    /** Returns the lane's epoch, {@link Lane#ABSENT} where it does not exist. */
    public long epoch() {
        return lane.map(Lane::epoch).orElse(Lane.ABSENT);
    }

    /**
     * Returns the facts for a message that was accepted at an earlier time and waited. Where the policy has ended the session only
     * since then, the message keeps it, as work that runs does (R6.16).
     */
    public LaneFacts acceptedAt(Instant accepted) {
        boolean keeps = entry().filter(
                        entry -> Lifecycle.expired(entry, lifecycle()).isPresent())
                .filter(entry -> ResetRules.evaluate(applied.policy(), entry.updatedAt(), accepted, zone)
                        .isEmpty())
                .isPresent();
        return keeps
                ? new LaneFacts(key, source, lane, row, tip, recoverable, applied, now, zone, true, forceNew)
                : this;
    }

    /** Returns the facts as the decision takes them. */
    public Lifecycle.Facts lifecycle() {
        return new Lifecycle.Facts(now, zone, applied.policy(), busy, forceNew, row == Row.ENDED);
    }
}
