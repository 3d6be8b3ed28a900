import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A PostgreSQL server for trying Parley out: its data is in a directory, it listens on this machine alone and asks nobody for a password. */
final class Database {
    private Database() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of(arguments[0])).toRealPath();
        int port = Integer.parseInt(arguments[1]);
        PrintStream errors = System.err;
        // The log that the library asks for is not there, which would be said.
        System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        try {
            start(directory, port);
        } finally {
            System.setErr(errors);
        }
        System.out.println("postgres://127.0.0.1:" + port + "/postgres?user=postgres");
        // It ends with this process, which is asked to.
        Thread.currentThread().join();
    }

    private static void start(Path directory, int port) throws IOException {
        EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(directory.resolve("server").toFile())
                .setDataDirectory(directory.resolve("data"))
                .setCleanDataDirectory(false)
                .setPort(port)
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();
    }
}
