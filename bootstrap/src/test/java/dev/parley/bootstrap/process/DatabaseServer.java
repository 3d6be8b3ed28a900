package dev.parley.bootstrap.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/** A PostgreSQL server of a test's own, with everything switched on that keeps data safe. */
public final class DatabaseServer implements AutoCloseable {
    private Path data;
    private int port;
    private Optional<EmbeddedPostgres> running;
    private Optional<EmbeddedPostgres> replica = Optional.empty();
    private int replicas;

    /** Makes a server in an empty directory and starts it. */
    public DatabaseServer(Path data) {
        this.data = data;
        EmbeddedPostgres first = start(0);
        this.port = first.getPort();
        this.running = Optional.of(first);
    }

    /** Returns the address of a store in this schema, for the role that may do everything. */
    public String address(String schema) {
        return "postgres://127.0.0.1:" + port + "/postgres?user=postgres&schema=" + schema;
    }

    /** Returns the port it listens on. */
    public int port() {
        return port;
    }

    /** Has the server break off at once, as after a failure of the machine: it reads its log at the next start. */
    public void breakOff() {
        postmaster().ifPresent(process -> {
            Signals.send("QUIT", process.pid());
            process.onExit().join();
        });
        stop();
    }

    /** Stops the server as an operator does who restarts it: connections are cut, transactions that are open are rolled back. */
    void stop() {
        running.ifPresent(this::stop);
        running = Optional.empty();
    }

    /** Starts it again on the same data, at the same address. */
    public void startAgain() {
        running = Optional.of(start(port));
    }

    /** Makes a replica that has everything the server acknowledges from now on. */
    public void replicate() throws SQLException, IOException {
        Path copy = Files.createDirectory(data.resolveSibling("replica-" + ++replicas));
        try (Connection primary = connect(port);
                Statement statement = primary.createStatement()) {
            statement.execute("select pg_backup_start('replica', true)");
            copyTo(copy);
            try (ResultSet stopped = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
                stopped.next();
                Files.writeString(copy.resolve("backup_label"), stopped.getString(1));
            }
            Files.createFile(copy.resolve("standby.signal"));
            Files.writeString(
                    copy.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=" + port + " user=postgres application_name=replica'\n");
            replica = Optional.of(start(copy, 0));
            statement.execute("alter system set synchronous_standby_names = 'replica'");
            statement.execute("select pg_reload_conf()");
            do {
                statement.execute("select pg_sleep(0.05)");
            } while (!isSynchronous(statement));
        }
    }

    private static boolean isSynchronous(Statement statement) throws SQLException {
        try (ResultSet found = statement.executeQuery("select 1 from pg_stat_replication where sync_state = 'sync'")) {
            return found.next();
        }
    }

    /** Has the server break off at once, and the replica take its place, at another port. */
    public void failOver() throws SQLException {
        EmbeddedPostgres next = replica.orElseThrow();
        breakOff();
        try (Connection connection = connect(next.getPort());
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_promote(true, " + ParleyProcess.PATIENCE_SECONDS + ")");
        }
        data = data.resolveSibling("replica-" + replicas);
        port = next.getPort();
        running = replica;
        replica = Optional.empty();
    }

    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres");
    }

    /** Copies the files of the running server, but for its log, which the replica asks for. */
    private void copyTo(Path copy) throws IOException {
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
        Files.walkFileTree(data, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                if (!from.equals(data)) {
                    Files.createDirectory(
                            copy.resolve(data.relativize(from)),
                            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                boolean ofTheProcess = from.getFileName().toString().startsWith("postmaster.");
                if (!ofTheProcess && !from.startsWith(data.resolve("pg_wal"))) {
                    try {
                        Files.copy(from, copy.resolve(data.relativize(from)));
                    } catch (NoSuchFileException e) {
                        // The server has just deleted it; its log says so.
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private EmbeddedPostgres start(int at) {
        return start(data, at);
    }

    private static EmbeddedPostgres start(Path directory, int at) {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setDataDirectory(directory)
                    .setCleanDataDirectory(false)
                    .setPGStartupWait(Duration.ofSeconds(ParleyProcess.PATIENCE_SECONDS))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("wal_keep_size", "256MB");
            return at == 0 ? builder.start() : builder.setPort(at).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when its process is gone, however long a busy machine takes for that. */
    private void stop(EmbeddedPostgres server) {
        Optional<ProcessHandle> postmaster = postmaster();
        end(server);
        postmaster.ifPresent(process -> process.onExit().join());
    }

    private static void end(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its process; absent where it has ended. */
    private Optional<ProcessHandle> postmaster() {
        try {
            Path file = data.resolve("postmaster.pid");
            return Files.exists(file)
                    ? ProcessHandle.of(
                            Long.parseLong(Files.readAllLines(file).get(0).strip()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
        replica.ifPresent(DatabaseServer::end);
    }
}
