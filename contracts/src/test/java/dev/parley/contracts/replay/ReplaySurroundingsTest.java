package dev.parley.contracts.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.Ids;
import dev.parley.application.port.ProcessActivity;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.ScriptedActivity;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.contracts.port.IdsContract;
import dev.parley.contracts.port.ProcessActivityContract;
import dev.parley.contracts.port.TimersContract;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What replay stands on keeps the contracts of what it stands in for. */
class ReplaySurroundingsTest implements TimersContract, IdsContract, ProcessActivityContract {
    private static final Instant START = Instant.parse("2026-03-10T08:00:00Z");

    @Override
    public TimersUnderTest timers() {
        VirtualTimers timers = new VirtualTimers(new VirtualClock(START), new SerialExecutor());
        return new TimersUnderTest() {
            @Override
            public Timers timers() {
                return timers;
            }

            @Override
            public void letPass(Duration time) {
                timers.advance(time);
            }
        };
    }

    @Override
    public Ids ids() {
        return new SeededIds(7);
    }

    @Override
    public ProcessActivity running(SessionKey lane, List<Instant> startedAt) {
        ScriptedActivity activity = new ScriptedActivity();
        activity.set(lane, startedAt);
        return activity;
    }

    @Test
    void theSameSeedGivesTheSameIds() {
        Ids one = new SeededIds(42);
        Ids two = new SeededIds(42);

        for (int i = 0; i < 10; i++) {
            assertThat(one.sessionSuffix()).isEqualTo(two.sessionSuffix());
            assertThat(one.unique("x")).isEqualTo(two.unique("x"));
            assertThat(one.jitter(Duration.ZERO, Duration.ofSeconds(1)))
                    .isEqualTo(two.jitter(Duration.ZERO, Duration.ofSeconds(1)));
        }
        assertThat(new SeededIds(43).sessionSuffix()).isNotEqualTo(new SeededIds(42).sessionSuffix());
    }

    @Test
    void everythingDueOnTheWayHappensAtItsOwnTime() {
        VirtualClock clock = new VirtualClock(START);
        SerialExecutor executor = new SerialExecutor();
        VirtualTimers timers = new VirtualTimers(clock, executor);
        List<String> ran = new ArrayList<>();
        timers.after(Duration.ofSeconds(5), () -> ran.add("a " + clock.instant()));
        timers.after(Duration.ofSeconds(5), () -> ran.add("b " + clock.instant()));
        timers.after(Duration.ofSeconds(2), () -> executor.execute(() -> ran.add("c " + clock.instant())));
        executor.execute(() -> ran.add("now " + clock.instant()));

        assertThat(timers.next()).hasValue(START.plusSeconds(2));
        timers.advanceTo(START.plusSeconds(5));

        assertThat(ran)
                .containsExactly(
                        "now 2026-03-10T08:00:00Z",
                        "c 2026-03-10T08:00:02Z",
                        "a 2026-03-10T08:00:05Z",
                        "b 2026-03-10T08:00:05Z");
        assertThat(timers.next()).isEmpty();
        assertThat(executor.isIdle()).isTrue();
    }

    @Test
    void timeNeverGoesBackByAdvancing() {
        VirtualClock clock = new VirtualClock(START);
        VirtualTimers timers = new VirtualTimers(clock, new SerialExecutor());

        timers.advanceTo(START.minusSeconds(5));

        assertThat(clock.instant()).isEqualTo(START);
        clock.move(Duration.ofSeconds(-5));
        assertThat(clock.instant()).isEqualTo(START.minusSeconds(5));
    }

    @Test
    void whatWasWaitingDiesWithItsProcess() {
        VirtualClock clock = new VirtualClock(START);
        SerialExecutor executor = new SerialExecutor();
        VirtualTimers timers = new VirtualTimers(clock, executor);
        List<String> ran = new ArrayList<>();
        timers.after(Duration.ofSeconds(1), () -> ran.add("timer"));
        executor.execute(() -> ran.add("task"));

        timers.discard();
        executor.discard();
        timers.advance(Duration.ofMinutes(1));

        assertThat(ran).isEmpty();
    }

    @Test
    void aStoreFailsAndComesBackAsItIsTold() {
        SwitchableStorage storage = new SwitchableStorage(new MemoryStorage());
        storage.ledger().commit(batch(1));

        storage.become(SwitchableStorage.State.UNAVAILABLE);
        assertThatThrownBy(() -> storage.ledger().commit(batch(2))).isInstanceOf(StorageUnavailable.class);
        assertThatThrownBy(() -> storage.meta().get("k")).isInstanceOf(StorageUnavailable.class);
        storage.become(SwitchableStorage.State.CORRUPT);
        assertThatThrownBy(() -> storage.sessions().count(Optional.empty())).isInstanceOf(StorageCorrupt.class);
        storage.become(SwitchableStorage.State.FULL);
        assertThatThrownBy(() -> storage.ledger().commit(batch(2))).isInstanceOf(StorageUnavailable.class);
        assertThat(storage.meta().get("k")).hasValue("1");
        storage.become(SwitchableStorage.State.SILENT);
        assertThatThrownBy(() -> storage.ledger().commit(batch(2))).isInstanceOf(StorageUnavailable.class);
        assertThat(storage.meta().get("k")).hasValue("2");
        storage.become(SwitchableStorage.State.AVAILABLE);
        assertThat(storage.ledger().commit(batch(2)).isCommitted()).isTrue();
        storage.close();
    }

    private static Batch batch(long number) {
        return new Batch(new BatchId("w", number), List.of(), List.of(new Change.PutMeta("k", Long.toString(number))));
    }
}
