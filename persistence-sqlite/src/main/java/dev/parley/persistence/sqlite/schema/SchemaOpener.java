package dev.parley.persistence.sqlite.schema;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.StorageSettings;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.Connections;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.connection.ReaderPool;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Opens a database file and brings it up to date (storage 1.5). A file that is up to date is opened without a write lock; what
 * must be changed is changed in one transaction that looks again at what there is, so processes that open at once do it once.
 */
public final class SchemaOpener {
    /** Pages in the log before it is moved into the file: large enough that no commit waits long for it. */
    private static final int LOG_PAGES = 4000;

    /** An index that is not whole is made anew at the opening over so many messages at most, which takes less than a second. */
    private static final int INDEXED_AT_ONCE = 2000;

    private final InstantSource clock;
    private final BusyRetry retry;
    private final Consumer<String> warnings;
    private final boolean repairing;

    /**
     * Makes an opener.
     *
     * @param clock names backups
     * @param retry waits for other processes
     * @param warnings takes one line for everything an operator should know
     */
    public SchemaOpener(InstantSource clock, BusyRetry retry, Consumer<String> warnings) {
        this(clock, retry, warnings, false);
    }

    private SchemaOpener(InstantSource clock, BusyRetry retry, Consumer<String> warnings, boolean repairing) {
        this.clock = clock;
        this.retry = retry;
        this.warnings = warnings;
        this.repairing = repairing;
    }

    /** Returns this opener repairing a list of tables that cannot be read, after a copy was kept. */
    public SchemaOpener repairing(boolean repairs) {
        return new SchemaOpener(clock, retry, warnings, repairs);
    }

    /** Returns an opener that works as the settings say. */
    public static SchemaOpener of(StorageSettings settings) {
        return new SchemaOpener(
                settings.clock(), new BusyRetry(settings.ids(), BusyRetry.Pause.parked()), settings.warnings());
    }

    /**
     * Opens the file.
     *
     * @throws StorageUnavailable where it cannot be opened now, and for reading also where it does not exist
     * @throws dev.parley.application.port.StorageCorrupt where it is damaged or belongs to another program; it is left byte for
     *     byte as it was
     */
    public OpenDatabase open(DatabaseFile file, StorageSettings.Mode mode) {
        return open(file, mode, rows -> {});
    }

    /** Opens the file and tells how many messages are indexed so far, where the index has to be rebuilt. */
    public OpenDatabase open(DatabaseFile file, StorageSettings.Mode mode, LongConsumer rows) {
        return mode == StorageSettings.Mode.READ_ONLY ? openToRead(file) : openToWrite(file, rows);
    }

    private OpenDatabase openToRead(DatabaseFile file) {
        DatabaseFile.Kind kind = file.inspect();
        if (kind == DatabaseFile.Kind.NEW && !file.exists()) {
            throw StorageUnavailable.missing("The database " + file + " does not exist; check the path.");
        }
        Connections connections = new Connections(file);
        ReaderPool reads = new ReaderPool(connections, true, ReadViews::adapt);
        FileStructure found = reads.read(connection -> FileStructure.read(connection));
        Upgrade.of(found, false).refuseForeign(file);
        warnOfNewer(file, found);
        return new OpenDatabase(connections, Optional.empty(), reads, List.of());
    }

    private OpenDatabase openToWrite(DatabaseFile file, LongConsumer rows) {
        file.makeFolder();
        file.inspect();
        Connections connections = new Connections(file);
        try {
            try {
                return openToWrite(connections, List.of(), rows);
            } catch (SQLException e) {
                return openToWrite(connections, madeReadable(connections, e), rows);
            }
        } catch (SQLException e) {
            throw SqlErrors.translate(file, e);
        }
    }

