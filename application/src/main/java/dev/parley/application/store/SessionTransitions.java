package dev.parley.application.store;

import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Turns what is decided about a lane into what is stored: the end of one session, the beginning of the next, the lane's entry and
 * the line that explains it, together. Pure, and the only place that does: the gateway's turns, the commands, the expiry watcher
 * and {@link SessionStore} all use it. Which session a message belongs to, which may begin or continue one, is {@link LaneAccess}.
 *
 * <p>Every transition that changes which session a lane has, or suspends it, raises the epoch by one and requires the epoch it
 * was decided on. Activity, usage and clearing a mark do neither.
 */
public final class SessionTransitions {
    private SessionTransitions() {}

    /**
     * Begins a lane anew because a person asked for it ({@code /new}, {@code /reset}; O4.2): the old session ends, the new one
     * belongs to the same chat, nothing of the old entry but where it came from stays.
     *
     * @param lane the lane
     * @param fresh the id of the new session
     * @param now the clock
     * @param reason a short stable word for the history, such as {@code new} or {@code operator}
     * @param displayName the chat's name; absent keeps the old one
     * @param title the cleaned title of the new session; absent for none
     */
    public static Transition renew(
            Lane lane,
            SessionId fresh,
            Instant now,
            String reason,
            Optional<String> displayName,
            Optional<String> title) {
        SessionEntry old = lane.entry();
        SessionEntry next = old.followedBy(fresh, now, Beginning.fresh());
        SessionEntry entry = displayName.map(next::withDisplayName).orElse(next);
        Steps steps = new Steps(Optional.of(lane), lane.key());
        steps.end(old.sessionId(), now, Ending.SESSION_RESET);
        title.ifPresent(t -> steps.require(new Precondition.TitleFree(t, fresh)));
        steps.beginAs(
                SessionRows.of(entry).toBuilder().title(title.orElse(null)).build());
        steps.put(entry, lane.epoch() + 1);
        steps.history(
                now,
                LaneEvent.Kind.RENEWED,
                Optional.of(old.sessionId()),
                Optional.of(fresh),
                reason,
                Explanation.inputs(old, now));
        return steps.done();
    }

    /**
     * Points a lane at a session that exists ({@code /resume}, {@code /unreset}; O4.3): the current one ends, the target is live
     * again and belongs to this lane. Nothing is stored where the lane has the session already. Requires that no lane has the
     * target as its current session.
     *
     * @param lane the lane
     * @param target the session, as stored
     * @param now the clock
     * @param reason a short stable word for the history
     */
    public static Transition switchTo(Lane lane, Session target, Instant now, String reason) {
        SessionEntry old = lane.entry();
        Steps steps = new Steps(Optional.of(lane), lane.key());
        if (old.sessionId().equals(target.id())) {
            return steps.done();
        }
        steps.require(new Precondition.SessionExists(target.id()));
        steps.require(new Precondition.NotCurrent(target.id()));
        steps.end(old.sessionId(), now, Ending.SESSION_SWITCH);
        steps.reopen(target);
        SessionPeer peer =
                new SessionPeer(lane.key(), old.origin().or(() -> target.peer().flatMap(SessionPeer::origin)));
        if (!target.peer().equals(Optional.of(peer))) {
            steps.change(new Change.EditSession(target.id(), new SessionEdit.Peer(peer)));
        }
        steps.put(
                old.followedBy(target.id(), now, Beginning.ordinary()).withUsage(SessionRows.usage(target)),
                lane.epoch() + 1);
        steps.history(
                now,
                LaneEvent.Kind.SWITCHED,
                Optional.of(old.sessionId()),
                Optional.of(target.id()),
                reason,
                Explanation.inputs(old, now));
        return steps.done();
    }

    /**
     * Makes a lane that does not exist begin with a session that does ({@code /resume} as the first message of a chat). Requires
     * that no lane has the target as its current session.
     *
     * @param key the lane
     * @param source where the request comes from
     * @param target the session, as stored
     * @param now the clock
     * @param reason a short stable word for the history
     */
    public static Transition enter(SessionKey key, SessionSource source, Session target, Instant now, String reason) {
        Steps steps = new Steps(Optional.empty(), key);
        steps.require(new Precondition.SessionExists(target.id()));
        steps.require(new Precondition.NotCurrent(target.id()));
        steps.reopen(target);
        SessionPeer peer = new SessionPeer(key, Optional.of(source));
        if (!target.peer().equals(Optional.of(peer))) {
            steps.change(new Change.EditSession(target.id(), new SessionEdit.Peer(peer)));
        }
        SessionEntry entry = SessionEntry.begin(key, target.id(), source, now, Beginning.ordinary());
        steps.put(entry.withUsage(SessionRows.usage(target)), Lane.ABSENT + 1);
        steps.history(now, LaneEvent.Kind.SWITCHED, Optional.empty(), Optional.of(target.id()), reason, Map.of());
        return steps.done();
    }

