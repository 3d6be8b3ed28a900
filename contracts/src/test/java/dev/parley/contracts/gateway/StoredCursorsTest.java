package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.actor.Timing;
import dev.parley.application.gateway.StoredCursors;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.domain.source.CursorName;
import dev.parley.domain.source.Platform;
import dev.parley.testing.RecordingEvents;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How far a platform was read is there for the next process, and storage that is away for a while loses nothing of it. */
class StoredCursorsTest {
    private static final CursorName UPDATES = new CursorName(Platform.TELEGRAM, "4711", "updates");
    private static final CursorName OTHERS = new CursorName(Platform.TELEGRAM, "4712", "updates");

    private final MemoryStorage memory = new MemoryStorage();
    private final SwitchableStorage storage = new SwitchableStorage(memory);
    private final VirtualClock clock = new VirtualClock(Bench.BEGIN);
    private final SerialExecutor executor = new SerialExecutor();
    private final VirtualTimers timers = new VirtualTimers(clock, executor);
    private final SeededIds ids = new SeededIds(3);
    private final RecordingEvents events = new RecordingEvents();

    private Cursors open() {
        return new StoredCursors(storage, new Timing(clock, timers, ids), executor, events);
    }

    @Test
    void aCursorIsThereForTheNextProcess() {
        open().put(UPDATES, "17");
        timers.runUntilIdle();

        assertThat(open().get(UPDATES)).contains("17");
    }

    @Test
    void anotherAccountHasItsOwn() {
        Cursors cursors = open();
        cursors.put(UPDATES, "17");
        timers.runUntilIdle();

        assertThat(cursors.get(OTHERS)).isEmpty();
    }

    @Test
    void whatIsNotedIsSeenBeforeItIsStored() {
        Cursors cursors = open();
        cursors.put(UPDATES, "17");

        assertThat(cursors.get(UPDATES)).contains("17");
        assertThat(memory.meta().cursor(UPDATES)).isEmpty();
    }

    @Test
    void theLatestValueWins() {
        Cursors cursors = open();
        for (int at = 1; at <= 100; at++) {
            cursors.put(UPDATES, String.valueOf(at));
        }
        timers.runUntilIdle();

        assertThat(memory.meta().cursor(UPDATES)).contains("100");
    }

    @Test
    void whatIsNotedWhileTheStorageIsAwayIsStoredOnceItIsBack() {
        Cursors cursors = open();
        storage.become(State.UNAVAILABLE);
        cursors.put(UPDATES, "17");
        timers.runUntilIdle();
        cursors.put(UPDATES, "18");
        cursors.put(OTHERS, "2");
        timers.runUntilIdle();
        assertThat(cursors.get(UPDATES)).contains("18");

        storage.become(State.AVAILABLE);
        timers.advance(Duration.ofMinutes(1));
        assertThat(memory.meta().cursor(UPDATES)).contains("18");
        assertThat(memory.meta().cursor(OTHERS)).contains("2");
    }

    @Test
    void aCursorThatCannotBeReadIsNotTakenForOneThatNeverWas() {
        storage.become(State.UNAVAILABLE);

        assertThatThrownBy(() -> open().get(UPDATES)).isInstanceOf(StorageUnavailable.class);
    }
}
