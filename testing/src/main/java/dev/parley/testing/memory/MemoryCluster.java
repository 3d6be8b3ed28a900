package dev.parley.testing.memory;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Heard;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.port.Tenure;
import dev.parley.application.port.Vitals;
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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** The reference of how gateways share a store. One lock around everything, which is that of the store. */
final class MemoryCluster implements Cluster {
    private static final Duration KEPT = Duration.ofDays(7);
    private static final Duration ORDERED = Duration.ofMinutes(1);

    private final MemoryData data;
    private final InstantSource clock;
    private final Map<LifeId, Row> lives = new HashMap<>();
    private final Map<LifeId, Instant> ended = new HashMap<>();
    private final Map<SessionKey, Integer> deaths = new HashMap<>();
    private final Map<String, String> shared = new TreeMap<>();
    private final Map<String, Posted> orders = new TreeMap<>();
    private final Map<String, LifeId> leases = new TreeMap<>();
    private final List<BiConsumer<LifeId, SessionKey>> listeners = new CopyOnWriteArrayList<>();

    /** An order, whether it is taken, and what came of it. */
    private record Posted(PostedOrder order, Instant at, boolean taken, Optional<Boolean> done) {}

    /** What is known of a life. */
    private record Row(
            Newcomer self, Node.State state, Node.Wish wish, Vitals how, Instant joinedAt, Instant leaseUntil) {
        Row heard(Vitals vitals, Instant lease) {
            return new Row(
                    self, vitals.isDraining() ? Node.State.DRAINING : Node.State.UP, wish, vitals, joinedAt, lease);
        }

        Row wished(Node.Wish other) {
            return new Row(self, state, other, how, joinedAt, leaseUntil);
        }

        Row until(Instant lease) {
            return new Row(self, state, wish, how, joinedAt, lease);
        }

        Row over(Node.State as) {
            return new Row(self, as, wish, new Vitals(0, false, how.address()), joinedAt, leaseUntil);
        }

        Node node(LifeId life, int lanes) {
            return new Node(life, self, state, wish, how.address(), joinedAt, leaseUntil, how.busy(), lanes);
        }
    }

    /** Nobody lives; {@code clock} is the clock of the store. */
    MemoryCluster(MemoryData data, InstantSource clock) {
        this.data = data;
        this.clock = clock;
    }

    @Override
    public void join(LifeId life, Newcomer self, Duration lease) {
        synchronized (data) {
            if (lives.containsKey(life)) {
                throw new InvalidRequest("The life " + life.value() + " was begun before; begin another one.");
            }
            Instant now = clock.instant();
            lives.put(life, new Row(self, Node.State.UP, Node.Wish.NOTHING, Vitals.NONE, now, now.plus(lease)));
        }
    }

    @Override
    public Optional<Heard> beat(LifeId life, Duration lease, Vitals how) {
        synchronized (data) {
            if (!isLive(life)) {
                return Optional.empty();
            }
            Instant now = clock.instant();
            lives.put(life, known(life).heard(how, now.plus(lease)));
            return Optional.of(new Heard(now, known(life).wish()));
        }
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public boolean wish(LifeId life, Node.Wish wish) {
        synchronized (data) {
            boolean live = isLive(life);
            if (live) {
                lives.put(life, known(life).wished(wish));
            }
            return live;
        }
    }

    @Override
    public boolean leave(LifeId life, Duration patience) {
        synchronized (data) {
            if (isLive(life)) {
                end(life, Node.State.LEFT);
            }
            if (lives.containsKey(life)) {
                free(life);
            }
            return true;
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
            lives.put(life, known(life).until(clock.instant().minusNanos(1)));
        }
    }

    private Row known(LifeId life) {
        return Optional.ofNullable(lives.get(life))
                .orElseThrow(() -> new IllegalArgumentException("There is no life " + life.value()));
    }

    private boolean isLive(LifeId life) {
        return Optional.ofNullable(lives.get(life))
                .filter(row -> row.state().isLive())
                .isPresent();
    }

    private void end(LifeId life, Node.State as) {
        lives.put(life, known(life).over(as));
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
            return lives.entrySet().stream()
                    .filter(each ->
                            !ended.getOrDefault(each.getKey(), Instant.MAX).isBefore(since))
                    .map(each -> each.getValue()
                            .node(each.getKey(), lanesOf(each.getKey()).size()))
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
            lives.keySet().stream().filter(life -> !isLive(life)).toList().forEach(this::free);
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
    public void post(PostedOrder order) {
        synchronized (data) {
            orders.putIfAbsent(order.id(), new Posted(order, clock.instant(), false, Optional.empty()));
        }
    }

    @Override
    public List<PostedOrder> takeOrders(LifeId life) {
        synchronized (data) {
            Instant since = clock.instant().minus(ORDERED);
            List<PostedOrder> taken = orders.values().stream()
                    .filter(posted -> !posted.taken() && !posted.at().isBefore(since))
                    .map(Posted::order)
                    .filter(order -> hold(order.lane())
                            .holder()
                            .filter(holder -> !holder.equals(life))
                            .isEmpty())
                    .toList();
            taken.forEach(order -> orders.computeIfPresent(
                    order.id(), (id, posted) -> new Posted(order, posted.at(), true, Optional.empty())));
            return taken;
        }
    }

    @Override
    public void answer(String order, Optional<Boolean> done) {
        synchronized (data) {
            orders.computeIfPresent(
                    order,
                    (id, posted) -> posted.taken() && posted.done().isEmpty()
                            ? new Posted(posted.order(), posted.at(), done.isPresent(), done)
                            : posted);
        }
    }

    @Override
    public Optional<Boolean> outcome(String order) {
        synchronized (data) {
            return Optional.ofNullable(orders.get(order)).flatMap(Posted::done);
        }
    }

    @Override
    public boolean withdraw(String order) {
        synchronized (data) {
            return orders.values().removeIf(posted -> posted.order().id().equals(order) && !posted.taken());
        }
    }

    @Override
    public String share(String name, String own, boolean replace) {
        synchronized (data) {
            return shared.merge(name, own, (before, now) -> replace ? now : before);
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
