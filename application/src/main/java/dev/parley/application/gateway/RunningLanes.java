package dev.parley.application.gateway;

import dev.parley.application.lane.GatewayState;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The lanes on which something runs, each with a place of its own (Q8.35). Safe for concurrent use. */
final class RunningLanes {
    private final Optional<Integer> limit;
    private final Runnable left;
    private final Map<SessionKey, Place> places = new TreeMap<>();

    /**
     * None runs.
     *
     * @param limit how many may run at once; absent for any number
     * @param left told, from any thread, that one has given its place back
     */
    RunningLanes(Optional<Integer> limit, Runnable left) {
        this.limit = limit;
        this.left = left;
    }

    /** One lane's place. */
    private final class Place implements GatewayState.Ticket {
        private final SessionKey lane;
        private final Supplier<Optional<SessionSource>> people;
        private final AtomicBoolean closed = new AtomicBoolean();

        Place(SessionKey lane, Supplier<Optional<SessionSource>> people) {
            this.lane = lane;
            this.people = people;
        }

        @Override
        public void close() {
            if (!closed.getAndSet(true)) {
                synchronized (places) {
                    places.remove(lane, this);
                }
                left.run();
            }
        }
    }

    Optional<GatewayState.Ticket> reserve(SessionKey lane, Supplier<Optional<SessionSource>> people) {
        synchronized (places) {
            if (isFull() && !places.containsKey(lane)) {
                return Optional.empty();
            }
            return Optional.of(enter(lane, people));
        }
    }

    GatewayState.Ticket enter(SessionKey lane, Supplier<Optional<SessionSource>> people) {
        synchronized (places) {
            Place place = new Place(lane, people);
            places.put(lane, place);
            return place;
        }
    }

    /** Returns how many run and how many may. */
    String places() {
        return size() + "/" + limit.orElse(0);
    }

    /** Returns whether all places are taken. */
    boolean isFull() {
        return limit.filter(most -> size() >= most).isPresent();
    }

    int size() {
        synchronized (places) {
            return places.size();
        }
    }

    boolean contains(SessionKey lane) {
        synchronized (places) {
            return places.containsKey(lane);
        }
    }

    /** Returns the lanes, by key. */
    List<SessionKey> keys() {
        synchronized (places) {
            return List.copyOf(places.keySet());
        }
    }

    /** Returns the other lanes of a source's thread, by key; none where it is in no thread. */
    List<SessionKey> beside(SessionKey lane, SessionSource source) {
        if (source.threadId().isEmpty()) {
            return List.of();
        }
        List<Place> all;
        synchronized (places) {
            all = List.copyOf(places.values());
        }
        return all.stream()
                .filter(other -> !other.lane.equals(lane))
                .filter(other -> other.people
                        .get()
                        .filter(there -> there.platform().equals(source.platform())
                                && there.chatId().equals(source.chatId())
                                && there.threadId().equals(source.threadId()))
                        .isPresent())
                .map(other -> other.lane)
                .toList();
    }
}