    /**
     * Points a lane at a session that begins as a copy of the current one ({@code /branch}; Z12.12).
     *
     * @param lane the lane
     * @param branch the new session, with its parent
     * @param now the clock
     */
    public static Transition branch(Lane lane, Session branch, Instant now) {
        SessionEntry old = lane.entry();
        Steps steps = new Steps(Optional.of(lane), lane.key());
        branch.title().ifPresent(t -> steps.require(new Precondition.TitleFree(t, branch.id())));
        steps.end(old.sessionId(), now, Ending.BRANCHED);
        steps.beginAs(branch);
        steps.put(old.followedBy(branch.id(), now, Beginning.ordinary()), lane.epoch() + 1);
        steps.history(
                now,
                LaneEvent.Kind.SWITCHED,
                Optional.of(old.sessionId()),
                Optional.of(branch.id()),
                "branch",
                Explanation.inputs(old, now));
        return steps.done();
    }

    /**
     * Suspends a lane ({@code /stop}, a stuck loop; O4.4): its next message begins a new session. Nothing is stored where it is
     * suspended already.
     *
     * @param reason a short stable word for the history, such as {@code stop} or {@code stuck_loop}
     */
    public static Transition suspend(Lane lane, Instant now, String reason) {
        Steps steps = new Steps(Optional.of(lane), lane.key());
        SessionEntry entry = lane.entry();
        if (entry.isSuspended()) {
            return steps.done();
        }
        steps.put(entry.suspended(), lane.epoch() + 1);
        Optional<SessionId> session = Optional.of(entry.sessionId());
        steps.history(now, LaneEvent.Kind.SUSPENDED, session, session, reason, Explanation.inputs(entry, now));
        return steps.done();
    }

    /**
     * Goes on with the session that a lane has, because a person asked for it although the lane's next message would have begun
     * another one ({@code /resume} after {@code /stop}, or after the policy's boundary): the suspension and any mark are gone, and
     * the session counts as used now.
     *
     * @param lane the lane
     * @param session its session, as stored
     * @param now the clock
     * @param reason a short stable word for the history
     */
    public static Transition takeUp(Lane lane, Session session, Instant now, String reason) {
        SessionEntry entry = lane.entry();
        Steps steps = new Steps(Optional.of(lane), lane.key());
        steps.require(new Precondition.SessionExists(session.id()));
        steps.reopen(session);
        steps.put(entry.withStanding(Standing.open()).notUsedAfter(now).usedAt(now), lane.epoch() + 1);
        Optional<SessionId> id = Optional.of(entry.sessionId());
        steps.history(now, LaneEvent.Kind.CLEARED, id, id, reason, Explanation.inputs(entry, now));
        return steps.done();
    }

    /**
     * Marks a lane whose turn was cut off just now, so that its next access keeps the session (O4.5). Marking again refreshes
     * reason and time. Nothing is stored where the lane is suspended.
     */
    public static Transition markToBeResumed(Lane lane, ResumeReason reason, Instant now) {
        return markToBeResumed(lane, reason, now, now);
    }

    /**
     * Marks a lane whose turn was cut off; otherwise as {@link #markToBeResumed(Lane, ResumeReason, Instant)}.
     *
     * @param lastAlive when the work was last alive: from then on it grows stale
     * @param now the clock
     */
    public static Transition markToBeResumed(Lane lane, ResumeReason reason, Instant lastAlive, Instant now) {
        Steps steps = new Steps(Optional.of(lane), lane.key());
        SessionEntry entry = lane.entry();
        if (entry.isSuspended()) {
            return steps.done();
        }
        steps.put(entry.markedForResume(reason, lastAlive), lane.epoch());
        Optional<SessionId> session = Optional.of(entry.sessionId());
        steps.history(now, LaneEvent.Kind.MARKED, session, session, reason.text(), Explanation.inputs(entry, now));
        return steps.done();
    }

