package dev.parley.persistence.postgres;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.ClusterContract;
import dev.parley.contracts.storage.ClusterHarness;
import dev.parley.contracts.storage.WakesContract;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.turn.LifeId;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** Gateways share a database as the reference says. */
class PostgresClusterTest implements ClusterContract, WakesContract {
    @TempDir
    Path directory;

    @Override
    public ClusterHarness cluster() {
        return new Shared(PostgresHarness.empty(directory));
    }

    private record Shared(PostgresHarness harness, Storage storage) implements ClusterHarness {
        Shared(PostgresHarness harness) {
            this(harness, harness.open(StorageSettings.Mode.READ_WRITE));
        }

        @Override
        public void expire(LifeId life) {
            TestServer.shared()
                    .run("update " + harness.name()
                            + ".parley_nodes set lease_until = clock_timestamp() - interval '1 ms'" + " where life = '"
                            + life.value() + "'");
        }

        @Override
        public Optional<Runnable> stuckIn(SessionKey lane) {
            try {
                Connection connection = TestServer.shared().connect();
                connection.setAutoCommit(false);
                connection
                        .createStatement()
                        .execute("select 1 from " + harness.name() + ".parley_holds where lane = '" + lane.value()
                                + "' for no key update");
                return Optional.of(() -> {
                    try (connection) {
                        connection.rollback();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            harness.close();
        }
    }
}
