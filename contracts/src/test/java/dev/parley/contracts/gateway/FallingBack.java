package dev.parley.contracts.gateway;

import dev.parley.application.degrade.DegradingStorage;
import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.port.Journal;
import dev.parley.application.port.KnowledgeLog;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.contracts.storage.MemoryHarness;
import dev.parley.testing.memory.MemoryKnowledgeLog;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A bench whose gateway goes on with a fallback while its store fails; what is stored outlives each of its processes. */
final class FallingBack {
    private static final Duration PROBE = Duration.ofSeconds(5);

    private final MemoryHarness data = new MemoryHarness("primary");
    private final MemoryHarness spill = new MemoryHarness("spill");
    private final MemoryKnowledgeLog knowledgeLog = new MemoryKnowledgeLog();
    private final List<SwitchableStorage> opened = new ArrayList<>();
    private Optional<DegradingStorage> composed = Optional.empty();
    private SwitchableStorage.State state = SwitchableStorage.State.AVAILABLE;
    final Bench bench;

    FallingBack(long seed) {
        bench = new Bench(seed, data.open(Mode.READ_WRITE));
        bench.opened = this::open;
    }

    /** Makes the store behave so, however often it was opened. */
    void become(SwitchableStorage.State next) {
        state = next;
        opened.forEach(each -> each.become(next));
    }

    /** Returns whether the gateway goes on with its fallback, or did when it died. */
    boolean isDegraded() {
        return composed.flatMap(storage -> storage.maintenance().health().degraded())
                .isPresent();
    }

    private Storage open(Timers timers) {
        DegradingStorage next = DegradingStorage.open(
                new Opening(), new Spilling(), timers, Runnable::run, bench.ids, bench.clock, bench.events, PROBE);
        composed = Optional.of(next);
        return next;
    }

    private final class Opening implements Primary {
        @Override
        public Storage open() {
            SwitchableStorage next = new SwitchableStorage(data.open(Mode.READ_WRITE));
            next.become(state);
            opened.add(next);
            return next;
        }

        @Override
        public Storage reopen(Consumer<Storage> look) {
            Storage again = open();
            try {
                look.accept(again);
            } catch (RuntimeException e) {
                again.close();
                throw e;
            }
            return again;
        }
    }

    private final class Spilling implements Fallback {
        @Override
        public Journal openJournal() {
            return spill.openJournal().orElseThrow();
        }

        @Override
        public Storage openOverlay() {
            return new MemoryStorage();
        }

        @Override
        public Optional<KnowledgeLog> openKnowledgeLog() {
            return Optional.of(knowledgeLog);
        }
    }
}
