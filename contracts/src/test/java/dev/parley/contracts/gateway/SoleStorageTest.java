package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.nodes.Company;
import dev.parley.application.nodes.NodeSettings;
import dev.parley.application.nodes.SoleStorage;
import dev.parley.application.port.Cluster;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.port.Vitals;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.turn.LifeId;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A gateway that has a store to itself that others could share: they notice each other, and only one of them stores anything. */
class SoleStorageTest {
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final LifeId NODE = new LifeId("two#1");

    private final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T12:00:00Z"));
    private final MemoryStorage memory = MemoryStorage.shared(clock);
    private final SwitchableStorage store = new SwitchableStorage(memory);
    private final Cluster cluster = memory.cluster().orElseThrow();
    private final SeededIds ids = new SeededIds(3);
    private final Passing timers = new Passing();
    private long batches;

    /** Time passes whenever somebody waits for it; what is due after that waits for the next time. */
    private final class Passing implements Timers {
        private final List<Runnable> due = new ArrayList<>();
        private Runnable meanwhile = () -> {};
        private boolean inside;

        @Override
        public Timer after(Duration delay, Runnable task) {
            if (inside) {
                due.add(task);
                return () -> due.removeIf(each -> each == task);
            }
            inside = true;
            clock.move(delay);
            meanwhile.run();
            task.run();
            inside = false;
            return () -> {};
        }
    }

    private Storage alone(Storage shared, String place) {
        NodeSettings settings = new NodeSettings("alone", "1", place, new TreeMap<>(), LEASE);
        return SoleStorage.of(
                shared,
                settings,
                timers,
                ids,
                () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos());
    }

    private void node() {
        cluster.join(NODE, new Newcomer("two", "1", "there:/two", Newcomer.Kind.NODE, new TreeMap<>()), LEASE);
    }

    private void write(Storage to) {
        to.ledger()
                .commit(new Batch(
                        new BatchId("w", ++batches), List.of(), List.of(new Change.PutMeta("written", "" + batches))));
    }

    private List<Node> live() {
        return cluster.nodes().stream().filter(node -> node.state().isLive()).toList();
    }

    @Test
    void aGatewayAloneLivesInTheStoreLikeANode() {
        Storage sole = alone(store, "here:/one");
        write(sole);

        assertThat(live()).singleElement().satisfies(node -> {
            assertThat(node.self().isAlone()).isTrue();
            assertThat(node.shown()).isEqualTo("alone (here:/one)");
        });
        sole.close();
        assertThat(live()).isEmpty();
    }

    @Test
    void aGatewayAloneIsRefusedBesideNodesAndToldWhoTheyAreAndWhatToDo() {
        node();
        timers.meanwhile = () -> cluster.beat(NODE, LEASE, Vitals.NONE);

        assertThatThrownBy(() -> alone(store, "here:/one"))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage(
                        "The store memory: is in use by the nodes two (there:/two), and this gateway is not one of its"
                                + " nodes; set cluster.enabled to true to make it one, or give it another database or schema.");
        assertThat(live()).extracting(Node::life).containsExactly(NODE);
    }

    @Test
    void nobodyBeginsInAStoreThatIsCopiedToAndEachIsToldWhy() {
        Storage copied = SoleStorage.copiedTo(
                store,
                "a copy",
                timers,
                ids,
                () -> Duration.between(Instant.EPOCH, clock.instant()).toNanos());
        timers.meanwhile = () -> List.copyOf(timers.due).forEach(task -> {
            timers.due.remove(task);
            task.run();
        });
        String why = "The store memory: is being copied to; start again when that is done.";

        assertThatThrownBy(() -> alone(new Again(memory), "there:/two"))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage(why);
        Company nodes = new Company(cluster, "memory:", NodeSettings.named("two"), Newcomer.Kind.NODE);
        nodes.join(NODE);
        assertThat(nodes.refusal(nodes.others(NODE))).get().hasToString(new InvalidRequest(why).toString());
        cluster.leave(NODE);
        copied.close();
        alone(store, "here:/one").close();
    }

