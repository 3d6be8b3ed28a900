package dev.parley.application.gateway;

import dev.parley.application.lane.Places;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.SessionSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The lanes on which something runs, each with a place of its own, and the line of those that wait for one. */
final class RunningLanes implements Places {
    private final Optional<Integer> limit;
    private final Phase phase;
    private final Signals signals;
    private final Map<SessionKey, Place> places = new TreeMap<>();
    private final Set<SessionKey> resuming = new LinkedHashSet<>();
    private final Set<SessionKey> others = new LinkedHashSet<>();

    /**
     * None runs and none waits.
     *
     * @param limit how many may run at once; absent for any number
     * @param phase says whether anything begins
     * @param signals told, from any thread, that a place was given back, or was given to a lane that waited
     */
    RunningLanes(Optional<Integer> limit, Phase phase, Signals signals) {
        this.limit = limit;
        this.phase = phase;
        this.signals = signals;
    }

    /** One lane's place; one that was given to a lane that waited stands for it until the lane takes it up. */
    private final class Place implements Ticket {
        private final SessionKey lane;
        private final boolean takenUp;
        private final Supplier<Optional<SessionSource>> people;
        private final AtomicBoolean closed = new AtomicBoolean();

        Place(SessionKey lane, boolean takenUp, Supplier<Optional<SessionSource>> people) {
            this.lane = lane;
            this.takenUp = takenUp;
            this.people = people;
        }

        @Override
        public void close() {
            if (!closed.getAndSet(true)) {
                free(() -> places.remove(lane, this));
            }
        }
    }

    @Override
    public Optional<Ticket> reserve(SessionKey lane, Supplier<Optional<SessionSource>> people) {
        synchronized (places) {
            return isFull() && !places.containsKey(lane) ? Optional.empty() : Optional.of(enter(lane, people));
        }
    }

    @Override
    public Optional<Ticket> await(SessionKey lane, boolean resumes, Supplier<Optional<SessionSource>> people) {
        synchronized (places) {
            Optional<Ticket> place = reserve(lane, people);
            if (place.isEmpty()) {
                join(lane, resumes);
            }
            return place;
        }
    }

    @Override
    public Ticket enter(SessionKey lane, Supplier<Optional<SessionSource>> people) {
        synchronized (places) {
            Place place = new Place(lane, true, people);
            places.put(lane, place);
            leaveLine(lane);
            return place;
        }
    }

    @Override
    public void withdraw(SessionKey lane) {
        synchronized (places) {
            leaveLine(lane);
            if (!isGiven(lane)) {
                return;
            }
        }
        free(() -> places.remove(lane));
    }

    /** Returns whether a lane that waited was given a place and has not taken it up. */
    private boolean isGiven(SessionKey lane) {
        return Optional.ofNullable(places.get(lane))
                .filter(place -> !place.takenUp)
                .isPresent();
    }

    /**
     * Has lanes wait in this order behind those that wait already; each that has a place is left alone.
     *
     * @param resume whether they are to resume what was cut off
     */
    void line(List<SessionKey> lanes, boolean resume) {
        if (limit.isPresent()) {
            free(() -> lanes.stream().filter(lane -> !places.containsKey(lane)).forEach(lane -> join(lane, resume)));
        }
    }

    private void join(SessionKey lane, boolean resumes) {
        if (resumes) {
            others.remove(lane);
            resuming.add(lane);
        } else if (!resuming.contains(lane)) {
            others.add(lane);
        }
    }

    private void leaveLine(SessionKey lane) {
        resuming.remove(lane);
        others.remove(lane);
    }

    /** Has {@code change} free places or lengthen the line; then those that are free go to the first of it. */
    private void free(Runnable change) {
        List<SessionKey> given = new ArrayList<>();
        synchronized (places) {
            change.run();
            if (phase.stop().isPresent()) {
                resuming.clear();
            }
            if (phase.stop().isPresent() || phase.isHeld()) {
                // Nothing begins; once it does again, all that wait are lined up anew.
                others.clear();
            }
            while (!isFull() && isAwaited()) {
                SessionKey next =
                        (resuming.isEmpty() ? others : resuming).iterator().next();
                leaveLine(next);
                places.put(next, new Place(next, false, Optional::empty));
                given.add(next);
            }
        }
        signals.changed();
        given.forEach(signals::placed);
    }

    @Override
    public String shown() {
        return size() + "/" + limit.orElse(0);
    }

    @Override
    public boolean isFull() {
        return limit.filter(most -> size() >= most).isPresent();
    }

    @Override
    public boolean isAwaited() {
        return awaited() > 0;
    }

    @Override
    public boolean isAwaitedBy(SessionKey lane) {
        synchronized (places) {
            return resuming.contains(lane) || others.contains(lane) || isGiven(lane);
        }
    }

    /** Returns how many lanes wait for a place. */
    int awaited() {
        synchronized (places) {
            return resuming.size() + others.size();
        }
    }

    /** Returns the lanes that wait for a place, the next one first. */
    List<SessionKey> line() {
        synchronized (places) {
            return Stream.concat(resuming.stream(), others.stream()).toList();
        }
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
