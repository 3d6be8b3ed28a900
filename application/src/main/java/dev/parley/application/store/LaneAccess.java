package dev.parley.application.store;

import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Decision;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lifecycle;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which session a message belongs to, and what is stored so that its lane has it: the end of an expired session, the beginning of
 * the next, a recovered or continued one, or that the lane was used. Pure.
 */
public final class LaneAccess {
    private LaneAccess() {}

    /**
     * Decides on what is known of a lane and its sessions (G3.1–G3.16). A reset is decided before anything is
     * recovered, so that an expired session never comes back (D3).
     *
     * @param facts what is known
     * @param fresh the id of the session to begin, where one begins; used for nothing else
     * @param noticed whether the message is a turn that takes notice of how its session began (G3.20, G3.22): then the entry is
     *     stored with an ordinary beginning, and {@link Access#beginning} says what there was
     */
    public static Access decide(LaneFacts facts, SessionId fresh, boolean noticed) {
        Decision decision = Lifecycle.decide(facts.entry(), facts.lifecycle());
        if (decision instanceof Decision.Reset reset) {
            return reset(facts, reset, fresh, noticed);
        }
        if (decision instanceof Decision.Create create) {
            boolean wanted = create.why() != Decision.Create.Why.FORCED;
            Optional<Session> recovered = wanted ? facts.recoverable() : Optional.empty();
            return recovered.isPresent() ? recover(facts, recovered.get()) : create(facts, create, fresh);
        }
        return goOn(facts, decision, noticed);
    }

    private static Access reset(LaneFacts facts, Decision.Reset decision, SessionId fresh, boolean noticed) {
        SessionEntry old = facts.entry().orElseThrow();
        Beginning beginning = new Beginning.AfterReset(decision.reason(), old.hadActivity());
        SessionEntry entry = SessionEntry.begin(facts.key(), fresh, facts.source(), facts.now(), beginning);
        Steps steps = new Steps(facts.lane(), facts.key());
        continued(facts, steps);
        steps.end(old.sessionId(), facts.now(), Ending.SESSION_RESET);
        steps.begin(entry);
        steps.put(noticed ? entry.beginningNoticed() : entry, facts.epoch() + 1);
        steps.history(
                facts.now(),
                LaneEvent.Kind.RESET,
                Optional.of(old.sessionId()),
                Optional.of(fresh),
                decision.reason().text(),
                Explanation.inputs(facts));
        return new Access(decision, steps.lane(), steps.done(), beginning, true);
    }

    private static Access create(LaneFacts facts, Decision.Create decision, SessionId fresh) {
        Optional<SessionId> old = facts.entry().map(SessionEntry::sessionId);
        SessionEntry entry = SessionEntry.begin(facts.key(), fresh, facts.source(), facts.now(), Beginning.ordinary());
        Steps steps = new Steps(facts.lane(), facts.key());
        continued(facts, steps);
        old.ifPresent(id -> steps.end(id, facts.now(), Ending.SESSION_RESET));
        steps.begin(entry);
        steps.put(entry, facts.epoch() + 1);
        boolean forced = decision.why() == Decision.Create.Why.FORCED;
        steps.history(
                facts.now(),
                forced && old.isPresent() ? LaneEvent.Kind.RENEWED : LaneEvent.Kind.CREATED,
                old,
                Optional.of(fresh),
                decision.why().name().toLowerCase(Locale.ROOT),
                Explanation.inputs(facts));
        return new Access(decision, steps.lane(), steps.done(), Beginning.ordinary(), true);
    }

    private static Access recover(LaneFacts facts, Session found) {
        Optional<SessionId> old = facts.entry().map(SessionEntry::sessionId);
        Instant began = found.startedAt().isAfter(facts.now()) ? facts.now() : found.startedAt();
        SessionEntry begun = SessionEntry.begin(facts.key(), found.id(), facts.source(), began, Beginning.ordinary());
        SessionEntry entry = begun.withUsage(SessionRows.usage(found)).usedAt(facts.now());
        Steps steps = new Steps(facts.lane(), facts.key());
        steps.require(new Precondition.SessionExists(found.id()));
        if (!old.equals(Optional.of(found.id()))) {
            steps.require(new Precondition.NotCurrent(found.id()));
        }
        steps.reopen(found);
        steps.put(entry, facts.epoch() + 1);
        steps.history(
                facts.now(),
                LaneEvent.Kind.SWITCHED,
                old,
                Optional.of(found.id()),
                "recovered",
                Explanation.inputs(facts));
        return new Access(new Decision.Reuse(), steps.lane(), steps.done(), Beginning.ordinary(), false);
    }

    private static Access goOn(LaneFacts facts, Decision decision, boolean noticed) {
        SessionEntry entry = facts.entry().orElseThrow();
        Beginning beginning = entry.beginning();
        boolean begins = !(beginning instanceof Beginning.Ordinary);
        Steps steps = new Steps(facts.lane(), facts.key());
        continued(facts, steps);
        if (facts.row() == LaneFacts.Row.LIVE) {
            steps.require(new Precondition.SessionExists(entry.sessionId()));
        } else {
            steps.change(new Change.CreateSession(SessionRows.of(entry)));
        }
        if (facts.row() == LaneFacts.Row.MISSING) {
            steps.history(
                    facts.now(),
                    LaneEvent.Kind.CREATED,
                    Optional.of(entry.sessionId()),
                    Optional.of(entry.sessionId()),
                    "session_missing",
                    Explanation.inputs(facts));
        }
        boolean ahead = entry.updatedAt().isAfter(facts.now());
        SessionEntry used = entry.notUsedAfter(facts.now()).usedAt(facts.now());
        if (facts.tip().isPresent()) {
            steps.put(noticed ? used.beginningNoticed() : used, facts.epoch() + 1);
        } else if (ahead || (begins && noticed)) {
            steps.put(noticed ? used.beginningNoticed() : used, facts.epoch());
        } else {
            steps.touch(used, facts.now(), Optional.empty(), facts.epoch());
        }
        return new Access(decision, steps.lane(), steps.done(), beginning, begins);
    }

    private static void continued(LaneFacts facts, Steps steps) {
        facts.tip()
                .ifPresent(tip -> steps.history(
                        facts.now(),
                        LaneEvent.Kind.CONTINUED,
                        facts.lane().map(lane -> lane.entry().sessionId()),
                        Optional.of(tip.id()),
                        Ending.COMPRESSION,
                        Map.of()));
    }
}
