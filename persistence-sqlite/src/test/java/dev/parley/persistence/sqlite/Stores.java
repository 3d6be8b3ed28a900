package dev.parley.persistence.sqlite;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Opens stores on files for tests, and writes to them. */
public final class Stores {
    private static final AtomicLong WRITERS = new AtomicLong();

    private Stores() {}

    /** Opens a file for reading and writing. */
    public static Storage write(Path file) {
        return open(file, StorageSettings.Mode.READ_WRITE, Map.of());
    }

    /** Opens a file for reading. */
    public static Storage read(Path file) {
        return open(file, StorageSettings.Mode.READ_ONLY, Map.of());
    }

    /** Opens a file. */
    public static Storage open(Path file, StorageSettings.Mode mode, Map<String, String> options) {
        return open(file, mode, options, Thread::new, warning -> {});
    }

    /** Opens a file with threads of one's own. */
    public static Storage open(
            Path file,
            StorageSettings.Mode mode,
            Map<String, String> options,
            ThreadFactory threads,
            Consumer<String> warnings) {
        return new SqliteStorageProvider()
                .open(new StorageSettings(
                        file.toString(),
                        file.toAbsolutePath().resolveSibling("home"),
                        mode,
                        () -> Openings.NOW,
                        ZoneOffset.UTC,
                        new Openings.CountedIds(),
                        threads,
                        warnings,
                        options));
    }

    /** Commits changes as a writer that writes once. */
    public static CommitResult commit(Storage storage, Change... changes) {
        return storage.ledger()
                .commit(new Batch(new BatchId("test-" + WRITERS.incrementAndGet(), 1), List.of(), List.of(changes)));
    }
}
