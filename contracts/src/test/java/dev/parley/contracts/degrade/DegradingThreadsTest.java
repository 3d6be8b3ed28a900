package dev.parley.contracts.degrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.spi.Health;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A degrading store that many threads use while it fails, is tried and heals. */
class DegradingThreadsTest extends DegradeBench {
    private static final int LANES = 6;
    private static final int ROUNDS = 40;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile CountDownLatch hold = new CountDownLatch(0);
    private volatile CountDownLatch held = new CountDownLatch(1);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Override
    Storage beforePrimary(Storage behind) {
        CountDownLatch until = hold;
        if (until != null && until.getCount() > 0) {
            held.countDown();
            await(until);
        }
        return behind;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName("A start that heals for long is not healed by a timer beside it, and stays whole")
    void aStartThatHealsForLongStaysWhole() throws Exception {
        begin(1);
        become(State.UNAVAILABLE);
        commit(say(1, 1, "one"));
        storage.close();
        become(State.AVAILABLE);
        hold = new CountDownLatch(1);
        held = new CountDownLatch(1);

        Future<?> start = threads.submit(this::restart);
        await(held);
        timers.advance(PROBE.multipliedBy(3));
        hold.countDown();
        start.get(30, TimeUnit.SECONDS);
        timers.advance(PROBE.multipliedBy(3));

        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        assertThat(storage.lanes().find(key(1))).isPresent();
        assertThat(storage.sessions().find(session(1, 1))).isPresent();
        assertThat(said(storage, session(1, 1))).containsExactly("hello 1", "one");
        assertThat(events.of(GatewayEvent.Healed.class)).hasSize(1);
        assertThat(events.of(GatewayEvent.Trouble.class)).isEmpty();
    }

    @Test
    void aCallerThatCommitsInTheMidstOfACheckWaitsForNobodyWhileThePrimaryFails() throws Exception {
        begin(1);
        Future<List<String>> check = threads.submit(() -> storage.maintenance().check((done, total) -> {
            become(State.UNAVAILABLE);
            commit(say(1, 1, "in the midst of it"));
        }));

        assertThat(check.get(30, TimeUnit.SECONDS)).isEmpty();
        assertThat(storage.maintenance().health()).isInstanceOf(Health.Degraded.class);
        assertThat(said(storage, session(1, 1))).containsExactly("hello 1", "in the midst of it");
    }

    @Test
    void lanesWaitForNoCheckWhileThePrimaryFails() throws Exception {
        begin(1);
        begin(2);
        CountDownLatch checking = new CountDownLatch(1);
        CountDownLatch checked = new CountDownLatch(1);
        Future<List<String>> check = threads.submit(() -> storage.maintenance().check((done, total) -> {
            checking.countDown();
            await(checked);
        }));
        await(checking);
        become(State.UNAVAILABLE);
        threads.submit(() -> commit(say(1, 1, "one"))).get(30, TimeUnit.SECONDS);
        threads.submit(() -> commit(say(2, 1, "two"))).get(30, TimeUnit.SECONDS);
        checked.countDown();

        assertThat(check.get(30, TimeUnit.SECONDS)).isEmpty();
        assertThat(said(storage, session(2, 1))).containsExactly("hello 2", "two");
    }

    private static Batch batch(int lane, int number) {
        Message message = Message.builder(
                        new MessageId("m" + lane + "-" + number), Role.USER, Content.text("text " + number), START)
                .build();
        return new Batch(
                new BatchId("lane" + lane, number),
                List.of(new Precondition.LaneEpoch(key(lane), 1)),
                List.of(new Change.AppendMessages(session(lane, 1), List.of(message))));
    }

    /** Each lane says something, and finds at once what it has said. */
    private Callable<Integer> talk(int lane, CyclicBarrier round) {
        return () -> {
            int lost = 0;
            for (int number = 1; number <= ROUNDS; number++) {
                round.await(30, TimeUnit.SECONDS);
                assertThat(storage.ledger().commit(batch(lane, number))).isEqualTo(new CommitResult.Committed());
                String last = "text " + number;
                List<String> tail = storage.transcripts().tail(session(lane, 1), 1).stream()
                        .map(m -> m.message().content().plainText())
                        .toList();
                lost += tail.equals(List.of(last))
                                && storage.lanes().find(key(lane)).isPresent()
                        ? 0
                        : 1;
            }
            return lost;
        };
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"UNAVAILABLE", "FULL", "SILENT", "CORRUPT"})
    @DisplayName(
            "While many commit and read, storage fails and heals: everything is there once, in order, for each at once")
    void everythingIsThereOnceAndInOrder(State how) throws Exception {
        for (int lane = 1; lane <= LANES; lane++) {
            begin(lane);
            storage.sessions().find(session(lane, 1));
            storage.transcripts().load(session(lane, 1));
        }
        CyclicBarrier round = new CyclicBarrier(LANES + 1);
        List<Future<Integer>> talks = new ArrayList<>();
        for (int lane = 1; lane <= LANES; lane++) {
            talks.add(threads.submit(talk(lane, round)));
        }
        for (int number = 1; number <= ROUNDS; number++) {
            round.await(30, TimeUnit.SECONDS);
            become(number % 3 == 0 ? how : State.AVAILABLE);
            timers.advance(PROBE.multipliedBy(2));
        }
        int lost = 0;
        for (Future<Integer> each : talks) {
            lost += each.get(60, TimeUnit.SECONDS);
        }
        become(State.AVAILABLE);
        timers.advance(PROBE.multipliedBy(100));

        assertThat(lost).isZero();
        assertThat(storage.maintenance().health()).isEqualTo(new Health.Whole());
        for (int lane = 1; lane <= LANES; lane++) {
            List<String> expected = new ArrayList<>(List.of("hello " + lane));
            for (int number = 1; number <= ROUNDS; number++) {
                expected.add("text " + number);
            }
            assertThat(said(data.open(Mode.READ_ONLY), session(lane, 1))).isEqualTo(expected);
        }
    }
}
