package dev.parley.testing.memory;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Node;
import dev.parley.application.port.Tenure;
import dev.parley.application.port.Wakes;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** The reference of how gateways share a store. One lock around everything, which is that of the store. */
final class MemoryCluster implements Cluster {
    private static final Duration KEPT = Duration.ofDays(7);

    private final MemoryData data;
    private final InstantSource clock;
    private final Map<LifeId, Node> lives = new HashMap<>();
    private final Map<LifeId, Instant> ended = new HashMap<>();
    private final Map<SessionKey, Integer> deaths = new HashMap<>();
    private final Map<String, LifeId> leases = new TreeMap<>();
    private final List<BiConsumer<LifeId, SessionKey>> listeners = new CopyOnWriteArrayList<>();

    /** Nobody lives; {@code clock} is the clock of the store. */
    MemoryCluster(MemoryData data, InstantSource clock) {
        this.data = data;
        this.clock = clock;
    }

    @Override
    public void join(LifeId life, String name, String version, SortedMap<String, String> agreed, Duration lease) {
        synchronized (data) {
            if (lives.containsKey(life)) {
                throw new InvalidRequest("The life " + life.value() + " was begun before; begin another one.");
            }
            Instant now = clock.instant();
            lives.put(life, new Node(life, name, version, agreed, Node.State.UP, now, now.plus(lease), 0));
        }
    }

    @Override
    public Optional<Instant> beat(LifeId life, Duration lease, int busy, boolean draining) {
        synchronized (data) {
            if (!isLive(life)) {
                return Optional.empty();
            }
            Instant now = clock.instant();
            Node before = known(life);
            lives.put(
                    life,
                    new Node(
                            life,
                            before.name(),
                            before.version(),
                            before.agreed(),
                            draining ? Node.State.DRAINING : Node.State.UP,
                            before.joinedAt(),
                            now.plus(lease),
                            busy));
            return Optional.of(now);
        }
    }

    @Override
    public void leave(LifeId life) {
        synchronized (data) {
            if (isLive(life)) {
                end(life, Node.State.LEFT);
                free(life);
            }
        }
    }

    @Override
    public boolean forget(LifeId life) {
        synchronized (data) {
            boolean live = isLive(life);
            if (live) {
                end(life, Node.State.DEAD);
            }
            return live;
        }
    }

    /** Has the lease of a life run out now. */
    void expire(LifeId life) {
        synchronized (data) {
            Node before = known(life);
            lives.put(
                    life,
                    new Node(
                            life,
                            before.name(),
                            before.version(),
                            before.agreed(),
                            before.state(),
                            before.joinedAt(),
                            clock.instant().minusNanos(1),
                            before.busy()));
        }
    }

    private Node known(LifeId life) {
        return Optional.ofNullable(lives.get(life))
                .orElseThrow(() -> new IllegalArgumentException("There is no life " + life.value()));
    }

    private boolean isLive(LifeId life) {
        return Optional.ofNullable(lives.get(life))
                .filter(node -> node.state().isLive())
                .isPresent();
    }

    private void end(LifeId life, Node.State as) {
        Node before = known(life);
        lives.put(
                life,
                new Node(
                        life,
                        before.name(),
                        before.version(),
                        before.agreed(),
                        as,
                        before.joinedAt(),
                        before.leaseUntil(),
                        0));
        ended.put(life, clock.instant());
    }

    private void free(LifeId life) {
        for (SessionKey lane : lanesOf(life)) {
            if (known(life).state() == Node.State.DEAD && isClaimed(lane)) {
                deaths.merge(lane, 1, Integer::sum);
            }
            put(lane, hold(lane).left());
        }
        leases.values().removeIf(life::equals);
    }

    private boolean isClaimed(SessionKey lane) {
        return data.turns.rows().stream()
                .anyMatch(turn ->
                        turn.state() == Turn.State.CLAIMED && turn.lane().equals(lane));
    }

