package dev.parley.domain.session;

import java.time.Instant;
import java.util.Optional;

/**
 * The end of a session. The first end wins; reopening removes it (G3.18).
 *
 * @param at when it ended
 * @param reason why; absent only where another system wrote none
 */
public record Ending(Instant at, Optional<String> reason) {
    /** Ended by an automatic reset, {@code /new} or {@code /reset}. */
    public static final String SESSION_RESET = "session_reset";
    /** Left for another session ({@code /resume}, {@code /unreset}). */
    public static final String SESSION_SWITCH = "session_switch";
    /** Left for a branch of it ({@code /branch}), which lists then show as a separate session (storage 3.9). */
    public static final String BRANCHED = "branched";
    /** Continued by a child session after compression. */
    public static final String COMPRESSION = "compression";
    /** Ended when its agent was torn down; such a session may be recovered (G3.16). */
    public static final String AGENT_CLOSE = "agent_close";
    /** Ended as an orphan of a lost connection; such a session may be recovered (G3.16). */
    public static final String ORPHAN_REAP = "ws_orphan_reap";
    /** Ended when its lane was pruned: never recovered (D5). */
    public static final String PRUNED = "lane_pruned";

    /** Returns an end with a reason. */
    public static Ending of(Instant at, String reason) {
        return new Ending(at, Optional.of(reason));
    }

    /** Returns whether this is the reason. */
    public boolean isBecause(String why) {
        return reason.filter(why::equals).isPresent();
    }

    /** Returns true where a session that ended like this may become a lane's current one again by recovery (G3.16). */
    public boolean isRecoverable() {
        return reason.filter(r -> r.equals(AGENT_CLOSE) || r.equals(ORPHAN_REAP))
                .isPresent();
    }
}
