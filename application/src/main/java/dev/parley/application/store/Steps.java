package dev.parley.application.store;

import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects what a transition of a lane requires and changes. Not for concurrent use. */
final class Steps {
    private final Optional<Lane> before;
    private final SessionKey key;
    private final List<Precondition> preconditions = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private Optional<Lane> after;

    Steps(Optional<Lane> before, SessionKey key) {
        this.before = before;
        this.key = key;
        this.after = before;
    }

    void require(Precondition precondition) {
        preconditions.add(precondition);
    }

    void requireEpoch() {
        Precondition epoch =
                new Precondition.LaneEpoch(key, before.map(Lane::epoch).orElse(Lane.ABSENT));
        if (!preconditions.contains(epoch)) {
            preconditions.add(0, epoch);
        }
    }

    void change(Change change) {
        changes.add(change);
    }

    void end(SessionId session, Instant now, String reason) {
        change(new Change.EditSession(session, new SessionEdit.End(Ending.of(now, reason))));
    }

    void reopen(Session session) {
        if (!session.isLive()) {
            change(new Change.EditSession(session.id(), new SessionEdit.Reopen()));
        }
    }

    void begin(SessionEntry entry) {
        beginAs(SessionRows.of(entry));
    }

    /** An id that is taken would join two conversations, so it must not be. */
    void beginAs(Session session) {
        require(new Precondition.SessionAbsent(session.id()));
        change(new Change.CreateSession(session));
    }

    void put(SessionEntry entry, long epoch) {
        requireEpoch();
        Lane lane = new Lane(entry, epoch);
        after = Optional.of(lane);
        change(new Change.PutLane(lane));
    }

    void touch(SessionEntry used, Instant at, Optional<Standing.ResumePending> clears, long epoch) {
        requireEpoch();
        touchAt(used, at, clears, epoch);
    }

    void touchFreely(SessionEntry entry, Optional<Standing.ResumePending> clears, long epoch) {
        touchAt(entry, entry.updatedAt(), clears, epoch);
    }

    private void touchAt(SessionEntry entry, Instant at, Optional<Standing.ResumePending> clears, long epoch) {
        Change.TouchLane touch =
                new Change.TouchLane(key, entry.sessionId(), at, TokenUsage.NONE, 0.0, Optional.empty(), clears);
        after = Optional.of(new Lane(touch.applyTo(entry), epoch));
        change(touch);
    }

    void remove() {
        requireEpoch();
        after = Optional.empty();
        change(new Change.RemoveLane(key));
    }

    void history(
            Instant now,
            LaneEvent.Kind kind,
            Optional<SessionId> from,
            Optional<SessionId> to,
            String reason,
            Map<String, String> inputs) {
        change(new Change.AppendHistory(new LaneEvent(key, now, kind, from, to, reason, inputs)));
    }

    Lane lane() {
        return after.orElseThrow();
    }

    Transition done() {
        return new Transition(before, after, preconditions, changes);
    }
}
