package dev.parley.application.degrade;

import dev.parley.application.port.EventQuery;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Page;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Hold;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Lanes: every one is known while degraded too, their history is not. */
final class DegradingLanes implements Lanes {
    private final Reading reading;
    private final Knowledge knowledge;

    DegradingLanes(Reading reading, Knowledge knowledge) {
        this.reading = reading;
        this.knowledge = knowledge;
    }

    /** The lanes are gathered first, so that the consumer may read and commit while the primary fails. */
    @Override
    public void forEach(Consumer<Lane> each) {
        List<Lane> lanes = reading.either(
                s -> {
                    List<Lane> there = new ArrayList<>();
                    s.lanes().forEach(there::add);
                    return there;
                },
                spill -> knowledge.lanes());
        lanes.forEach(each);
    }

    @Override
    public Optional<Lane> find(SessionKey key) {
        return reading.either(s -> s.lanes().find(key), spill -> knowledge.lane(key));
    }

    @Override
    public Optional<Lane> findBySession(SessionId session) {
        return reading.either(s -> s.lanes().findBySession(session), spill -> knowledge.laneOf(session));
    }

    @Override
    public long count() {
        return reading.either(
                s -> s.lanes().count(), spill -> (long) knowledge.lanes().size());
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return reading.whole("The history of lanes", s -> s.lanes().history(key, limit));
    }

    @Override
    public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
        reading.stream("The history of lanes", s -> s.lanes().forEachEvent(since, each));
    }

    @Override
    public Hold hold(SessionKey key) {
        return reading.either(
                s -> s.lanes().hold(key),
                spill -> spill.stored().map(s -> s.lanes().hold(key)).orElse(Hold.NONE));
    }

    @Override
    public Page<Lane> page(LaneQuery query) {
        return reading.either(s -> s.lanes().page(query), spill -> query.page(knowledge.lanes()));
    }

    @Override
    public Page<LaneEvent> events(EventQuery query) {
        return reading.whole("The history of lanes", s -> s.lanes().events(query));
    }
}
