package dev.parley.persistence.sqlite;

import dev.parley.application.spi.StorageSettings;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.SchemaOpener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/** Opens a file in a process of its own, as soon as another file stands, and adds a session. */
public final class OpenInProcess {
    private OpenInProcess() {}

    /** Opens the file named first once the one named second exists. */
    public static void main(String[] args) throws Exception {
        BusyRetry retry = new BusyRetry(new Openings.CountedIds(), BusyRetry.Pause.parked());
        SchemaOpener opener = new SchemaOpener(Instant::now, retry, line -> {});
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.exists(Path.of(args[1]))) {
            if (System.nanoTime() > until) {
                throw new IllegalStateException(args[1] + " did not come within 60 seconds");
            }
            Thread.onSpinWait();
        }
        try (OpenDatabase database = opener.open(new DatabaseFile(Path.of(args[0])), StorageSettings.Mode.READ_WRITE)) {
            var writer = database.writer().orElseThrow();
            retry.transaction(writer, () -> {
                try (PreparedStatement insert = writer.prepareStatement(
                        "INSERT INTO sessions (id, source, started_at) VALUES (?, 'process', 1)")) {
                    insert.setString(1, "process-" + ProcessHandle.current().pid());
                    return insert.executeUpdate();
                }
            });
        }
    }
}
