package dev.parley.persistence.sqlite;

import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.Capability;
import dev.parley.contracts.storage.FailingMedium;
import dev.parley.contracts.storage.ProviderHarness;
import dev.parley.contracts.storage.StorageContract;
import dev.parley.contracts.storage.StorageHarness;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The store in SQLite does what every store must. */
class SqliteStorageTest implements StorageContract {
    @Override
    public StorageHarness harness(Path directory) {
        return new Harness(directory);
    }

    /**
     * Handles a database file; a lock can be held on it, and is not waited for as long as a gateway would, but longer than the store's own
     * thread takes that looks after the index.
     */
    private static final class Harness extends ProviderHarness {
        private static final String FILE = "state.db";

        Harness(Path directory) {
            super(new SqliteStorageProvider(), FILE, directory);
        }

        @Override
        protected StorageSettings settings(StorageSettings.Mode mode) {
            StorageSettings usual = super.settings(mode);
            return new StorageSettings(
                    usual.address(),
                    usual.home(),
                    usual.mode(),
                    usual.clock(),
                    usual.zone(),
                    usual.ids(),
                    usual.threads(),
                    usual.warnings(),
                    Map.of("busy_patience_ms", "1000"));
        }

        @Override
        public List<Fault> faults() {
            List<Fault> faults = new ArrayList<>(super.faults());
            Deque<Connection> holders = new ArrayDeque<>();
            faults.add(FailingMedium.fault("lock held", () -> holders.push(locked()), () -> close(holders.pop())));
            return faults;
        }

        private Connection locked() {
            try {
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + home().resolve(FILE));
                connection.createStatement().execute("begin immediate");
                return connection;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private static void close(Connection connection) {
            try {
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.complementOf(EnumSet.of(Capability.JOURNAL));
    }
}
