package dev.parley.application.gateway;

import dev.parley.application.lane.LaneInput;
import dev.parley.application.nodes.Membership;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.HeldElsewhere;
import dev.parley.application.port.Node;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.settings.Busy;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.LifeId;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What a gateway does as one of several: the lanes that it is to look at, the platforms and the watching that one of them does for all,
 * and what operators order at another one. Safe for concurrent use.
 */
final class NodeDuties implements NodeWork {
    private final Parts parts;
    private final Busy busy;
    private final Membership nodes;
    private final Signals signals;
    private final Set<Platform> leased = ConcurrentHashMap.newKeySet();
    private volatile boolean watching;
    private volatile Optional<String> address = Optional.empty();

    NodeDuties(Parts parts, Busy busy, Membership nodes, Signals signals) {
        this.parts = parts;
        this.busy = busy;
        this.nodes = nodes;
        this.signals = signals;
    }

    /** The platforms are started, so it is known where the gateway is reached. */
    void reachable() {
        address = parts.platforms().addresses().stream().findFirst().map(URI::toString);
    }

    /** Returns whether this node is the one that is connected as a platform. */
    boolean isLeased(Platform platform) {
        return leased.contains(platform);
    }

    /** Returns whether this node ends sessions that expire, for all. */
    boolean watches() {
        return watching;
    }

    private Phase phase() {
        return parts.phase();
    }

    @Override
    public int busy() {
        return parts.running().size();
    }

    @Override
    public boolean isDraining() {
        return phase().stop().isPresent();
    }

    @Override
    public Optional<String> address() {
        return address;
    }

    @Override
    public void wished(Node.Wish wish) {
        // Lanes that wait are found by those who look for work that nobody does.
        parts.maintenance().wish(wish == Node.Wish.HOLD, () -> {});
        if (wish == Node.Wish.DRAIN) {
            signals.drain();
        }
    }

    @Override
    public int room() {
        return phase().is(Phase.State.RUNNING) && !phase().isHeld()
                ? places().map(this::roomOf).orElse(Integer.MAX_VALUE)
                : 0;
    }

    /** Where no place is free anywhere one lane waits for the next one here, so that those that nobody holds have their turn as well. */
    private int roomOf(int places) {
        int awaited = parts.running().awaited();
        int next = awaited == 0 && !nodes.hasRoomElsewhere() ? 1 : 0;
        return Math.max(next, places - busy() - awaited);
    }

    @Override
    public Optional<Integer> places() {
        return busy.maxLanes();
    }

    @Override
    public void posted(SessionKey lane) {
        parts.lanes().tell(lane, new LaneInput.Posted());
    }

    @Override
    public void check(Map<SessionKey, Long> held) {
        held.forEach(parts.lanes()::check);
        parts.answers().look();
    }

    @Override
    public void wanted(SessionKey lane) {
        boolean others = parts.platforms().exclusive().stream()
                .filter(platform -> !leased.contains(platform.name()))
                .anyMatch(platform -> isOf(lane, platform));
        if (!others) {
            parts.lanes().tell(lane, new LaneInput.Refresh());
        }
    }

    /** Returns whether a lane's people are reached over a platform. */
    private static boolean isOf(SessionKey lane, ChatPlatform platform) {
        String[] parts = lane.value().split(":", 4);
        return parts.length > 2
                && (parts[2].equals(platform.name().name())
                        || platform.bridges().stream().anyMatch(bridged -> parts[2].equals(bridged.name())));
    }

    @Override
    public void duties(Predicate<String> lease) {
        watching = lease.test("duty:watcher");
        for (ChatPlatform platform : parts.platforms().exclusive()) {
            Platform name = platform.name();
            if (lease.test("platform:" + name.name()) && leased.add(name)) {
                signals.takeUp(name);
            }
        }
    }

    @Override
    public void lost() {
        watching = false;
        parts.lanes().tellEach(new LaneInput.Lost());
        parts.deliveries().lost();
        leased.clear();
        parts.platforms()
                .exclusive()
                .forEach(platform -> signals.disconnected(
                        platform.name(), Optional.of("Another node may be connected as this platform by now.")));
        parts.platforms().stopExclusive();
    }

    @Override
    public void died(List<LifeId> lives) {
        signals.deliverWhatOthersLeft();
    }

    @Override
    public void ordered(PostedOrder order, Consumer<Optional<Boolean>> done) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        var unused = answer.whenComplete((was, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            done.accept(cause instanceof HeldElsewhere ? Optional.empty() : Optional.of(cause == null && was));
        });
        parts.lanes().tell(order.lane(), LaneOrders.input(order.what(), OptionalLong.of(order.epoch()), answer));
    }
}
