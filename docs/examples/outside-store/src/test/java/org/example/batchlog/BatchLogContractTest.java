package org.example.batchlog;

import dev.parley.contracts.storage.Capability;
import dev.parley.contracts.storage.ProviderHarness;
import dev.parley.contracts.storage.StorageContract;
import dev.parley.contracts.storage.StorageHarness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The batch log keeps the contract of a storage backend. */
class BatchLogContractTest implements StorageContract {
    // docs: harness
    @Override
    public StorageHarness harness(Path directory) {
        return new BatchLogHarness(directory);
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.SHARED, Capability.JOURNAL));
    }
    // docs: end

    // docs: damage
    private static final class BatchLogHarness extends ProviderHarness {
        BatchLogHarness(Path directory) {
            super(new BatchLogProvider(), "conversations.log", directory);
        }

        @Override
        public List<String> damage() {
            Path log = home().resolve("conversations.log");
            return Files.exists(log) ? LogFile.damage(log) : List.of();
        }

        @Override
        public List<Fault> faults() {
            return List.of(new MovedAway());
        }
        // docs: end

        /** Somebody moves the log out of the way. */
        private final class MovedAway implements Fault {
            @Override
            public String name() {
                return "log moved away";
            }

            @Override
            public void begin() {
                move("conversations.log", "elsewhere.log");
            }

            @Override
            public void end() {
                move("elsewhere.log", "conversations.log");
            }

            private void move(String from, String to) {
                try {
                    Files.move(home().resolve(from), home().resolve(to));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