    /**
     * Clears the mark that was seen on a lane after a turn of it succeeded (O4.6, P7.33): a mark made since stays. Commutes, so
     * it requires nothing. Nothing is stored where the lane has no mark in effect.
     */
    public static Transition clearMark(Lane lane, Instant now) {
        return clearMark(
                lane,
                now,
                lane.entry()
                        .toBeResumed()
                        .flatMap(Standing.ResumePending::reason)
                        .map(ResumeReason::text)
                        .orElse(""));
    }

    /**
     * Clears the mark that was seen on a lane whose newest turn was taken back, so that nothing of it is resumed; otherwise as
     * {@link #clearMark(Lane, Instant)}.
     */
    public static Transition takeBackMark(Lane lane, Instant now) {
        return clearMark(lane, now, Explanation.TAKEN_BACK);
    }

    private static Transition clearMark(Lane lane, Instant now, String reason) {
        Steps steps = new Steps(Optional.of(lane), lane.key());
        SessionEntry entry = lane.entry();
        Optional<Standing.ResumePending> mark = entry.toBeResumed();
        if (mark.isEmpty()) {
            return steps.done();
        }
        steps.touchFreely(entry, mark, lane.epoch());
        Optional<SessionId> session = Optional.of(entry.sessionId());
        steps.history(now, LaneEvent.Kind.CLEARED, session, session, reason, Map.of());
        return steps.done();
    }

    /**
     * Notes that the expiry watcher has finalised a lane's session (W10.4, W10.6).
     *
     * @param dropOverride whether the model chosen for the lane is dropped
     * @param reason {@code session_expired}, or {@code gave_up} after three failures
     */
    public static Transition finalise(Lane lane, Instant now, boolean dropOverride, String reason) {
        Steps steps = new Steps(Optional.of(lane), lane.key());
        SessionEntry entry = lane.entry();
        steps.put(entry.finalised(dropOverride), lane.epoch());
        Optional<SessionId> session = Optional.of(entry.sessionId());
        steps.history(now, LaneEvent.Kind.FINALISED, session, session, reason, Explanation.inputs(entry, now));
        return steps.done();
    }

    /**
     * Sets right a lane whose last activity lies in the future, because the clock was ahead and has come back: it counts as used
     * now. Nothing is stored for any other lane.
     */
    public static Transition clockCameBack(Lane lane, Instant now) {
        Steps steps = new Steps(Optional.of(lane), lane.key());
        SessionEntry right = lane.entry().notUsedAfter(now);
        if (!right.equals(lane.entry())) {
            steps.put(right, lane.epoch());
        }
        return steps.done();
    }

    /** Removes a lane that was not used for long, and ends its session so that it never comes back (O4.8, D5). */
    public static Transition prune(Lane lane, Instant now) {
        Steps steps = new Steps(Optional.of(lane), lane.key());
        SessionEntry entry = lane.entry();
        steps.end(entry.sessionId(), now, Ending.PRUNED);
        steps.remove();
        steps.history(
                now,
                LaneEvent.Kind.REMOVED,
                Optional.of(entry.sessionId()),
                Optional.empty(),
                "pruned",
                Explanation.inputs(entry, now));
        return steps.done();
    }

    /**
     * Points a lane at the session that continues its own after the agent compressed it (O4.24); the lane keeps everything
     * else. The caller has checked that the lane still has the session the run was started in.
     *
     * @param tip the continuation
     */
    public static Transition continueAs(Lane lane, SessionId tip, Instant now) {
        Steps steps = new Steps(Optional.of(lane), lane.key());
        SessionEntry entry = lane.entry();
        if (entry.sessionId().equals(tip)) {
            return steps.done();
        }
        steps.put(entry.continuedAs(tip), lane.epoch() + 1);
        steps.history(
                now,
                LaneEvent.Kind.CONTINUED,
                Optional.of(entry.sessionId()),
                Optional.of(tip),
                Ending.COMPRESSION,
                Map.of());
        return steps.done();
    }

    /** Chooses a model for a lane, or takes the choice away (O4.17). Nothing is stored where it is the same. */
    public static Transition overrideModel(Lane lane, Optional<ModelOverride> override) {
        Steps steps = new Steps(Optional.of(lane), lane.key());
        SessionEntry next = lane.entry().withModelOverride(override);
        if (!next.equals(lane.entry())) {
            steps.put(next, lane.epoch());
        }
        return steps.done();
    }
}
