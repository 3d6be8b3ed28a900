package org.example.batchlog;

import dev.parley.application.port.Lanes;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Hold;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The lanes and their history, as the state has them. */
record StoredLanes(BatchLogStorage storage) implements Lanes {
    @Override
    public void forEach(Consumer<Lane> each) {
        storage.read(s -> s.lanes.rows()).stream()
                .sorted(Comparator.comparing(Lane::key))
                .forEach(each);
    }

    @Override
    public Optional<Lane> find(SessionKey key) {
        return storage.read(s -> s.lanes.get(key));
    }

    @Override
    public Optional<Lane> findBySession(SessionId session) {
        return storage.read(s -> s.lanesOf(session).stream().findFirst().flatMap(s.lanes::get));
    }

    @Override
    public long count() {
        return storage.read(s -> (long) s.lanes.size());
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        List<State.Noted> newestFirst = new ArrayList<>(storage.read(s -> s.history.rows(key)));
        Collections.reverse(newestFirst);
        return newestFirst.stream()
                .limit(Math.max(0, limit))
                .map(State.Noted::event)
                .toList();
    }

    @Override
    public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
        storage.read(s -> s.history.rows()).stream()
                .map(State.Noted::event)
                .filter(event -> !event.at().isBefore(since))
                .forEach(each);
    }

    @Override
    public Hold hold(SessionKey key) {
        return storage.read(s -> s.hold(key));
    }
}
