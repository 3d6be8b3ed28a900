package dev.parley.bootstrap.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A PostgreSQL server of a test's own, with everything switched on that keeps data safe. */
public final class DatabaseServer implements AutoCloseable {
    private final Path data;
    private final int port;
    private Optional<EmbeddedPostgres> running;

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

    private EmbeddedPostgres start(int at) {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setPGStartupWait(Duration.ofSeconds(ParleyProcess.PATIENCE_SECONDS))
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("full_page_writes", "on");
            return at == 0 ? builder.start() : builder.setPort(at).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when its process is gone, however long a busy machine takes for that. */
    private void stop(EmbeddedPostgres server) {
        try {
            Optional<ProcessHandle> postmaster = postmaster();
            server.close();
            postmaster.ifPresent(process -> process.onExit().join());
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
    }
}
