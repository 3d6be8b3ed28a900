package dev.parley.persistence.sqlite.maintenance;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.Connections;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.schema.Damage;
import dev.parley.persistence.sqlite.schema.FileStructure;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.SharedSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/**
 * Looks after a database. What changes it uses a connection of its own and waits for other writers. What is repaired is decided by
 * what a file has, whatever its version says.
 */
public final class SqliteMaintenance implements StorageMaintenance {
    private final OpenDatabase database;
    private final BusyRetry retry;
    private final IndexKeeper index;
    private final AtomicReference<List<String>> doneAtOpening;

    /** Looks after an open database. */
    public SqliteMaintenance(OpenDatabase database, BusyRetry retry, IndexKeeper index) {
        this.database = database;
        this.retry = retry;
        this.index = index;
        this.doneAtOpening = new AtomicReference<>(database.done());
    }

    @Override
    public boolean resumesAtTip() {
        return database.reads()
                .read(connection -> FileStructure.read(connection).version().orElse(0) > SharedSchema.VERSION);
    }

    @Override
    public Map<String, String> status() {
        return database.reads().read(connection -> {
            FileStructure found = FileStructure.read(connection);
            Map<String, String> status = new LinkedHashMap<>();
            status.put("file", database.file().toString());
            status.put("mode", database.writer().isPresent() ? "read and write" : "read only");
            status.put("schema version", version(found.version()));
            status.put("parley version", version(found.parleyVersion()));
            status.put("bytes", Long.toString(database.file().size()));
            status.put("log bytes", Long.toString(database.file().logSize()));
            status.put("free bytes", Long.toString(freeBytes(connection)));
            status.put("journal mode", text(connection, "PRAGMA main.journal_mode"));
            status.put("sessions", text(connection, "SELECT count(*) FROM sessions"));
            status.put("messages", text(connection, "SELECT count(*) FROM messages"));
            status.put("lanes", text(connection, "SELECT count(*) FROM parley_lanes"));
            status.put("search index", indexState(found));
            status.put("search index form", found.indexForm().name().toLowerCase(Locale.ROOT));
            status.put("sqlite", text(connection, "SELECT sqlite_version()"));
            return status;
        });
    }

    @Override
    public List<String> check(BiConsumer<Long, Long> progress) {
        return new StorageCheck(database, StorageCheck.ROWS, progress).findings();
    }

    @Override
    public List<String> repair(BiConsumer<Long, Long> progress) {
        requireWriting("repaired");
        List<String> done = new ArrayList<>(doneAtOpening.getAndSet(List.of()));
        FileStructure found = database.reads().read(connection -> FileStructure.read(connection));
        if (found.hasKnownIndex()
                && (found.isRebuildingIndex()
                        || !new StorageCheck(database, StorageCheck.ROWS, (steps, total) -> {})
                                .indexFindings()
                                .isEmpty())) {
            done.add(rebuild(Optional.empty(), found.hasWholeIndex(), progress));
        }
        return done;
    }

    @Override
    public List<String> arrange(Arrangement arrangement, BiConsumer<Long, Long> progress) {
        requireWriting("rearranged");
        FileStructure found = database.reads().read(connection -> FileStructure.read(connection));
        IndexForm wanted = arrangement == Arrangement.COMPACT ? IndexForm.COMPACT : IndexForm.SHARED;
        if (!found.hasKnownIndex() || (found.hasWholeIndex() && found.indexForm() == wanted)) {
            return List.of();
        }
        return List.of(rebuild(Optional.of(wanted), found.indexForm() != wanted || found.hasWholeIndex(), progress));
    }

    private String rebuild(Optional<IndexForm> form, boolean fromTheStart, BiConsumer<Long, Long> progress) {
        long total =
                Long.parseLong(database.reads().read(connection -> text(connection, "SELECT count(*) FROM messages")));
        try {
            database.reads().read(connection -> {
                Damage.refuse(connection, database.file());
                return true;
            });
            index.rebuildNow(form, fromTheStart, rows -> progress.accept(Math.min(rows, total), total));
        } catch (SQLException e) {
            throw SqlErrors.translate(database.file(), e);
        }
        return "Rebuilt the search index over " + total + " messages.";
    }

    @Override
    public void finishDeletions(BiConsumer<Long, Long> progress) {
        requireWriting("changed");
        try {
            index.takeOutRemoved(progress);
        } catch (SQLException e) {
            throw SqlErrors.translate(database.file(), e);
        }
    }

    /** {@inheritDoc} The log is moved into the file first as far as nobody is in the way. */
    @Override
    public long compact() {
        requireWriting("compacted");
        finishDeletions((done, total) -> {});
        long before = database.file().size() + database.file().logSize();
        withWriter(writer -> {
            checkpoint(writer);
            return retry.attempt(() -> {
                execute(writer, "VACUUM");
                checkpoint(writer);
                return true;
            });
        });
        return Math.max(0, before - database.file().size() - database.file().logSize());
    }

    private static String indexState(FileStructure found) {
        if (!found.lacksIndex()) {
            return found.isEmpty() ? "none" : "whole";
        }
        return found.hasKnownIndex()
                ? found.isRebuildingIndex() ? "being rebuilt" : "to be rebuilt"
                : "of a form that is not known here";
    }

    private void requireWriting(String what) {
        if (database.writer().isEmpty()) {
            throw new InvalidRequest(
                    "The database " + database.file() + " is open for reading only and cannot be " + what + ".");
        }
    }

    private void withWriter(WriterWork work) {
        DatabaseFile file = database.file();
        try (Connection writer = new Connections(file).writer()) {
            work.on(writer);
        } catch (SQLException e) {
            throw SqlErrors.translate(file, e);
        }
    }

    private interface WriterWork {
        boolean on(Connection writer) throws SQLException;
    }

    /** Readers may keep part of the log in use: then it is moved later, and nothing is lost. */
    private static void checkpoint(Connection writer) throws SQLException {
        rows(writer, "PRAGMA wal_checkpoint(TRUNCATE)");
    }

    private static long freeBytes(Connection connection) throws SQLException {
        return Long.parseLong(text(connection, "PRAGMA main.freelist_count"))
                * Long.parseLong(text(connection, "PRAGMA main.page_size"));
    }

    static String version(OptionalLong version) {
        return version.isPresent() ? Long.toString(version.getAsLong()) : "none";
    }

    private static String text(Connection connection, String sql) throws SQLException {
        List<String> rows = rows(connection, sql);
        return rows.isEmpty() ? "" : rows.get(0);
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                rows.add(String.valueOf(result.getString(1)));
            }
        }
        return rows;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
