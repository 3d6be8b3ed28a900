package dev.parley.application.gateway;

import dev.parley.application.store.SessionTransitions;
import dev.parley.application.store.Transition;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a stop of the gateway does to a lane (P7.37 to P7.43). */
final class Draining {
    static final String KEPT = "The gateway stops; the message is kept and runs after the next start.";

    private final Workings works;
    private final SessionKey key;
    private final LaneDesk desk;
    private final LaneMemory memory;

    Draining(LaneDesk desk) {
        this.works = desk.works;
        this.key = desk.key();
        this.desk = desk;
        this.memory = desk.memory;
    }

    /** Tells the people of this lane that the gateway stops, if their turn is running (P7.37). */
    void banner(StopMode mode) {
        toBeTold().ifPresent(people -> {
            Outgoing banner = works.outgoing(key, people, mode.banner(), Outgoing.Kind.BANNER, Optional.empty());
            desk.commit(List.of(), List.of(new Change.PutOutgoing(banner)), stored -> desk.outbox.add(banner));
        });
    }

    /** The gateway stops: whoever waits for an answer to a waiting message waits no longer. */
    void dismiss() {
        memory.releaseAll().forEach(l -> desk.quietly(() -> l.closed(KEPT)));
    }

    /** Returns where the running turn's people are; may lag behind. */
    Optional<SessionSource> shownSource() {
        TurnRun current = desk.running.current();
        return current == null ? Optional.empty() : Optional.of(current.source);
    }

    /** Returns where the people of the running turn are who are to be told of a stop (P7.38); may lag behind. */
    Optional<SessionSource> toBeTold() {
        TurnRun current = desk.running.current();
        if (current == null || !current.isActive() || current.agentRun == null) {
            return Optional.empty();
        }
        return Optional.of(current.source)
                .filter(people -> !works.settings.delivery().muted().contains(people.platform()));
    }

    /** The drain has timed out: a turn that is still running is marked, then its agent interrupted (P7.40, P7.42). */
    void cutOff(StopMode mode) {
        TurnRun current = desk.running.current();
        if (current == null
                || !current.isActive()
                || current.agentRun == null
                || memory.lane().isEmpty()) {
            return;
        }
        Lane before = memory.lane().get();
        boolean same = before.entry().sessionId().equals(current.session());
        if (before.entry().isSuspended() || !same) {
            desk.running.interrupt(TurnRun.Cause.DRAIN, mode.interruptText());
            return;
        }
        Transition marking = SessionTransitions.markToBeResumed(before, mode.resumeReason(), works.now());
        List<Precondition> preconditions = new ArrayList<>(desk.running.claimedBy(current));
        preconditions.addAll(marking.preconditions());
        desk.commit(preconditions, marking.changes(), result -> {
            if (!result.isCommitted()) {
                desk.running.lost(current);
                return;
            }
            memory.lane(marking.after());
            works.tellHistory(marking.changes());
            desk.running.interrupt(TurnRun.Cause.DRAIN, mode.interruptText());
        });
    }

    /** The stop waits no longer: a turn whose agent does not react ends without it. */
    void abandon() {
        desk.summaries.cancel();
        TurnRun current = desk.running.current();
        if (current == null || !current.isActive() || current.agentRun == null) {
            return;
        }
        desk.ending.abandon(current);
    }
}
