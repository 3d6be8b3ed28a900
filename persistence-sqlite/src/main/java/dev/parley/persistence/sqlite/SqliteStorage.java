package dev.parley.persistence.sqlite;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.StorageParts;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.source.Platforms;
import dev.parley.persistence.sql.read.SqlLanes;
import dev.parley.persistence.sql.read.SqlTurnQueue;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.ledger.SqliteEngine;
import dev.parley.persistence.sqlite.ledger.SqliteLedger;
import dev.parley.persistence.sqlite.maintenance.IndexKeeper;
import dev.parley.persistence.sqlite.maintenance.SqliteMaintenance;
import dev.parley.persistence.sqlite.mirror.LaneImport;
import dev.parley.persistence.sqlite.mirror.LaneMirror;
import dev.parley.persistence.sqlite.mirror.RoutingTable;
import dev.parley.persistence.sqlite.mirror.SessionsFile;
import dev.parley.persistence.sqlite.read.Reader;
import dev.parley.persistence.sqlite.read.SessionLists;
import dev.parley.persistence.sqlite.read.SqliteMeta;
import dev.parley.persistence.sqlite.read.SqliteSessions;
import dev.parley.persistence.sqlite.read.SqliteTranscripts;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.SchemaOpener;
import dev.parley.persistence.sqlite.search.SqliteTranscriptSearch;
import dev.parley.persistence.sqlite.statement.KeptTexts;
import dev.parley.persistence.sqlite.table.OrdinalTable;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A store in one SQLite file: one connection writes, others read. */
final class SqliteStorage implements ComposedStorage {
    private final OpenDatabase database;
    private final IndexKeeper index;
    private final Optional<SqliteLedger> writing;
    private final StorageParts parts;
    private final AtomicReference<@Nullable LaneMirror> mirror = new AtomicReference<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    private SqliteStorage(OpenDatabase database, Renderer renderer, StorageSettings settings) throws SQLException {
        this.database = database;
        BusyRetry retry = new BusyRetry(settings.ids(), BusyRetry.Pause.parked());
        this.index = new IndexKeeper(database, retry, settings.clock(), settings.threads(), settings.warnings());
        this.writing = database.writer().isEmpty()
                ? Optional.empty()
                : Optional.of(new SqliteLedger(
                        new SqliteEngine(database, index),
                        renderer,
                        settings.clock(),
                        settings.ids(),
                        settings.threads(),
                        this::lanesChanged,
                        patience(settings)));
        Ledger ledger = writing.<Ledger>map(opened -> opened).orElse(batch -> {
            throw new StorageUnavailable(
                    "The database " + database.file() + " was opened to be read only; open it for writing.", null);
        });
        Reader reader = new Reader(database.reads(), renderer);
        SqliteSessions sessions = new SqliteSessions(
                reader, new SessionLists(renderer, Optional.of("select id from main.sessions order by rowid desc")));
        this.parts = new StorageParts(
                ledger,
                new SqlLanes(reader),
                sessions,
                new SqliteTranscripts(reader),
                new SqliteTranscriptSearch(database.reads(), sessions::find, index),
                new SqlTurnQueue(reader, OrdinalTable.TABLE),
                new SqliteMeta(reader),
                new SqliteMaintenance(database, retry, index));
    }

    static SqliteStorage open(DatabaseFile file, StorageSettings settings) {
        return open(file, settings, KeptTexts.renderer());
    }

    static SqliteStorage open(DatabaseFile file, StorageSettings settings, Renderer renderer) {
        Duration interval = interval(settings);
        OpenDatabase database = SchemaOpener.of(settings)
                .repairing("true".equals(settings.options().get(SqliteStorageProvider.REPAIR_SCHEMA)))
                .open(file, settings.mode());
        try {
            Optional<Duration> patience = patience(settings);
            if (patience.isPresent()) {
                shortenAttempts(database, patience.get());
            }
            SqliteStorage storage = new SqliteStorage(database, renderer, settings);
            storage.start(settings, interval);
            return storage;
        } catch (SQLException e) {
            database.close();
            throw SqlErrors.translate(file, e);
        }
    }

