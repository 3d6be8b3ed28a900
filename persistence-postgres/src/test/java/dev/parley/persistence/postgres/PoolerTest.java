package dev.parley.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.ProviderHarness;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pooler in transaction mode stands between: each transaction may be another connection's, and none keeps settings. */
class PoolerTest {
    private static final int CALLERS = 8;
    private static final int EACH = 20;

    @TempDir
    Path folder;

    private static Optional<Path> pgbouncer() {
        return Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts a pooler with two connections for all; returns it once it takes callers. */
    private Process pooler(String role, int port) throws IOException {
        String[] server = TestServer.shared().hosts().split(":", 2);
        Path users = Files.writeString(folder.resolve("users"), "\"" + role + "\" \"\"\n");
        Path settings =
                Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                postgres = host=%s port=%s dbname=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = transaction
                default_pool_size = 2
                ignore_startup_parameters = extra_float_digits
                """.formatted(server[0], server[1], port, users));
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            // It refuses to run as the superuser.
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(pgbouncer().orElseThrow().toString(), settings.toString()));
        Process started = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader said = started.inputReader();
        StringBuilder all = new StringBuilder();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            all.append(line).append('\n');
            if (line.contains("process up")) {
                return started;
            }
        }
        throw new IllegalStateException("The pooler does not start: " + all);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Batch append(int writer, long number) {
        SessionId session = SessionId.of("s" + writer);
        List<Change> changes = new ArrayList<>();
        if (number == 1) {
            changes.add(new Change.CreateSession(
                    Session.builder(session, "cli", Instant.EPOCH).build()));
        }
        changes.add(new Change.AppendMessages(
                session,
                List.of(Message.builder(
                                new MessageId("m" + writer + "-" + number),
                                Role.USER,
                                Content.text("said " + number),
                                Instant.EPOCH.plusSeconds(number))
                        .build())));
        return new Batch(new BatchId("w" + writer, number), List.of(), changes);
    }

    @Test
    void manyCallersWriteAndReadThroughFewConnections() throws Exception {
        assumeThat(pgbouncer()).as("PgBouncer on this machine").isPresent();
        TestServer server = TestServer.shared();
        String name = server.newName();
        int port = freePort();
        String address = server.storeOfItsOwnRole("127.0.0.1:" + port, name);
        server.run("alter role " + name + " set search_path to " + name);
        Process pooler = pooler(name, port);
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        ProviderHarness harness = new ProviderHarness(new PostgresStorageProvider(), address, folder) {
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
                        Map.of("pooled", "true", "writers", "4", "readers", "4"));
            }
        };
        try (Storage storage = harness.open(StorageSettings.Mode.READ_WRITE)) {
            List<Future<?>> work = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                int writer = caller;
                work.add(callers.submit(() -> {
                    for (long number = 1; number <= EACH; number++) {
                        storage.ledger().commit(append(writer, number));
                        storage.transcripts().forEach(message -> {});
                    }
                }));
            }
            for (Future<?> each : work) {
                each.get();
            }

            for (int writer = 0; writer < CALLERS; writer++) {
                assertThat(storage.transcripts().load(SessionId.of("s" + writer)))
                        .extracting(message -> message.message().content().plainText())
                        .containsExactlyElementsOf(Stream.iterate(1, n -> n + 1)
                                .limit(EACH)
                                .map(n -> "said " + n)
                                .toList());
            }
            assertThat(storage.search().search(SearchQuery.of("said"))).isNotEmpty();
            assertThat(isolations(port, name))
                    .as("a scan leaves no setting behind for the next that gets its connection")
                    .containsExactly("read committed");
        } finally {
            callers.shutdownNow();
            pooler.destroy();
            pooler.waitFor();
            server.drop(name);
        }
    }

    private static Set<String> isolations(int port, String role) throws SQLException {
        Set<String> found = new TreeSet<>();
        for (int i = 0; i < 10; i++) {
            try (Connection connection = DriverManager.getConnection(
                            "jdbc:postgresql://127.0.0.1:" + port + "/postgres?prepareThreshold=0&user=" + role);
                    ResultSet result =
                            connection.createStatement().executeQuery("show default_transaction_isolation")) {
                result.next();
                found.add(result.getString(1));
            }
        }
        return found;
    }
}
