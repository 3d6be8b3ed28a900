package dev.parley.application.degrade;

import dev.parley.application.port.Lanes;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Lanes: every one is known while degraded too, their history is not. */
final class LaneReads implements Lanes {
    private final Reading reading;
    private final PrimaryMirror mirror;
    private final Spill spill;

    LaneReads(Reading reading, PrimaryMirror mirror, Spill spill) {
        this.reading = reading;
        this.mirror = mirror;
        this.spill = spill;
    }

    @Override
    public void forEach(Consumer<Lane> each) {
        reading.any(storage -> {
            if (!reading.isDegraded()) {
                storage.lanes().forEach(each);
            } else {
                mirror.lanes().forEach(each);
            }
            return true;
        });
    }

    @Override
    public Optional<Lane> find(SessionKey key) {
        return reading.any(storage -> {
            if (reading.isDegraded()) {
                spill.seedLane(key);
            }
            return storage.lanes().find(key);
        });
    }

    @Override
    public Optional<Lane> findBySession(SessionId session) {
        return reading.any(storage -> !reading.isDegraded()
                ? storage.lanes().findBySession(session)
                : mirror.lanes().stream()
                        .filter(l -> l.entry().sessionId().equals(session))
                        .findFirst());
    }

    @Override
    public long count() {
        return reading.any(storage -> !reading.isDegraded()
                ? storage.lanes().count()
                : (long) mirror.lanes().size());
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return reading.whole("The history of lanes", s -> s.lanes().history(key, limit));
    }

    @Override
    public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
        reading.whole("The history of lanes", s -> {
            s.lanes().forEachEvent(since, each);
            return true;
        });
    }
}
