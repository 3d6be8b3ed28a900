package dev.parley.persistence.sqlite;

import dev.parley.application.port.Journal;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageCare;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.Capability;
import dev.parley.contracts.storage.LanesContract;
import dev.parley.contracts.storage.LedgerContract;
import dev.parley.contracts.storage.MetaContract;
import dev.parley.contracts.storage.SessionsContract;
import dev.parley.contracts.storage.StorageHarness;
import dev.parley.contracts.storage.TranscriptsContract;
import dev.parley.contracts.storage.TurnQueueContract;
import dev.parley.persistence.sqlite.connection.ReadWork;
import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.ledger.Engine;
import dev.parley.persistence.sqlite.ledger.SqliteLedger;
import dev.parley.persistence.sqlite.read.Reader;
import dev.parley.persistence.sqlite.read.SessionLists;
import dev.parley.persistence.sqlite.read.SqliteLanes;
import dev.parley.persistence.sqlite.read.SqliteMeta;
import dev.parley.persistence.sqlite.read.SqliteSessions;
import dev.parley.persistence.sqlite.read.SqliteTranscripts;
import dev.parley.persistence.sqlite.read.SqliteTurnQueue;
import dev.parley.persistence.sqlite.schema.Column;
import dev.parley.persistence.sqlite.schema.ParleySchema;
import dev.parley.persistence.sqlite.schema.SharedSchema;
import dev.parley.persistence.sqlite.schema.TableShape;
import dev.parley.persistence.sqlite.statement.Renderer;
import dev.parley.persistence.sqlite.statement.Statements;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * The same statements in another database: what is read and written without SQLite's own means does what every store must.
 * Search and care are SQLite's own.
 */
