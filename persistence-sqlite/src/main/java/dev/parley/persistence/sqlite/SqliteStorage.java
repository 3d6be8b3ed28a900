package dev.parley.persistence.sqlite;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageCare;
import dev.parley.application.spi.StorageSettings;
import dev.parley.persistence.sqlite.care.SqliteStorageCare;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.ledger.SqliteEngine;
import dev.parley.persistence.sqlite.ledger.SqliteLedger;
import dev.parley.persistence.sqlite.read.Reader;
import dev.parley.persistence.sqlite.read.SessionLists;
import dev.parley.persistence.sqlite.read.SqliteLanes;
import dev.parley.persistence.sqlite.read.SqliteMeta;
import dev.parley.persistence.sqlite.read.SqliteSessions;
import dev.parley.persistence.sqlite.read.SqliteTranscripts;
import dev.parley.persistence.sqlite.read.SqliteTurnQueue;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.SchemaOpener;
import dev.parley.persistence.sqlite.search.SqliteTranscriptSearch;
import dev.parley.persistence.sqlite.statement.Renderer;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jooq.SQLDialect;

/** A store in one SQLite file: one connection writes, others read. */
final class SqliteStorage implements Storage {
    private final OpenDatabase database;
    private final Optional<SqliteLedger> writing;
    private final Ledger ledger;
    private final SqliteLanes lanes;
    private final SqliteSessions sessions;
    private final SqliteTranscripts transcripts;
    private final SqliteTurnQueue queue;
    private final SqliteMeta meta;
    private final TranscriptSearch search;
    private final StorageCare care;
    private final AtomicBoolean closed = new AtomicBoolean();

    private SqliteStorage(
            OpenDatabase database, Optional<SqliteLedger> writing, Renderer renderer, StorageSettings settings) {
        this.database = database;
        this.writing = writing;
        this.ledger = writing.<Ledger>map(opened -> opened).orElse(batch -> {
            throw new StorageUnavailable(
                    "The database " + database.file() + " was opened to be read only; open it for writing.", null);
        });
        Reader reader = new Reader(database.reads(), renderer);
        this.lanes = new SqliteLanes(reader);
        this.sessions = new SqliteSessions(
                reader, new SessionLists(renderer, Optional.of("select id from main.sessions order by rowid desc")));
        this.transcripts = new SqliteTranscripts(reader);
        this.queue = new SqliteTurnQueue(reader);
        this.meta = new SqliteMeta(reader);
        this.search = new SqliteTranscriptSearch(database.reads(), sessions::find);
        this.care = new SqliteStorageCare(database, new BusyRetry(settings.ids(), BusyRetry.Pause.parked()));
    }

    static SqliteStorage open(DatabaseFile file, StorageSettings settings) {
        OpenDatabase database = SchemaOpener.of(settings).open(file, settings.mode());
        try {
            Renderer renderer = new Renderer(SQLDialect.SQLITE);
            if (database.writer().isEmpty()) {
                return new SqliteStorage(database, Optional.empty(), renderer, settings);
            }
            SqliteLedger ledger = new SqliteLedger(
                    new SqliteEngine(database),
                    renderer,
                    settings.clock(),
                    settings.ids(),
                    settings.threads(),
                    SqliteLedger.Aftermath.none());
            SqliteStorage storage = new SqliteStorage(database, Optional.of(ledger), renderer, settings);
            ledger.start();
            return storage;
        } catch (SQLException e) {
            database.close();
            throw SqlErrors.translate(file, e);
        }
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Lanes lanes() {
        return lanes;
    }

    @Override
    public Sessions sessions() {
        return sessions;
    }

    @Override
    public Transcripts transcripts() {
        return transcripts;
    }

    @Override
    public TranscriptSearch search() {
        return search;
    }

    @Override
    public TurnQueue queue() {
        return queue;
    }

    @Override
    public Meta meta() {
        return meta;
    }

    @Override
    public StorageCare care() {
        return care;
    }

    @Override
    public String location() {
        return "sqlite:" + database.file();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            writing.ifPresent(SqliteLedger::close);
            database.close();
        }
    }
}