    private List<SessionKey> lanesOf(LifeId life) {
        return data.holds.byKey().entrySet().stream()
                .filter(each -> each.getValue().holder().equals(Optional.of(life)))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private Hold hold(SessionKey lane) {
        return data.holds.get(lane).orElse(Hold.NONE);
    }

    private void put(SessionKey lane, Hold hold) {
        data.put(lane, hold);
    }

    @Override
    public List<Node> nodes() {
        synchronized (data) {
            Instant since = clock.instant().minus(KEPT);
            return lives.values().stream()
                    .filter(node ->
                            !ended.getOrDefault(node.life(), Instant.MAX).isBefore(since))
                    .sorted(Comparator.comparing(Node::joinedAt)
                            .thenComparing(node -> node.life().value()))
                    .toList();
        }
    }

    @Override
    public List<LifeId> reap() {
        synchronized (data) {
            Instant now = clock.instant();
            List<LifeId> dead = new ArrayList<>();
            for (Node node : nodes()) {
                if (node.state().isLive() && node.leaseUntil().isBefore(now)) {
                    end(node.life(), Node.State.DEAD);
                    dead.add(node.life());
                }
            }
            lives.values().stream()
                    .filter(node -> !node.state().isLive())
                    .map(Node::life)
                    .toList()
                    .forEach(this::free);
            return List.copyOf(dead);
        }
    }

    @Override
    public Tenure take(LifeId life, SessionKey lane) {
        synchronized (data) {
            Optional<LifeId> holder = hold(lane).holder();
            if (!isLive(life)) {
                return new Tenure.Over();
            }
            if (holder.isPresent() && !holder.get().equals(life)) {
                return new Tenure.Elsewhere(holder.get());
            }
            if (holder.isEmpty()) {
                put(lane, hold(lane).takenBy(life));
            }
            return new Tenure.Mine(hold(lane).token(), deaths.getOrDefault(lane, 0));
        }
    }

    @Override
    public boolean giveBack(SessionKey lane, long token, long lastOrdinal) {
        synchronized (data) {
            boolean mayLeave = hold(lane).isHeldUnder(token) && last(lane) == lastOrdinal;
            if (mayLeave) {
                put(lane, hold(lane).left());
                deaths.remove(lane);
            }
            return mayLeave;
        }
    }

    private long last(SessionKey lane) {
        return data.lastOrdinals.get(lane).orElse(0L);
    }

    @Override
    public Map<SessionKey, Long> holdsOf(LifeId life) {
        synchronized (data) {
            Map<SessionKey, Long> held = new TreeMap<>();
            lanesOf(life).forEach(lane -> held.put(lane, last(lane)));
            return held;
        }
    }

    @Override
    public List<SessionKey> wanted(int limit) {
        synchronized (data) {
            TreeSet<SessionKey> wanted = new TreeSet<>();
            data.inbound.rows().stream()
                    .filter(inbound -> inbound.state() == Inbound.State.ADMITTED)
                    .forEach(inbound -> wanted.add(inbound.lane()));
            data.turns.rows().stream()
                    .filter(turn -> turn.state() == Turn.State.CLAIMED)
                    .forEach(turn -> wanted.add(turn.lane()));
            data.outgoing.rows().stream()
                    .filter(outgoing -> outgoing.state().isOpen())
                    .forEach(outgoing -> outgoing.lane().ifPresent(wanted::add));
            wanted.removeIf(lane -> hold(lane).holder().isPresent());
            return wanted.stream().limit(limit).toList();
        }
    }

    @Override
    public boolean lease(LifeId life, String name) {
        synchronized (data) {
            return isLive(life) && leases.computeIfAbsent(name, unused -> life).equals(life);
        }
    }

    @Override
    public Wakes wakes() {
        return new Told();
    }

    private final class Told implements Wakes {
        @Override
        public void wake(LifeId life, SessionKey lane) {
            for (BiConsumer<LifeId, SessionKey> listener : listeners) {
                try {
                    listener.accept(life, lane);
                } catch (RuntimeException e) {
                    // A hint that nobody takes is lost, as hints may be.
                }
            }
        }

        @Override
        public Runnable listen(BiConsumer<LifeId, SessionKey> listener) {
            listeners.add(listener);
            return () -> listeners.removeIf(each -> each == listener);
        }
    }
}
