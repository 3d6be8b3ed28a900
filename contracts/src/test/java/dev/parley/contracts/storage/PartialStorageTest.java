package dev.parley.contracts.storage;

import dev.parley.application.port.Journal;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** A store without search and titles that nobody may look into beside its writer passes every level but that of search. */
class PartialStorageTest implements StorageContract {
    @Override
    public StorageHarness harness(Path directory) {
        return new PartialHarness(directory);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(Capability.SHARED, Capability.JOURNAL);
    }

    private static final class PartialHarness implements StorageHarness {
        private final StorageHarness whole;
        private int writers;

        PartialHarness(Path directory) {
            this.whole = new MemoryHarness(directory.toString());
        }

        @Override
        public Storage open(Mode mode) {
            if (mode == Mode.READ_ONLY && writers > 0) {
                throw new StorageUnavailable("The store is open for writing; close it before.", null);
            }
            if (mode == Mode.READ_ONLY) {
                return PartialStore.of(whole.open(mode));
            }
            writers++;
            AtomicBoolean open = new AtomicBoolean(true);
            return PartialStore.of(whole.open(mode), () -> {
                if (open.getAndSet(false)) {
                    writers--;
                }
            });
        }

        @Override
        public void crash() {
            // The stores that are open go on.
        }

        @Override
        public Optional<Journal> openJournal() {
            return whole.openJournal();
        }

        @Override
        public List<String> damage() {
            return whole.damage();
        }

        @Override
        public Optional<Elsewhere> elsewhere() {
            return whole.elsewhere();
        }

        @Override
        public List<Fault> faults() {
            return whole.faults();
        }

        @Override
        public void close() {
            whole.close();
        }
    }
}
