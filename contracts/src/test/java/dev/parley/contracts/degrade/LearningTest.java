package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.usage.TokenUsage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A store with more lanes than are learnt at once: they are learnt behind the start, and nothing is forgotten meanwhile. */
class LearningTest extends DegradeBench {
    private static final int LANES = 1_500;
    private static final int MIDDLE = 700;

    private static final String UNREADABLE = "cannot be read for now";

    /** Happens before the lane with this number in their order is handed out, if anything does. */
    private Consumer<Integer> beforeLane = number -> {};

    @Override
    Storage beforePrimary(Storage behind) {
        Lanes lanes = (Lanes) Proxy.newProxyInstance(
                Lanes.class.getClassLoader(), new Class<?>[] {Lanes.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("forEach")) {
                        handOut(behind.lanes(), arguments[0]);
                        return null;
                    }
                    try {
                        return method.invoke(behind.lanes(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        StorageParts of = StorageParts.of(behind);
        StorageParts parts = new StorageParts(
                of.ledger(),
                lanes,
                of.sessions(),
                of.transcripts(),
                of.search(),
                of.queue(),
                of.meta(),
                of.maintenance());
        return new ComposedStorage() {
            @Override
            public StorageParts parts() {
                return parts;
            }

            @Override
            public String location() {
                return behind.location();
            }

            @Override
            public void close() {
                behind.close();
            }
        };
    }

    @SuppressWarnings("unchecked")
    private void handOut(Lanes behind, Object consumer) {
        List<Lane> snapshot = new ArrayList<>();
        behind.forEach(snapshot::add);
        for (int i = 0; i < snapshot.size(); i++) {
            Consumer<Integer> before = beforeLane;
            if (before != null) {
                before.accept(i);
            }
            ((Consumer<Lane>) consumer).accept(snapshot.get(i));
        }
    }

    private void at(int number, Runnable happening) {
        beforeLane = each -> {
            if (each == number) {
                beforeLane = nothing -> {};
                happening.run();
            }
        };
    }

    /** A store with many lanes of earlier runs, and nothing remembered of them beside it but what the test says. */
    private void manyLanes() {
        List<Change> all = new ArrayList<>();
        for (int n = 1; n <= LANES; n++) {
            all.add(create(n, 1));
            all.add(new Change.PutLane(lane(n, 1, 1)));
            all.add(say(n, 1, "hello " + n));
        }
        storage.close();
        try (Storage direct = data.open(Mode.READ_WRITE)) {
            direct.ledger().commit(batch("earlier", List.of(), all.toArray(Change[]::new)));
        }
        restart();
    }

    private void learnt() {
        timers.runUntilIdle();
    }

    private String lanesSeen() {
        return storage.maintenance().status().getOrDefault("lanes_learnt", "all");
    }

    /** The lane whose place in the order of the keys this is, from 0. */
    private int laneAt(int place) {
        return data.open(Mode.READ_ONLY).lanes().page(LaneQuery.first(LANES)).rows().stream()
                .map(lane -> lane.key().value())
                .sorted()
                .skip(place)
                .map(key -> Integer.parseInt(key.substring(key.lastIndexOf(':') + 1)))
                .findFirst()
                .orElseThrow();
    }

    private Change touch(int n, Instant at, long tokens) {
        return new Change.TouchLane(
                key(n), session(n, 1), at, new TokenUsage(tokens, 0, 0, 0, 0), 0, Optional.empty(), Optional.empty());
    }

    @Test
    @DisplayName("A start reads no lanes before it is over, and says that it learns them; then every lane is known")
    void lanesAreLearntBehindTheStart() {
        List<Integer> read = new ArrayList<>();
        beforeLane = read::add;
        manyLanes();
        assertThat(read).isEmpty();
        assertThat(lanesSeen()).isEqualTo("0 so far");

        learnt();
        assertThat(read).hasSize(LANES);
        assertThat(lanesSeen()).isEqualTo("all");
        become(State.UNAVAILABLE);

        assertThat(storage.lanes().count()).isEqualTo(LANES);
        for (int n = 1; n <= LANES; n++) {
            assertThat(storage.lanes().find(key(n))).contains(lane(n, 1, 1));
            assertThat(storage.lanes().findBySession(session(n, 1))).contains(lane(n, 1, 1));
        }
        List<Lane> all = new ArrayList<>();
        storage.lanes().forEach(all::add);
        assertThat(all)
                .hasSize(LANES)
                .isSortedAccordingTo((one, other) -> one.key().compareTo(other.key()));
    }

    @Test
    @DisplayName(
            "A primary that fails while lanes are learnt: lanes that were learnt, and those of the mirror, keep their session")
    void whatTheMirrorRemembersIsKnown() {
        manyLanes();
        int early = laneAt(10);
        int late = laneAt(1_400);
        lanesMirrored =
                Optional.of(List.of(lane(early, 9, 0), new Lane(lane(late, 1, 0).entry(), Lane.ABSENT)));
        beforeLane = throwingFrom(MIDDLE);
        learnt();
        become(State.UNAVAILABLE);

        assertThat(storage.lanes().find(key(early))).contains(lane(early, 1, 1));
        assertThat(storage.lanes().find(key(late)))
                .map(l -> l.entry().sessionId())
                .contains(session(late, 1));
        assertThat(commit(say(late, 1, "on")).isCommitted()).isTrue();
        become(State.AVAILABLE);
        beforeLane = nothing -> {};
        letTimersRun();

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        Storage after = data.open(Mode.READ_ONLY);
        assertThat(said(after, session(late, 1))).containsExactly("hello " + late, "on");
        assertThat(after.lanes().find(key(late))).contains(lane(late, 1, 1));
        become(State.UNAVAILABLE);
        assertThat(storage.lanes().count()).isEqualTo(LANES);
        assertThat(storage.lanes().find(key(late))).contains(lane(late, 1, 1));
    }

    private Consumer<Integer> throwingFrom(int number) {
        return each -> {
            if (each >= number) {
                throw new StorageUnavailable("The disk is gone.", null);
            }
        };
    }

    @Test
    @DisplayName(
            "Commit rule 9: where nothing remembers a lane that was not learnt, its session is not taken for its first")
    void aLaneThatNobodyRemembersIsToldThatMoreWasSaid() {
        manyLanes();
        int late = laneAt(1_400);
        beforeLane = throwingFrom(MIDDLE);
        learnt();
        become(State.UNAVAILABLE);

        assertThat(storage.lanes().find(key(late))).isEmpty();
        commit(create(late, 2), new Change.PutLane(lane(late, 2, 1)), say(late, 2, "hello again"));
        assertThat(storage.transcripts().isWhole(session(late, 2))).isFalse();
        assertThat(said(storage, session(late, 2)))
                .hasSize(2)
                .first()
                .asString()
                .contains(UNREADABLE);

        become(State.AVAILABLE);
        beforeLane = nothing -> {};
        letTimersRun();
        Storage after = data.open(Mode.READ_ONLY);
        assertThat(after.lanes().find(key(late))).contains(lane(late, 1, 1));
        assertThat(said(after, session(late, 1))).containsExactly("hello " + late);
        assertThat(said(after, session(late, 2))).containsExactly("hello again");
        assertThat(after.lanes().history(key(late), 5))
                .extracting(LaneEvent::reason)
                .contains("healed_beside");
        become(State.UNAVAILABLE);
        assertThat(storage.lanes().find(key(late))).contains(lane(late, 1, 1));
    }

    @Test
    @DisplayName("Lanes that were read in this process are known before all are learnt")
    void aLaneInUseIsKnownAtOnce() {
        manyLanes();
        assertThat(storage.lanes().find(key(77))).contains(lane(77, 1, 1));
        commit(touch(77, START.plusSeconds(60), 5));
        become(State.UNAVAILABLE);

        Lane known = storage.lanes().find(key(77)).orElseThrow();
        assertThat(known)
                .isEqualTo(data.open(Mode.READ_ONLY).lanes().find(key(77)).orElseThrow());
        assertThat(known.entry().updatedAt()).isEqualTo(START.plusSeconds(60));
    }

    @Test
    @DisplayName("What a batch says of a lane counts, not what was read of it before: moved, touched, removed, made")
    void batchesWinOverWhatWasRead() {
        manyLanes();
        int moved = laneAt(900);
        int touched = laneAt(901);
        int removed = laneAt(902);
        int read = laneAt(5);
        at(MIDDLE, () -> {
            commit(create(moved, 2), new Change.PutLane(lane(moved, 2, 2)));
            commit(touch(touched, START.plusSeconds(60), 5));
            commit(touch(read, START.plusSeconds(60), 5));
            commit(new Change.RemoveLane(key(removed)));
            commit(create(5_000, 1), new Change.PutLane(lane(5_000, 1, 1)));
        });
        learnt();
        assertThat(lanesSeen()).isEqualTo("all");
        become(State.UNAVAILABLE);

        Storage there = data.open(Mode.READ_ONLY);
        for (int n : List.of(moved, touched, removed, read, 5_000)) {
            assertThat(storage.lanes().find(key(n))).isEqualTo(there.lanes().find(key(n)));
        }
        assertThat(storage.lanes().find(key(removed))).isEmpty();
        assertThat(storage.lanes().find(key(moved))).contains(lane(moved, 2, 2));
        assertThat(storage.lanes().count()).isEqualTo(LANES);
    }

    @Test
    @DisplayName("A lane that was removed before all are learnt is not brought back by what the mirror remembers")
    void aRemovedLaneStaysRemoved() {
        manyLanes();
        lanesMirrored = Optional.of(List.of(lane(3, 1, 1), lane(4, 1, 1)));
        commit(new Change.RemoveLane(key(3)));
        become(State.UNAVAILABLE);

        assertThat(storage.lanes().find(key(3))).isEmpty();
        assertThat(storage.lanes().find(key(4))).isPresent();
    }

    @Test
    @DisplayName("A stop while lanes are learnt ends that, and says nothing of it")
    void aStopWhileLanesAreLearnt() {
        manyLanes();
        List<Integer> read = new ArrayList<>();
        beforeLane = each -> {
            read.add(each);
            if (each == MIDDLE) {
                storage.close();
            }
        };
        learnt();
        letTimersRun();

        assertThat(read).hasSize(MIDDLE + 1);
        assertThat(events.of(GatewayEvent.Trouble.class)).isEmpty();
        assertThat(events.of(GatewayEvent.Degraded.class)).isEmpty();
    }

    @Test
    @DisplayName("A lane that cannot be read: the gateway goes on with the primary, it is told once, and tried again")
    void aLaneThatCannotBeRead() {
        manyLanes();
        AtomicBoolean broken = new AtomicBoolean(true);
        beforeLane = each -> {
            if (each == MIDDLE && broken.get()) {
                throw new StorageCorrupt("The lane has no platform.", null);
            }
        };
        learnt();
        timers.advance(Duration.ofMinutes(2));

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(events.of(GatewayEvent.Trouble.class))
                .singleElement()
                .satisfies(told -> assertThat(told.what()).contains("the lanes cannot all be read", "no platform"));
        assertThat(lanesSeen()).contains("so far");
        assertThat(commit(say(1, 1, "on")).isCommitted()).isTrue();

        broken.set(false);
        timers.advance(Duration.ofMinutes(10));
        assertThat(lanesSeen()).isEqualTo("all");
        become(State.UNAVAILABLE);
        assertThat(storage.lanes().count()).isEqualTo(LANES);
    }

    @Test
    @DisplayName(
            "A start on a degraded home merges first, then learns; lanes that only the mirror had are as they are stored")
    void aStartOnADegradedHome() {
        manyLanes();
        learnt();
        become(State.UNAVAILABLE);
        commit(say(8, 1, "meanwhile"));
        commit(say(9, 1, "once more"));
        commit(create(9, 2), new Change.PutLane(lane(9, 2, 2)), say(9, 2, "anew"));
        storage.close();
        lanesMirrored = Optional.of(List.of(lane(7, 7, 7), lane(8, 1, 1), lane(4_000, 1, 1)));
        become(State.AVAILABLE);
        restart();

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        Storage there = data.open(Mode.READ_ONLY);
        assertThat(said(there, session(8, 1))).containsExactly("hello 8", "meanwhile");
        learnt();
        become(State.UNAVAILABLE);
        assertThat(storage.lanes().find(key(7))).contains(lane(7, 1, 1));
        assertThat(storage.lanes().find(key(9))).contains(lane(9, 2, 2));
        assertThat(storage.lanes().find(key(4_000))).isEmpty();
        assertThat(storage.lanes().count()).isEqualTo(LANES);
    }

    @Test
    @DisplayName("Healing that fails while it reads the lanes leaves known what the mirror remembers")
    void healingThatFailsForgetsNothing() {
        begin(1);
        begin(2);
        storage.close();
        become(State.UNAVAILABLE);
        lanesMirrored = Optional.of(List.of(lane(1, 1, 1), lane(2, 1, 1), lane(3, 1, 1)));
        restart();
        beforeLane = throwingFrom(1);
        become(State.AVAILABLE);
        letTimersRun();

        assertThat(storage.maintenance().health().degraded()).isPresent();
        assertThat(storage.lanes().find(key(2))).contains(lane(2, 1, 1));
        assertThat(storage.lanes().find(key(3))).contains(lane(3, 1, 1));
        beforeLane = nothing -> {};
        letTimersRun();
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        become(State.UNAVAILABLE);
        assertThat(storage.lanes().find(key(2))).contains(lane(2, 1, 1));
        assertThat(storage.lanes().find(key(3))).isEmpty();
    }

    @Test
    @DisplayName("A primary that fails again right after it was healed: every lane is still known")
    void lanesAreKnownWhileTheyAreLearntAgain() {
        manyLanes();
        learnt();
        become(State.UNAVAILABLE);
        commit(say(9, 1, "once more"));
        commit(create(9, 2), new Change.PutLane(lane(9, 2, 2)), say(9, 2, "anew"));
        become(State.AVAILABLE);
        beforeLane = throwingFrom(MIDDLE);
        letTimersRun();
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        become(State.UNAVAILABLE);

        assertThat(storage.lanes().count()).isEqualTo(LANES);
        assertThat(storage.lanes().find(key(9))).contains(lane(9, 2, 2));
        assertThat(storage.lanes().find(key(LANES))).contains(lane(LANES, 1, 1));
        commit(create(LANES + 1, 1), new Change.PutLane(lane(LANES + 1, 1, 1)), say(LANES + 1, 1, "first"));
        assertThat(said(storage, session(LANES + 1, 1))).containsExactly("first");
    }

    @Test
    @DisplayName("Others wrote into the primary while it was away: once the lanes are learnt again, theirs are known")
    void whatOthersWroteIsLearntAgain() {
        manyLanes();
        learnt();
        become(State.UNAVAILABLE);
        commit(say(1, 1, "meanwhile"));
        try (Storage direct = data.open(Mode.READ_WRITE)) {
            direct.ledger()
                    .commit(batch(
                            "others",
                            List.of(),
                            new Change.CreateSession(Session.builder(session(6_000, 1), "telegram", START)
                                    .peer(new SessionPeer(key(6_000), Optional.of(source(6_000))))
                                    .build()),
                            new Change.PutLane(lane(6_000, 1, 1)),
                            new Change.RemoveLane(key(10))));
        }
        become(State.AVAILABLE);
        letTimersRun();
        become(State.UNAVAILABLE);

        assertThat(storage.lanes().find(key(6_000))).contains(lane(6_000, 1, 1));
        assertThat(storage.lanes().find(key(10))).isEmpty();
        assertThat(storage.lanes().count()).isEqualTo(LANES);
    }

    @Test
    @DisplayName("Two threads read lanes, and commit, while they are learnt and the primary fails")
    void twoThreadsWhileLanesAreLearnt() throws Exception {
        manyLanes();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<?>> work = new ArrayList<>();
            for (int thread = 0; thread < 2; thread++) {
                int first = 1 + thread;
                work.add(threads.submit(() -> {
                    for (int n = first; n <= LANES; n += 2) {
                        assertThat(storage.lanes().find(key(n))).isPresent();
                        if (n % 20 < 2) {
                            assertThat(storage.ledger()
                                            .commit(batchOf(n, touch(n, START.plusSeconds(n), 5)))
                                            .isCommitted())
                                    .isTrue();
                        }
                    }
                }));
            }
            learnt();
            for (Future<?> each : work) {
                each.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        timers.advance(Duration.ofSeconds(1));
        List<Lane> stored = new ArrayList<>();
        data.open(Mode.READ_ONLY).lanes().forEach(stored::add);
        become(State.UNAVAILABLE);
        List<Lane> known = new ArrayList<>();
        storage.lanes().forEach(known::add);

        assertThat(known).containsExactlyElementsOf(stored);
    }

    private static Batch batchOf(int n, Change change) {
        return new Batch(new BatchId("lane" + n, 1), List.of(), List.of(change));
    }
}