    /**
     * Makes a list of tables readable that is not: repairs it where that is asked for, else sets the search index aside where nothing but it
     * cannot be read.
     */
    private List<String> madeReadable(Connections connections, SQLException failure) throws SQLException {
        if (repairing && SchemaRepair.isNeeded(failure)) {
            return SchemaRepair.repair(connections, clock.instant(), failure);
        }
        if (SqlErrors.unreadableIndexEntry(failure).isEmpty()) {
            throw failure;
        }
        List<String> done =
                retry.atOpening(clock).attempt(() -> SchemaRepair.setIndexAside(connections, clock, failure));
        warnings.accept("The search index of " + connections.file() + " cannot be read (" + SqlErrors.detail(failure)
                + ") and was set aside: no message is lost, and searches read every message until it is rebuilt; that has"
                + " begun.");
        done.forEach(warnings);
        return done;
    }

    private OpenDatabase openToWrite(Connections connections, List<String> repaired, LongConsumer rows)
            throws SQLException {
        Connection writer = connections.writer();
        try {
            List<String> done = new ArrayList<>(repaired);
            done.addAll(bringUpToDate(connections, writer, rows));
            JournalMode.prepare(writer, connections.file(), retry.atOpening(clock), warnings);
            try (Statement statement = writer.createStatement()) {
                statement.execute("PRAGMA wal_autocheckpoint = " + LOG_PAGES);
            }
            ReaderPool reads = new ReaderPool(connections, false, ReadViews::adapt);
            return new OpenDatabase(connections, Optional.of(writer), reads, done);
        } catch (SQLException | RuntimeException e) {
            Connections.closeQuietly(writer, e);
            throw e;
        }
    }

    private List<String> bringUpToDate(Connections connections, Connection writer, LongConsumer rows)
            throws SQLException {
        DatabaseFile file = connections.file();
        FileStructure found = retry.atOpening(clock).attempt(() -> FileStructure.read(writer));
        Upgrade first = Upgrade.of(found, hasFewMessages(writer, found));
        first.refuseForeign(file);
        refuseNewerParley(file, found);
        warnOfNewer(file, found);
        if (first.isEmpty()) {
            return List.of();
        }
        List<String> done = new ArrayList<>();
        retry.transaction(writer, () -> {
            done.clear();
            upgrade(connections, writer, done::add, rows);
            return done.size();
        });
        return done;
    }

    private void upgrade(Connections connections, Connection writer, Consumer<String> done, LongConsumer rows)
            throws SQLException {
        DatabaseFile file = connections.file();
        FileStructure found = FileStructure.read(writer);
        Upgrade upgrade = Upgrade.of(found, hasFewMessages(writer, found));
        upgrade.refuseForeign(file);
        refuseNewerParley(file, found);
        if (upgrade.changesForeignContent()) {
            Damage.refuse(writer, file);
            String copy = Backup.make(connections, clock.instant()).toString();
            done.accept("Kept a copy of the database as it was: " + copy + ".");
            warnings.accept("The database " + file + " is brought up to date; a copy of it as it was is " + copy + ".");
        }
        upgrade.apply(writer, done, rows);
    }

    /** Asked only where the answer counts: the index is not whole. */
    private static boolean hasFewMessages(Connection writer, FileStructure found) throws SQLException {
        if (found.hasWholeIndex() || !found.has(SharedSchema.MESSAGES.name())) {
            return true;
        }
        try (Statement statement = writer.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM (SELECT 1 FROM messages LIMIT " + (INDEXED_AT_ONCE + 1) + ")")) {
            return row.getLong(1) <= INDEXED_AT_ONCE;
        }
    }

    private void warnOfNewer(DatabaseFile file, FileStructure found) {
        if (found.isNewer()) {
            warnings.accept(
                    "The database " + file + " has schema version "
                            + found.version().getAsLong() + ", newer than " + SharedSchema.VERSION
                            + "; it is used as it is"
                            + (found.hasKnownIndex()
                                    ? "."
                                    : " and its search index, which has another form, is left alone: searches read every message."));
        }
    }

    private static void refuseNewerParley(DatabaseFile file, FileStructure found) {
        found.refusal(file).ifPresent(why -> {
            throw new StorageUnavailable(why, null);
        });
    }
}