class H2PortabilityTest
        implements LedgerContract, LanesContract, SessionsContract, TranscriptsContract, TurnQueueContract, MetaContract {
    private static final AtomicLong DATABASES = new AtomicLong();

    @Override
    public StorageHarness harness(Path directory) {
        return new Harness("jdbc:h2:mem:parley" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=5000");
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.noneOf(Capability.class);
    }

    private static final class Harness implements StorageHarness {
        private final String url;
        private final List<Storage> opened = new ArrayList<>();
        private final AtomicLong highestRow = new AtomicLong();

        Harness(String url) {
            this.url = url;
        }

        @Override
        public Storage open(StorageSettings.Mode mode) {
            try {
                Storage storage = new Store(url, mode, highestRow);
                opened.add(storage);
                return storage;
            } catch (SQLException e) {
                throw new StorageUnavailable("H2 cannot be opened.", e);
            }
        }

        @Override
        public void crash() {
            opened.forEach(Storage::close);
        }

        @Override
        public Optional<Journal> openJournal() {
            return Optional.empty();
        }

        @Override
        public List<String> damage() {
            return List.of();
        }

        @Override
        public Optional<Elsewhere> elsewhere() {
            return Optional.empty();
        }

        @Override
        public List<Fault> faults() {
            return List.of();
        }

        @Override
        public void close() {
            opened.forEach(Storage::close);
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("shutdown immediately");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Everything but search and care. */
    private static final class Store implements Storage {
        private final Connection writer;
        private final Optional<SqliteLedger> ledger;
        private final AtomicBoolean closed = new AtomicBoolean();
        private final Reader reader;
        private final Renderer renderer = new Renderer(SQLDialect.H2);

        Store(String url, StorageSettings.Mode mode, AtomicLong highestRow) throws SQLException {
            writer = DriverManager.getConnection(url);
            makeTables(writer);
            reader = new Reader(new H2Reads(url, closed), renderer);
            if (mode == StorageSettings.Mode.READ_ONLY) {
                ledger = Optional.empty();
            } else {
                ledger = Optional.of(new SqliteLedger(
                        new H2Engine(writer, highestRow),
                        renderer,
                        () -> Openings.NOW,
                        new Openings.CountedIds(),
                        Thread::new,
                        () -> {}));
                ledger.get().start();
            }
        }

        @Override
        public Ledger ledger() {
            return ledger.<Ledger>map(open -> open).orElse(batch -> {
                throw new StorageUnavailable("The store was opened to be read only.", null);
            });
        }

        @Override
        public Lanes lanes() {
            return new SqliteLanes(reader);
        }

        @Override
        public Sessions sessions() {
            return new SqliteSessions(reader, new SessionLists(renderer, Optional.empty()));
        }

        @Override
        public Transcripts transcripts() {
            return new SqliteTranscripts(reader);
        }

        @Override
        public TurnQueue queue() {
            return new SqliteTurnQueue(reader);
        }

        @Override
        public Meta meta() {
            return new SqliteMeta(reader);
        }

        @Override
        public TranscriptSearch search() {
            return query -> List.of();
        }

        @Override
        public StorageCare care() {
            return new NothingToCareFor();
        }

        @Override
        public String location() {
            return "h2";
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                ledger.ifPresent(SqliteLedger::close);
                try {
                    writer.close();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    private static final class NothingToCareFor implements StorageCare {
        @Override
        public Map<String, String> status() {
            return Map.of();
        }

        @Override
        public List<String> check(BiConsumer<Long, Long> progress) {
            return List.of();
        }

        @Override
        public List<String> repair(BiConsumer<Long, Long> progress) {
            return List.of();
        }

        @Override
        public long compact() {
            return 0;
        }
    }

    private static void makeTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (TableShape table :
                    Stream.concat(SharedSchema.TABLES.stream(), ParleySchema.TABLES.stream()).toList()) {
                statement.execute("create table if not exists \"" + table.name() + "\" ("
                        + table.columns().stream()
                                .map(H2PortabilityTest::declared)
                                .collect(Collectors.joining(", "))
                        + later(table.name()) + ")");
            }
        }
    }

    private static String declared(Column column) {
        String type =
                switch (column.type()) {
                    case TEXT -> "varchar";
                    case INTEGER -> "bigint";
                    case REAL -> "double precision";
                };
        return "\"" + column.name() + "\" " + type
                + switch (column.key()) {
                    case NONE -> column.initial().map(value -> " default " + value).orElse("")
                            + (column.required() ? " not null" : "");
                    case GIVEN -> " primary key";
                    case RISING -> " generated by default as identity primary key";
                };
    }

    /** The columns that SQLite files get when they are first needed. */
    private static String later(String table) {
        return switch (table) {
            case "messages" -> ", \"active\" bigint default 1, \"compacted\" bigint default 0";
            case "sessions" -> ", \"rewind_count\" bigint default 0, \"archived\" bigint default 0";
            default -> "";
        };
    }

    private record H2Reads(String url, AtomicBoolean closed) implements Reads {
        @Override
        public <T> T read(ReadWork<T> work) {
            if (closed.get()) {
                throw new StorageUnavailable("The store is closed.", null);
            }
            try (Connection connection = DriverManager.getConnection(url)) {
                return work.on(connection, DSL.using(connection, SQLDialect.H2));
            } catch (SQLException e) {
                throw new StorageUnavailable("H2 cannot be read: " + e.getMessage(), e);
            }
        }
    }

    private record H2Engine(Connection writer, AtomicLong highestRow) implements Engine {
        @Override
        public SQLDialect dialect() {
            return SQLDialect.H2;
        }

        @Override
        public Connection open() {
            return writer;
        }

        @Override
        public void begin(Connection connection) throws SQLException {
            connection.setAutoCommit(false);
        }

        @Override
        public void commit(Connection connection) throws SQLException {
            connection.commit();
            connection.setAutoCommit(true);
        }

        @Override
        public void rollback(Connection connection) throws SQLException {
            connection.rollback();
            connection.setAutoCommit(true);
        }

        @Override
        public long schemaVersion(Connection connection) {
            return 1;
        }

        @Override
        public long foreignCommits(Connection connection) {
            return -1;
        }

        @Override
        public boolean hasHidingColumns(Connection connection) {
            return true;
        }

        @Override
        public void addHidingColumns(Connection connection) {
            throw new IllegalStateException("The columns are there from the beginning.");
        }

        @Override
        public long lastMessageRow(Statements statements) throws SQLException {
            long now = statements.number("select coalesce(max(\"id\"), 0) from \"messages\"");
            return highestRow.updateAndGet(highest -> Math.max(now, highest + 1000));
        }

        @Override
        public String newestSessions(int limit) {
            return "select \"id\" from \"sessions\" where 1 = 0";
        }

        @Override
        public void checkpoint(Connection connection) {}

        @Override
        public boolean isBusy(SQLException e) {
            return e.getErrorCode() == 50200;
        }

        @Override
        public boolean isConstraint(SQLException e) {
            return e.getSQLState().startsWith("23");
        }

        @Override
        public ParleyException translated(SQLException e) {
            return new StorageUnavailable("H2 refused an operation: " + e.getMessage(), e);
        }
    }
}
