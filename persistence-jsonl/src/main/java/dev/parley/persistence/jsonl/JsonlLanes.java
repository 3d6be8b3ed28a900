package dev.parley.persistence.jsonl;

import dev.parley.application.port.Lanes;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Hold;
import dev.parley.persistence.jsonl.state.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The lanes of a store. */
final class JsonlLanes implements Lanes {
    private final Store store;

    JsonlLanes(Store store) {
        this.store = store;
    }

    @Override
    public void forEach(Consumer<Lane> each) {
        store.read(() -> List.copyOf(store.tables().lanes())).forEach(each);
    }

    @Override
    public Optional<Lane> find(SessionKey key) {
        return store.read(() -> store.tables().lane(key));
    }

    @Override
    public Optional<Lane> findBySession(SessionId session) {
        return store.read(() -> store.tables().laneOf(session));
    }

    @Override
    public long count() {
        return store.read(() -> (long) store.tables().lanes().size());
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return store.read(() -> {
            List<LaneEvent> all = store.tables().history(key);
            List<LaneEvent> newest =
                    new ArrayList<>(all.subList(all.size() - Math.min(Math.max(0, limit), all.size()), all.size()));
            Collections.reverse(newest);
            return List.copyOf(newest);
        });
    }

    @Override
    public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
        store.read(() -> List.copyOf(store.tables().events())).stream()
                .filter(event -> !event.at().isBefore(since))
                .forEach(each);
    }

    @Override
    public Hold hold(SessionKey key) {
        return store.read(() -> store.tables().hold(key));
    }
}
