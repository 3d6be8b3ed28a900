package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.inbound;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.named;
import static dev.parley.contracts.storage.Samples.outgoing;
import static dev.parley.contracts.storage.Samples.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Heard;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Node;
import dev.parley.application.port.PostedOrder;
import dev.parley.application.port.Tenure;
import dev.parley.application.port.Vitals;
import dev.parley.application.spi.Storage;
import dev.parley.contracts.level.Concurrent;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.contracts.level.Told;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link Cluster}: each lane belongs to one life at a time, and nothing that is to be done is forgotten when a life ends. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface ClusterContract {
    /** The life of most tests. */
    LifeId ONE = new LifeId("one#1");
    /** The life beside it. */
    LifeId OTHER = new LifeId("other#1");
    /** Long enough for every test. */
    Duration LEASE = Duration.ofHours(1);

    /** Returns the harness of a store that nobody uses yet. */
    ClusterHarness cluster();

    // ------------------------------------------------------------------ lives

    @Core
    default void aLifeIsListedAsItBegan() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = cluster(harness);
            Newcomer self = new Newcomer(
                    "one",
                    "1.2",
                    "here:/home",
                    Newcomer.Kind.ALONE,
                    new TreeMap<>(Map.of("zone", "UTC", "a\nb", "c=d")));
            cluster.join(ONE, self, LEASE);

            Node node = cluster.nodes().get(0);
            assertThat(cluster.nodes()).hasSize(1);
            assertThat(node.life()).isEqualTo(ONE);
            assertThat(node.self()).isEqualTo(self);
            assertThat(node.state()).isEqualTo(Node.State.UP);
            assertThat(node.wish()).isEqualTo(Node.Wish.NOTHING);
            assertThat(node.address()).isEmpty();
            assertThat(node.lanes()).isZero();
            assertThat(cluster.now()).isBetween(node.joinedAt(), node.leaseUntil());
            assertThat(node.leaseUntil()).isEqualTo(node.joinedAt().plus(LEASE));
        }
    }

    @Core
    default void eachIsListedAsWhatItIs() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = cluster(harness);
            for (Newcomer.Kind kind : Newcomer.Kind.values()) {
                cluster.join(new LifeId(kind + "#1"), new Newcomer("same", "1", "", kind, new TreeMap<>()), LEASE);
            }

            assertThat(cluster.nodes())
                    .extracting(node -> node.life().value(), node -> node.self().kind())
                    .containsExactlyInAnyOrder(
                            tuple("NODE#1", Newcomer.Kind.NODE),
                            tuple("ALONE#1", Newcomer.Kind.ALONE),
                            tuple("COPY#1", Newcomer.Kind.COPY));
        }
    }

    @Core
    default void noLifeBeginsTwice() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            Told.refused(
                    "Joining a store under the name of a life that is there",
                    InvalidRequest.class,
                    () -> join(cluster, ONE));
            cluster.leave(ONE);
            Told.refused(
                    "Joining a store once more under a life that has left",
                    InvalidRequest.class,
                    () -> join(cluster, ONE));
        }
    }

    @Core
    default void aBeatRenewsTheLeaseAndSaysHowTheNodeIs() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            harness.expire(ONE);

            assertThat(cluster.beat(ONE, LEASE, new Vitals(3, true, Optional.of("http://here:1"))))
                    .isPresent();

            Node node = cluster.nodes().get(0);
            assertThat(node.busy()).isEqualTo(3);
            assertThat(node.address()).contains("http://here:1");
            assertThat(node.state()).isEqualTo(Node.State.DRAINING);
            assertThat(cluster.reap()).isEmpty();
        }
    }

    @Core
    default void aLifeThatIsOverHasNoBeat() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.leave(ONE);
            harness.expire(OTHER);
            assertThat(cluster.reap()).containsExactly(OTHER);

            assertThat(cluster.beat(ONE, LEASE, Vitals.NONE)).isEmpty();
            assertThat(cluster.beat(OTHER, LEASE, Vitals.NONE)).isEmpty();
            assertThat(cluster.nodes()).extracting(Node::state).containsExactly(Node.State.LEFT, Node.State.DEAD);
        }
    }

    @Core
    default void aLifeHearsWhatIsWishedOfItAndNoOtherOneDoes() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            assertThat(cluster.wish(ONE, Node.Wish.HOLD)).isTrue();

            assertThat(cluster.beat(ONE, LEASE, Vitals.NONE).map(Heard::wish)).contains(Node.Wish.HOLD);
            assertThat(cluster.beat(ONE, LEASE, Vitals.NONE).map(Heard::wish)).contains(Node.Wish.HOLD);
            assertThat(cluster.beat(OTHER, LEASE, Vitals.NONE).map(Heard::wish)).contains(Node.Wish.NOTHING);
            assertThat(cluster.wish(ONE, Node.Wish.DRAIN)).isTrue();
            assertThat(cluster.beat(ONE, LEASE, Vitals.NONE).map(Heard::wish)).contains(Node.Wish.DRAIN);
        }
    }

    @Core
    default void nothingCanBeWishedOfALifeThatIsOver() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.leave(ONE);

            assertThat(cluster.wish(ONE, Node.Wish.HOLD)).isFalse();
            assertThat(cluster.wish(new LifeId("nobody#1"), Node.Wish.HOLD)).isFalse();
        }
    }

    @Core
    default void theListSaysHowManyLanesALifeHolds() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            cluster.take(ONE, key("2"));

            assertThat(cluster.nodes())
                    .extracting(Node::life, Node::lanes)
                    .containsExactly(tuple(ONE, 2), tuple(OTHER, 0));
        }
    }

    @Core
    default void anOperatorEndsALifeWhateverItsLeaseSays() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));

            assertThat(cluster.forget(ONE)).isTrue();
            assertThat(cluster.forget(ONE)).isFalse();
            cluster.reap();

            assertThat(cluster.take(OTHER, key("1"))).isInstanceOf(Tenure.Mine.class);
        }
    }

    // ------------------------------------------------------------------ what all have in common

    @Core
    default void whatIsSharedFirstIsSharedByAllUntilItIsReplaced() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = cluster(harness);

            assertThat(cluster.share("token", "first", false)).isEqualTo("first");
            assertThat(cluster.share("token", "second", false)).isEqualTo("first");
            assertThat(cluster.share("other", "second", false)).isEqualTo("second");
            assertThat(cluster.share("token", "third", true)).isEqualTo("third");
            assertThat(cluster.share("token", "fourth", false)).isEqualTo("third");
        }
    }

    // ------------------------------------------------------------------ orders

    @Core
    default void anOrderIsTakenOnceByTheLifeThatHoldsTheLane() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            PostedOrder order = new PostedOrder("o1", key("1"), PostedOrder.What.SUSPEND, 7);
            cluster.post(order);
            cluster.post(order);

            assertThat(cluster.takeOrders(OTHER)).isEmpty();
            assertThat(cluster.takeOrders(ONE)).containsExactly(order);
            assertThat(cluster.takeOrders(ONE)).isEmpty();
        }
    }

    @Core
    default void anOrderForALaneThatIsFreeIsTakenByAnyLifeOnce() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            PostedOrder order = new PostedOrder("o1", key("1"), PostedOrder.What.RESET, 0);
            cluster.post(order);

            assertThat(cluster.takeOrders(OTHER)).containsExactly(order);
            assertThat(cluster.takeOrders(ONE)).isEmpty();
        }
    }

    @Core
    default void whatCameOfAnOrderIsSaidOnceItWasTaken() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.post(new PostedOrder("o1", key("1"), PostedOrder.What.INTERRUPT, 1));
            cluster.post(new PostedOrder("o2", key("1"), PostedOrder.What.UNRESET, 1));
            cluster.answer("o1", Optional.of(true));
            assertThat(cluster.outcome("o1")).isEmpty();
            assertThat(cluster.takeOrders(ONE)).hasSize(2);
            assertThat(cluster.outcome("o1")).isEmpty();

            cluster.answer("o1", Optional.of(true));
            cluster.answer("o2", Optional.of(false));

            assertThat(cluster.outcome("o1")).contains(true);
            assertThat(cluster.outcome("o2")).contains(false);
            assertThat(cluster.outcome("o3")).isEmpty();
        }
    }

    @Core
    default void anOrderThatALifeCannotFollowIsLeftToOthers() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            PostedOrder order = new PostedOrder("o1", key("1"), PostedOrder.What.RESET, 0);
            cluster.post(order);
            cluster.takeOrders(ONE);

            cluster.answer("o1", Optional.empty());

            assertThat(cluster.outcome("o1")).isEmpty();
            assertThat(cluster.takeOrders(OTHER)).containsExactly(order);
        }
    }

    @Core
    default void anOrderIsTakenBackUnlessSomebodyHasTakenIt() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.post(new PostedOrder("o1", key("1"), PostedOrder.What.RESET, 0));
            assertThat(cluster.withdraw("o1")).isTrue();
            assertThat(cluster.withdraw("o1")).isFalse();
            assertThat(cluster.takeOrders(ONE)).isEmpty();

            cluster.post(new PostedOrder("o2", key("1"), PostedOrder.What.RESET, 0));
            cluster.takeOrders(ONE);
            assertThat(cluster.withdraw("o2")).isFalse();
        }
    }

    // ------------------------------------------------------------------ lanes

    @Core
    default void aLaneBelongsToOneLifeAtATime() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);

            assertThat(cluster.take(ONE, key("1"))).isEqualTo(new Tenure.Mine(1, 0));
            assertThat(cluster.take(OTHER, key("1"))).isEqualTo(new Tenure.Elsewhere(ONE));
            assertThat(harness.storage().lanes().hold(key("1"))).isEqualTo(new Hold(Optional.of(ONE), 1));
        }
    }

    @Core
    default void whoAsksAgainForItsLaneGetsTheSameToken() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            assertThat(cluster.take(ONE, key("1"))).isEqualTo(new Tenure.Mine(1, 0));
        }
    }

    @Core
    default void aLaneThatIsGivenBackIsTakenUnderAnotherToken() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));

            assertThat(cluster.giveBack(key("1"), 1, 0)).isTrue();
            assertThat(cluster.take(OTHER, key("1"))).isEqualTo(new Tenure.Mine(2, 0));
            assertThat(cluster.giveBack(key("1"), 1, 0)).isFalse();
            assertThat(cluster.holdsOf(OTHER)).containsOnlyKeys(key("1"));
        }
    }

    @Core
    default void aBatchUnderATokenThatIsOverIsRefused() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            Precondition mine = new Precondition.HeldBy(key("1"), 1);
            assertThat(commit(harness, mine, new Change.PutMeta("a", "1")).isCommitted())
                    .isTrue();
            harness.expire(ONE);
            cluster.reap();

            assertThat(commit(harness, mine, new Change.PutMeta("a", "2"))).isEqualTo(new CommitResult.Conflict(mine));
            cluster.take(OTHER, key("1"));
            assertThat(commit(harness, mine, new Change.PutMeta("a", "3"))).isEqualTo(new CommitResult.Conflict(mine));
            assertThat(harness.storage().meta().get("a")).hasValue("1");
        }
    }

    @Core
    default void aLifeThatLeavesFreesItsLanesAndLeases() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            cluster.lease(ONE, "duty");

            cluster.leave(ONE);

            assertThat(cluster.take(OTHER, key("1"))).isEqualTo(new Tenure.Mine(2, 0));
            assertThat(cluster.lease(OTHER, "duty")).isTrue();
        }
    }

    @Core
    default void whatALifeHoldsIsListedWithTheLastPlaceOfEachLane() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            cluster.take(ONE, key("2"));
            cluster.take(OTHER, key("3"));
            commit(harness, new Change.PutInbound(inbound("a", "2", 7)));

            assertThat(cluster.holdsOf(ONE)).isEqualTo(Map.of(key("1"), 0L, key("2"), 7L));
        }
    }

    // ------------------------------------------------------------------ the traps

    /** The lane would belong to nobody alive, for ever. */
    @Core
    default void aLifeThatIsOverTakesNothing() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            harness.expire(ONE);
            cluster.reap();

            assertThat(cluster.take(ONE, key("1"))).isEqualTo(new Tenure.Over());
            assertThat(cluster.lease(ONE, "duty")).isFalse();
            cluster.leave(OTHER);
            assertThat(cluster.take(OTHER, key("1"))).isEqualTo(new Tenure.Over());
            assertThat(harness.storage().lanes().hold(key("1")).holder()).isEmpty();
        }
    }

    /** A life that takes a lane while it is declared dead either has it freed or does not get it. */
    @Concurrent
    default void noLaneIsLeftWithALifeThatIsOver() throws Exception {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = cluster(harness);
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                for (int round = 0; round < 20; round++) {
                    LifeId life = new LifeId("round#" + round);
                    join(cluster, life);
                    harness.expire(life);
                    int first = round * 10;
                    Callable<Object> takes = () -> {
                        for (int i = 0; i < 10; i++) {
                            cluster.take(life, key("lane" + (first + i)));
                        }
                        return "taken";
                    };
                    Callable<Object> reaps = cluster::reap;
                    for (Future<Object> each : threads.invokeAll(List.of(takes, reaps))) {
                        each.get();
                    }
                    cluster.reap();
                    assertThat(cluster.holdsOf(life)).isEmpty();
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** A life that does not know what it holds finds out. */
    @Core
    default void aLaneWhoseTakingWasNeverAnsweredIsAdopted() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            commit(harness, new Change.PostInbound(inbound("a", "1", 0)));

            assertThat(cluster.wanted(10)).isEmpty();
            assertThat(cluster.holdsOf(ONE)).containsOnlyKeys(key("1"));
            assertThat(cluster.take(ONE, key("1"))).isInstanceOf(Tenure.Mine.class);
        }
    }

    /** Whoever gives a lane back has seen all its messages. */
    @Core
    default void aLaneIsNotGivenBackOverAMessageThatWasPosted() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            commit(harness, new Change.PostInbound(inbound("a", "1", 0)));

            assertThat(cluster.giveBack(key("1"), 1, 0)).isFalse();
            assertThat(cluster.giveBack(key("1"), 1, 1)).isTrue();
            assertThat(cluster.wanted(10)).containsExactly(key("1"));
        }
    }

    /** Messages are posted while lanes are taken and given back: each is seen by the one who works, or the lane is wanted. */
    @Concurrent
    default void noMessageIsOverlookedBetweenPostingAndGivingBack() throws Exception {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            int messages = 60;
            ExecutorService threads = Executors.newFixedThreadPool(2);
            try {
                Callable<Object> posts = () -> {
                    for (int i = 0; i < messages; i++) {
                        commit(harness, new Change.PostInbound(inbound("m" + i, "1", 0)));
                    }
                    return "posted";
                };
                Callable<Object> works = () -> {
                    int done = 0;
                    while (done < messages) {
                        List<SessionKey> wanted = cluster.wanted(1);
                        if (wanted.isEmpty() || !(cluster.take(ONE, wanted.get(0)) instanceof Tenure.Mine mine)) {
                            continue;
                        }
                        long last = -1;
                        while (last < 0 || !cluster.giveBack(key("1"), mine.token(), last)) {
                            last = harness.storage().queue().lastOrdinal(key("1"));
                            for (Inbound each : harness.storage().queue().admitted(key("1"))) {
                                commit(harness, new Change.PutInbound(each.in(Inbound.State.DONE)));
                                done++;
                            }
                        }
                    }
                    return "done";
                };
                for (Future<Object> each : threads.invokeAll(List.of(posts, works))) {
                    each.get();
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(harness.storage().queue().admitted()).isEmpty();
        }
    }

    /** What a stopped process is working on waits; everything else is freed. */
    @Core
    default void aLaneSomebodyIsStuckInDelaysNoOther() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            cluster.take(ONE, key("2"));
            harness.expire(ONE);
            Optional<Runnable> stuck = harness.stuckIn(key("1"));

            assertThat(cluster.reap()).containsExactly(ONE);
            assertThat(cluster.holdsOf(ONE).keySet()).isEqualTo(stuck.isPresent() ? Set.of(key("1")) : Set.of());
            stuck.ifPresent(Runnable::run);
            cluster.reap();

            assertThat(cluster.holdsOf(ONE)).isEmpty();
        }
    }

    /** A node that ends may be the last one: nobody else would free what it left. */
    @Concurrent
    default void aLifeThatLeavesWaitsForWhatIsWorkedOnInItsLanes() throws Exception {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            cluster.take(ONE, key("2"));
            Optional<Runnable> stuck = harness.stuckIn(key("1"));
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try {
                Future<Boolean> left = thread.submit(() -> cluster.leave(ONE, Duration.ofMinutes(1)));
                while (!harness.storage().lanes().hold(key("2")).holder().isEmpty()) {
                    Thread.onSpinWait();
                }
                assertThat(cluster.beat(ONE, LEASE, Vitals.NONE)).isEmpty();
                stuck.ifPresent(Runnable::run);

                assertThat(left.get()).isTrue();
                assertThat(cluster.holdsOf(ONE)).isEmpty();
            } finally {
                thread.shutdownNow();
            }
        }
    }

    @Core
    default void aLifeThatLeavesSaysWhatItCouldNotFreeAndOthersDoThat() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            cluster.take(ONE, key("2"));
            Optional<Runnable> stuck = harness.stuckIn(key("1"));

            assertThat(cluster.leave(ONE, Duration.ZERO)).isEqualTo(stuck.isEmpty());
            assertThat(cluster.leave(ONE, Duration.ofMillis(50))).isEqualTo(stuck.isEmpty());
            assertThat(cluster.holdsOf(ONE).keySet()).isEqualTo(stuck.isPresent() ? Set.of(key("1")) : Set.of());
            stuck.ifPresent(Runnable::run);
            cluster.reap();

            assertThat(cluster.holdsOf(ONE)).isEmpty();
            assertThat(cluster.leave(ONE, Duration.ZERO)).isTrue();
        }
    }

    /** Others have ended it, but could not free a lane that somebody worked on then. */
    @Core
    default void aLifeThatIsOverHoldsNothingOnceItHasLeft() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            cluster.lease(ONE, "duty");
            Optional<Runnable> stuck = harness.stuckIn(key("1"));
            harness.expire(ONE);
            assertThat(cluster.reap()).containsExactly(ONE);
            stuck.ifPresent(Runnable::run);

            assertThat(cluster.leave(ONE, Duration.ZERO)).isTrue();
            assertThat(cluster.holdsOf(ONE)).isEmpty();
            assertThat(cluster.nodes()).extracting(Node::state).containsExactly(Node.State.DEAD, Node.State.UP);
        }
    }

    /** A database that went back in time claims turns again whose lanes are free. */
    @Core
    default void aFreeLaneWithAClaimedTurnIsWanted() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            commit(harness, new Change.PutTurn(turn("t", "1", "s", 1)));
            commit(harness, new Change.PutOutgoing(outgoing("o", "2", 1)));
            commit(harness, new Change.PutInbound(inbound("a", "3", 1)));
            commit(harness, new Change.PutInbound(inbound("b", "4", 1).in(Inbound.State.DONE)));
            commit(harness, new Change.PutInbound(inbound("c", "5", 1)));
            cluster.take(ONE, key("5"));

            assertThat(cluster.wanted(10)).containsExactlyInAnyOrder(key("1"), key("2"), key("3"));
            assertThat(cluster.wanted(2)).hasSize(2);
        }
    }

    // ------------------------------------------------------------------ deaths

    @Core
    default void livesThatDieWithATurnOfALaneAreCountedUntilItIsGivenBack() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = cluster(harness);
            commit(harness, new Change.PutTurn(turn("t", "1", "s", 1)));
            for (int i = 1; i <= 3; i++) {
                LifeId life = new LifeId("mortal#" + i);
                join(cluster, life);
                assertThat(cluster.take(life, key("1"))).isEqualTo(new Tenure.Mine(i, i - 1));
                cluster.take(life, key("2"));
                harness.expire(life);
                cluster.reap();
            }
            join(cluster, ONE);
            Turn ended = turn("t", "1", "s", 1).ended(Turn.State.INTERRUPTED, Samples.at(9));

            assertThat(cluster.take(ONE, key("2"))).isEqualTo(new Tenure.Mine(4, 0));
            assertThat(cluster.take(ONE, key("1"))).isEqualTo(new Tenure.Mine(4, 3));
            commit(harness, new Change.PutTurn(ended));
            assertThat(cluster.giveBack(key("1"), 4, 0)).isTrue();
            assertThat(cluster.take(ONE, key("1"))).isEqualTo(new Tenure.Mine(5, 0));
        }
    }

    // ------------------------------------------------------------------ leases

    @Core
    default void aLeaseBelongsToOneLifeUntilThatIsOver() {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);

            assertThat(cluster.lease(ONE, "duty")).isTrue();
            assertThat(cluster.lease(ONE, "duty")).isTrue();
            assertThat(cluster.lease(OTHER, "duty")).isFalse();
            assertThat(cluster.lease(OTHER, "another duty")).isTrue();
            harness.expire(ONE);
            assertThat(cluster.lease(OTHER, "duty")).isFalse();
            cluster.reap();
            assertThat(cluster.lease(OTHER, "duty")).isTrue();
            assertThat(cluster.lease(ONE, "duty")).isFalse();
        }
    }

    // ------------------------------------------------------------------ races

    @Concurrent
    default void ofManyWhoTakeALaneOneGetsIt() throws Exception {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = cluster(harness);
            List<LifeId> lives = IntStream.range(0, 4)
                    .mapToObj(i -> new LifeId("racer#" + i))
                    .toList();
            lives.forEach(life -> join(cluster, life));
            ExecutorService threads = Executors.newFixedThreadPool(lives.size());
            try {
                for (int round = 0; round < 25; round++) {
                    SessionKey lane = key("race" + round);
                    List<Callable<Tenure>> racers = new ArrayList<>();
                    lives.forEach(life -> racers.add(() -> cluster.take(life, lane)));
                    int won = 0;
                    for (Future<Tenure> each : threads.invokeAll(racers)) {
                        won += each.get() instanceof Tenure.Mine ? 1 : 0;
                    }
                    assertThat(won).isEqualTo(1);
                    assertThat(harness.storage().lanes().hold(lane).token()).isEqualTo(1);
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Who admits under its token and who posts agree on the order: each place is given once. */
    @Concurrent
    default void postedAndAdmittedMessagesGetPlacesOfTheirOwn() throws Exception {
        try (ClusterHarness harness = cluster()) {
            Cluster cluster = joined(harness);
            cluster.take(ONE, key("1"));
            int each = 30;
            ExecutorService threads = Executors.newFixedThreadPool(3);
            try {
                List<Callable<Object>> all = new ArrayList<>();
                for (int poster = 0; poster < 2; poster++) {
                    int number = poster;
                    all.add(() -> {
                        for (int i = 0; i < each; i++) {
                            String name = "p" + number + "-" + i;
                            commit(harness, new Change.PostInbound(inbound(name, "1", 0, named("1", name))));
                        }
                        return "posted";
                    });
                }
                all.add(() -> {
                    for (int i = 0; i < each; ) {
                        long last = harness.storage().queue().lastOrdinal(key("1"));
                        CommitResult result = commit(
                                harness,
                                List.of(
                                        new Precondition.HeldBy(key("1"), 1),
                                        new Precondition.LastOrdinal(key("1"), last)),
                                new Change.PutInbound(inbound("a" + i, "1", last + 1, named("1", "a" + i))));
                        i += result.isCommitted() ? 1 : 0;
                    }
                    return "admitted";
                });
                for (Future<Object> done : threads.invokeAll(all)) {
                    done.get();
                }
            } finally {
                threads.shutdownNow();
            }
            assertThat(harness.storage().queue().admitted(key("1")))
                    .extracting(Inbound::ordinal)
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, 3 * each)
                            .mapToObj(Long::valueOf)
                            .toList());
        }
    }

    // ------------------------------------------------------------------ what the tests stand on

    /** Numbers the batches of all tests. */
    AtomicLong BATCHES = new AtomicLong();

    private static Cluster cluster(ClusterHarness harness) {
        return harness.storage().cluster().orElseThrow();
    }

    private static void join(Cluster cluster, LifeId life) {
        cluster.join(life, new Newcomer("node", "1", "", Newcomer.Kind.NODE, new TreeMap<>()), LEASE);
    }

    private static Cluster joined(ClusterHarness harness) {
        Cluster cluster = cluster(harness);
        join(cluster, ONE);
        join(cluster, OTHER);
        return cluster;
    }

    private static void commit(ClusterHarness harness, Change change) {
        assertThat(commit(harness, List.of(), change).isCommitted()).isTrue();
    }

    private static CommitResult commit(ClusterHarness harness, Precondition precondition, Change change) {
        return commit(harness, List.of(precondition), change);
    }

    private static CommitResult commit(ClusterHarness harness, List<Precondition> preconditions, Change change) {
        Storage storage = harness.storage();
        BatchId id = new BatchId("cluster-" + BATCHES.incrementAndGet(), 1);
        return storage.ledger().commit(new Batch(id, preconditions, List.of(change)));
    }
}