    @Test
    void aNodeIsANodeWhateverItsOperatorCallsIt() {
        cluster.join(NODE, new Newcomer("storage copy", "1", "there:/two", Newcomer.Kind.NODE, new TreeMap<>()), LEASE);
        Company nodes = new Company(cluster, "memory:", NodeSettings.named("one"), Newcomer.Kind.NODE);

        LifeId one = new LifeId("one#1");
        nodes.join(one);

        assertThat(nodes.refusal(nodes.others(one))).isEmpty();
    }

    @Test
    void aSecondGatewayAloneIsRefused() {
        Storage first = alone(new Again(memory), "here:/one");
        timers.meanwhile = () -> List.copyOf(timers.due).forEach(task -> {
            timers.due.remove(task);
            task.run();
        });

        assertThatThrownBy(() -> alone(new Again(memory), "there:/two"))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("is in use by the gateway alone (here:/one)")
                .hasMessageContaining("stop that one first");
        write(first);
    }

    @Test
    void whoWasKilledElsewhereIsWaitedForUntilTheLeaseHasRunOut() {
        node();
        Instant before = clock.instant();

        write(alone(store, "here:/one"));

        assertThat(Duration.between(before, clock.instant())).isBetween(LEASE, LEASE.plusSeconds(3));
    }

    @Test
    void whoWasKilledOnTheSameHomeIsNotWaitedFor() {
        cluster.join(
                new LifeId("killed#1"),
                new Newcomer("alone", "1", "here:/one", Newcomer.Kind.ALONE, new TreeMap<>()),
                LEASE);
        Instant before = clock.instant();

        write(alone(store, "here:/one"));

        assertThat(Duration.between(before, clock.instant())).isLessThan(Duration.ofSeconds(2));
        assertThat(live()).hasSize(1);
    }

    @Test
    void aGatewayAloneThatWasSilentForTooLongStoresNothingWhileNodesLive() {
        Storage sole = alone(store, "here:/one");
        clock.move(LEASE.multipliedBy(2));
        cluster.reap();
        node();

        assertThatThrownBy(() -> write(sole))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("is in use by the nodes two (there:/two)");
        assertThat(memory.meta().get("written")).isEmpty();

        cluster.leave(NODE);
        write(sole);
        assertThat(memory.meta().get("written")).isPresent();
    }

    @Test
    void aGatewayAloneThatWasSilentGoesOnWhereNobodyElseHasBegun() {
        Storage sole = alone(store, "here:/one");
        clock.move(LEASE.multipliedBy(2));
        write(sole);

        assertThat(memory.meta().get("written")).isPresent();
        assertThat(live()).hasSize(1);
    }

    @Test
    void aStoreThatFailsIsNotWrittenToBeforeItIsKnownThatNobodyElseIsThere() {
        Storage sole = alone(store, "here:/one");
        store.become(SwitchableStorage.State.UNAVAILABLE);
        clock.move(LEASE.multipliedBy(2));
        assertThatThrownBy(() -> write(sole)).isInstanceOf(StorageUnavailable.class);

        store.become(SwitchableStorage.State.AVAILABLE);
        write(sole);
        assertThat(memory.meta().get("written")).isPresent();
    }

    @Test
    void aStoreThatNobodyCouldShareIsUsedAsItIs() {
        try (MemoryStorage own = new MemoryStorage()) {
            assertThat(alone(own, "here:/one")).isSameAs(own);
        }
    }

    /** The store as another process has it open. */
    private record Again(MemoryStorage memory) implements ComposedStorage {
        @Override
        public StorageParts parts() {
            return memory.parts();
        }

        @Override
        public Optional<Cluster> cluster() {
            return memory.cluster();
        }

        @Override
        public String location() {
            return memory.location();
        }

        @Override
        public void close() {}
    }
}
