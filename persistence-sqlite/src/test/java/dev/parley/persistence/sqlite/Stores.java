package dev.parley.persistence.sqlite;

import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.RandomStores;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jooq.SQLDialect;
import org.jspecify.annotations.Nullable;

/** Opens stores on files for tests, and writes to them. */
public final class Stores {
    private static final AtomicLong WRITERS = new AtomicLong();

    private Stores() {}

    /** Opens a file for reading and writing. */
    public static Storage write(Path file) {
        return open(file, StorageSettings.Mode.READ_WRITE, Map.of());
    }

    /** Opens a file for reading and writing with threads of one's own. */
    public static Storage write(Path file, ThreadFactory threads) {
        return open(file, StorageSettings.Mode.READ_WRITE, Map.of(), threads, warning -> {});
    }

    /** Opens a file as a gateway opens that of its home, with {@code sessions.json} beside it. */
    public static Storage atHome(Path file) {
        return new SqliteStorageProvider()
                .open(settings(
                        file,
                        file.toAbsolutePath().getParent(),
                        StorageSettings.Mode.READ_WRITE,
                        Map.of(),
                        Thread::new,
                        warning -> {}));
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
        return new SqliteStorageProvider().open(settings(file, mode, options, threads, warnings));
    }

    private static StorageSettings settings(
            Path file,
            StorageSettings.Mode mode,
            Map<String, String> options,
            ThreadFactory threads,
            Consumer<String> warnings) {
        return settings(file, file.toAbsolutePath().resolveSibling("home"), mode, options, threads, warnings);
    }

    private static StorageSettings settings(
            Path file,
            @Nullable Path home,
            StorageSettings.Mode mode,
            Map<String, String> options,
            ThreadFactory threads,
            Consumer<String> warnings) {
        return new StorageSettings(
                file.toString(),
                Objects.requireNonNull(home),
                mode,
                () -> Openings.NOW,
                ZoneOffset.UTC,
                new Openings.CountedIds(),
                threads,
                warnings,
                options);
    }

    /** Does what the seed says in a new file, reads everything, and returns the statements that were rendered for it, by name. */
    public static Map<String, String> renderedBy(Path file, long seed) {
        Renderer renderer = new Renderer(SQLDialect.SQLITE);
        StorageSettings settings =
                settings(file, StorageSettings.Mode.READ_WRITE, Map.of(), Thread::new, warning -> {});
        try (Storage storage = SqliteStorage.open(new DatabaseFile(file), settings, renderer)) {
            RandomStores.fill(storage, seed, 150);
            RandomStores.contents(storage);
            storage.sessions().list(SessionQuery.usual());
            storage.sessions().list(SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE));
        }
        try (Storage storage = SqliteStorage.open(new DatabaseFile(file), settings, renderer)) {
            commit(storage, new Change.PutMeta("reopened", "yes"));
        }
        return renderer.rendered();
    }

    /** Commits changes as a writer that writes once. */
    public static CommitResult commit(Storage storage, Change... changes) {
        return storage.ledger()
                .commit(new Batch(new BatchId("test-" + WRITERS.incrementAndGet(), 1), List.of(), List.of(changes)));
    }
}
