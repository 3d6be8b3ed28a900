package dev.parley.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Newcomer;
import dev.parley.application.port.Tenure;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gateways share a database as the reference says. */
class PostgresClusterTest implements ClusterContract, WakesContract {
    @TempDir
    Path directory;

    @Override
    public ClusterHarness cluster() {
        return new Shared(PostgresHarness.empty(directory));
    }

    @Test
    void nodesThatAreGoneAreFoundWhileEveryWriterWaits() throws Exception {
        SessionKey lane = SessionKey.of("agent:main:telegram:dm:1");
        LifeId life = new LifeId("a#1");
        LifeId gone = new LifeId("b#1");
        try (Shared shared = new Shared(PostgresHarness.empty(directory))) {
            Cluster cluster = shared.storage().cluster().orElseThrow();
            Newcomer self = new Newcomer("a", "", "", Newcomer.Kind.NODE, new TreeMap<>());
            cluster.join(life, self, Duration.ofMinutes(1));
            cluster.join(gone, self, Duration.ofMinutes(1));
            cluster.take(gone, lane);
            shared.expire(gone);
            Runnable end = shared.stuckIn(lane).orElseThrow();
            List<CompletableFuture<Tenure>> takes = new ArrayList<>();
            for (int writer = 0; writer < PostgresHarness.WRITERS; writer++) {
                CompletableFuture<Tenure> take = new CompletableFuture<>();
                new Thread(() -> {
                            try {
                                take.complete(cluster.take(life, lane));
                            } catch (RuntimeException e) {
                                take.completeExceptionally(e);
                            }
                        })
                        .start();
                takes.add(take);
            }
            TestServer.shared().awaitBlocked(shared.harness().name(), PostgresHarness.WRITERS);

            List<LifeId> dead = cluster.reap();

            assertThat(takes).noneMatch(CompletableFuture::isDone);
            assertThat(dead).containsExactly(gone);
            end.run();
            for (CompletableFuture<Tenure> take : takes) {
                assertThat(take.get(1, TimeUnit.MINUTES)).isNotNull();
            }
        }
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
