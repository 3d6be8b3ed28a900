package dev.parley.application.degrade;

import dev.parley.application.port.EventQuery;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Page;
import dev.parley.application.spi.Storage;
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

/** Lanes: those that were learnt are known while degraded too, their history is not. */
final class DegradingLanes implements Lanes {
    private final Reading reading;
    private final KnownLanes known;

    DegradingLanes(Reading reading, KnownLanes known) {
        this.reading = reading;
        this.known = known;
    }

    /**
     * Nothing is gathered and no lock is held, so that the consumer may read and commit while the primary fails. A primary that fails on the
     * way is read once more, or what is known instead of it, behind the last lane that was handed out.
     */
    @Override
    public void forEach(Consumer<Lane> each) {
        HandedOut handed = new HandedOut(each);
        Optional<Storage> primary = reading.either(Optional::of, spill -> Optional.empty());
        if (primary.isEmpty()) {
            known.forEach(handed);
            return;
        }
        try {
            primary.get().lanes().forEach(handed);
        } catch (RuntimeException | Error e) {
            if (handed.failed) {
                throw e;
            }
            rest(handed);
        }
    }

    private void rest(HandedOut handed) {
        Optional<List<Lane>> there = reading.either(
                s -> {
                    List<Lane> left = new ArrayList<>();
                    s.lanes().forEach(lane -> {
                        if (handed.isBefore(lane)) {
                            left.add(lane);
                        }
                    });
                    return Optional.of(left);
                },
                spill -> Optional.empty());
        there.ifPresentOrElse(
                left -> left.forEach(handed),
                () -> known.forEach(lane -> {
                    if (handed.isBefore(lane)) {
                        handed.accept(lane);
                    }
                }));
    }

    /** A consumer of lanes, and the last lane that it took. */
    private static final class HandedOut implements Consumer<Lane> {
        private final Consumer<Lane> each;
        private Optional<SessionKey> last = Optional.empty();
        private boolean failed;

        private HandedOut(Consumer<Lane> each) {
            this.each = each;
        }

        @Override
        public void accept(Lane lane) {
            last = Optional.of(lane.key());
            failed = true;
            each.accept(lane);
            failed = false;
        }

        private boolean isBefore(Lane lane) {
            return last.filter(key -> key.compareTo(lane.key()) >= 0).isEmpty();
        }
    }

    @Override
    public Optional<Lane> find(SessionKey key) {
        return reading.either(s -> known.read(s.lanes(), key), spill -> known.find(key));
    }

    @Override
    public Optional<Lane> findBySession(SessionId session) {
        return reading.either(s -> s.lanes().findBySession(session), spill -> known.ofSession(session));
    }

    @Override
    public long count() {
        return reading.either(s -> s.lanes().count(), spill -> known.count());
    }

    @Override
    public List<LaneEvent> history(SessionKey key, int limit) {
        return reading.whole("The history of lanes", s -> s.lanes().history(key, limit));
    }

    @Override
    public void forEachEvent(Instant since, Consumer<LaneEvent> each) {
        reading.unlocked("The history of lanes").lanes().forEachEvent(since, each);
    }

    @Override
    public Hold hold(SessionKey key) {
        return reading.either(
                s -> s.lanes().hold(key),
                spill -> spill.stored().map(s -> s.lanes().hold(key)).orElse(Hold.NONE));
    }

    @Override
    public Page<Lane> page(LaneQuery query) {
        return reading.either(s -> Optional.of(s.lanes().page(query)), spill -> Optional.<Page<Lane>>empty())
                .orElseGet(() -> Lanes.super.page(query));
    }

    @Override
    public Page<LaneEvent> events(EventQuery query) {
        return reading.whole("The history of lanes", s -> s.lanes().events(query));
    }
}
