package dev.parley.application.scan;

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

/** Reads the lanes; lists look at every one, which costs time in proportion to their number. Safe where the snapshot is. */
public final class ScannedLanes implements Lanes {
    private final SnapshotOf<? extends StoredLanes> snapshot;

    /** Reads what the snapshot shows. */
    public ScannedLanes(SnapshotOf<? extends StoredLanes> snapshot) {
        this.snapshot = snapshot;
    }

    @Override
    public void forEach(Consumer<Lane> each) {
        List<Lane> all = snapshot.read(
                r -> r.lanes().stream().sorted(Comparator.comparing(Lane::key)).toList());
        all.forEach(each);
    }

    @Override
    public Optional<Lane> find(SessionKey key) {
        return snapshot.read(r -> r.lane(key));
    }

    @Override
    public Optional<Lane> findBySession(SessionId session) {
        return snapshot.read(r -> r.lanesAt(session).stream().min(Comparator.comparing(Lane::key)));
    }

    @Override
    public long count() {
        return snapshot.read(r -> (long) r.lanes().size());
    }

    @Override
    public Hold hold(SessionKey key) {
        return snapshot.read(r -> r.hold(key));
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return snapshot.read(r -> {
            List<LaneEvent> all = r.events(key);
            List<LaneEvent> newestFirst =
                    new ArrayList<>(all.subList(Math.max(0, all.size() - Math.max(0, limit)), all.size()));
            Collections.reverse(newestFirst);
            return List.copyOf(newestFirst);
        });
    }

    @Override
    public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
        List<LaneEvent> later = snapshot.read(r ->
                r.events().stream().filter(event -> !event.at().isBefore(since)).toList());
        later.forEach(each);
    }
}