    private void start(StorageSettings settings, Duration interval) throws SQLException {
        if (writing.isEmpty()) {
            return;
        }
        writing.get().start();
        index.start();
        Optional<SessionsFile> mirrorFile = mirrorFile(database.file(), settings);
        if (mirrorFile.isEmpty()) {
            return;
        }
        SessionsFile file = mirrorFile.get();
        if (!"false".equals(settings.options().get(SqliteStorageProvider.READ_SESSIONS_JSON))) {
            takeLanes(file, settings);
        }
        if (!"false".equals(settings.options().get(SqliteStorageProvider.WRITE_SESSIONS_JSON))) {
            LaneMirror mirrored = new LaneMirror(
                    file, parts.lanes(), interval, settings.clock(), settings.threads(), settings.warnings());
            mirrored.start();
            mirror.set(mirrored);
        }
    }

    /** Where {@code sessions.json} is missing, the lanes that another system keeps in the database count. */
    private void takeLanes(SessionsFile file, StorageSettings settings) {
        LaneImport taking = new LaneImport(parts.lanes(), parts.sessions(), parts.ledger(), settings.ids());
        Instant now = settings.clock().instant();
        if (Files.exists(file.path())) {
            taking.run(file, database.reads().read(SqliteStorage::knownLanes), now, settings.warnings());
            return;
        }
        RoutingTable table = new RoutingTable(settings.zone(), Platforms.builtIn());
        database.reads()
                .read(connection -> table.read(connection, settings.warnings()))
                .ifPresent(entries -> taking.run(entries, now));
    }

    private static Set<String> knownLanes(Connection connection) throws SQLException {
        Set<String> known = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT lane FROM parley_lanes")) {
            while (rows.next()) {
                known.add(rows.getString(1));
            }
        }
        return known;
    }

    /** Returns where the lanes of a database in the home are mirrored to; absent for one that lies elsewhere. */
    static Optional<SessionsFile> mirrorFile(DatabaseFile file, StorageSettings settings) {
        boolean atHome = Objects.equals(
                file.path().getParent(), settings.home().toAbsolutePath().normalize());
        return atHome
                ? Optional.of(
                        new SessionsFile(settings.home().resolve("sessions").resolve("sessions.json"), settings.zone()))
                : Optional.empty();
    }

    private static Duration interval(StorageSettings settings) {
        return millis(
                SqliteStorageProvider.SESSIONS_JSON_INTERVAL,
                settings.options().getOrDefault(SqliteStorageProvider.SESSIONS_JSON_INTERVAL, "1000"));
    }

    /** Waiting for one attempt takes no longer than the patience either. */
    private static void shortenAttempts(OpenDatabase database, Duration patience) throws SQLException {
        if (database.writer().isPresent()) {
            try (Statement statement = database.writer().get().createStatement()) {
                statement.execute("PRAGMA busy_timeout = " + Math.min(1000, Math.max(1, patience.toMillis())));
            }
        }
    }

    private static Optional<Duration> patience(StorageSettings settings) {
        return Optional.ofNullable(settings.options().get(SqliteStorageProvider.BUSY_PATIENCE))
                .map(text -> millis(SqliteStorageProvider.BUSY_PATIENCE, text));
    }

    private static Duration millis(String option, String text) {
        try {
            return Duration.ofMillis(Math.max(0, Long.parseLong(text.strip())));
        } catch (NumberFormatException e) {
            throw new InvalidRequest(
                    "The storage option " + option + " must be a number of milliseconds, not \"" + text + "\".");
        }
    }

    private void lanesChanged() {
        LaneMirror mirrored = mirror.get();
        if (mirrored != null) {
            mirrored.lanesChanged();
        }
    }

    @Override
    public StorageParts parts() {
        return parts;
    }

    @Override
    public String location() {
        return "sqlite:" + database.file();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            writing.ifPresent(SqliteLedger::close);
            index.close();
            LaneMirror mirrored = mirror.get();
            if (mirrored != null) {
                mirrored.close();
            }
            database.close();
        }
    }
}
