package dev.parley.testing.memory;

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

final class MemoryLanes implements Lanes {
    private final MemoryStorage storage;

    MemoryLanes(MemoryStorage storage) {
        this.storage = storage;
    }

    @Override
    public void forEach(Consumer<Lane> each) {
        storage.read(d -> d.lanes.rows()).stream()
                .sorted(Comparator.comparing(Lane::key))
                .forEach(each);
    }

    @Override
    public Optional<Lane> find(SessionKey key) {
        return storage.read(d -> d.lanes.get(key));
    }

    @Override
    public Optional<Lane> findBySession(SessionId session) {
        return storage.read(d -> d.lanesOf(session).stream().findFirst().flatMap(d.lanes::get));
    }

    @Override
    public long count() {
        return storage.read(d -> (long) d.lanes.size());
    }

    @Override
    public Hold hold(SessionKey key) {
        return storage.read(d -> d.holds.get(key).orElse(Hold.NONE));
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        List<LaneEvent> newestFirst = new ArrayList<>(storage.read(d -> d.historyOf(key)));
        Collections.reverse(newestFirst);
        return newestFirst.stream().limit(Math.max(0, limit)).toList();
    }

    @Override
    public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
        storage.read(d -> d.history.rows()).stream()
                .filter(event -> !event.at().isBefore(since))
                .forEach(each);
    }
}
