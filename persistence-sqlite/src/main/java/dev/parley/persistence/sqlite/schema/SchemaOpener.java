package dev.parley.persistence.sqlite.schema;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.StorageSettings;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.Connections;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.connection.ReaderPool;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import java.sql.Connection;
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

    private final InstantSource clock;
    private final BusyRetry retry;
    private final Consumer<String> warnings;

    /**
     * Makes an opener.
     *
     * @param clock names backups
     * @param retry waits for other processes
     * @param warnings takes one line for everything an operator should know
     */
    public SchemaOpener(InstantSource clock, BusyRetry retry, Consumer<String> warnings) {
        this.clock = clock;
        this.retry = retry;
        this.warnings = warnings;
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
            throw new StorageUnavailable("The database " + file + " does not exist; check the path.", null);
        }
        Connections connections = new Connections(file);
        ReaderPool reads = new ReaderPool(connections, true, ReadViews::adapt);
        FileStructure found = reads.read((connection, sql) -> FileStructure.read(connection));
        Upgrade.of(found).refuseForeign(file);
        warnOfNewer(file, found);
        return new OpenDatabase(connections, Optional.empty(), reads, List.of());
    }

    private OpenDatabase openToWrite(DatabaseFile file, LongConsumer rows) {
        file.makeFolder();
        file.inspect();
        Connections connections = new Connections(file);
        try {
            Connection writer = connections.writer();
            try {
                List<String> done = bringUpToDate(connections, writer, rows);
                JournalMode.prepare(writer, file, retry, warnings);
                try (Statement statement = writer.createStatement()) {
                    statement.execute("PRAGMA wal_autocheckpoint = " + LOG_PAGES);
                }
                ReaderPool reads = new ReaderPool(connections, false, ReadViews::adapt);
                return new OpenDatabase(connections, Optional.of(writer), reads, done);
            } catch (SQLException | RuntimeException e) {
                Connections.closeQuietly(writer, e);
                throw e;
            }
        } catch (SQLException e) {
            throw SqlErrors.translate(file, e);
        }
    }

    private List<String> bringUpToDate(Connections connections, Connection writer, LongConsumer rows)
            throws SQLException {
        DatabaseFile file = connections.file();
        FileStructure found = retry.attempt(() -> FileStructure.read(writer));
        Upgrade first = Upgrade.of(found);
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
        Upgrade upgrade = Upgrade.of(found);
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

    private void warnOfNewer(DatabaseFile file, FileStructure found) {
        if (found.isNewer()) {
            warnings.accept("The database " + file + " has schema version "
                    + found.version().getAsLong() + ", newer than " + SharedSchema.VERSION
                    + "; it is used as it is and its search index is left alone.");
        }
    }

    private static void refuseNewerParley(DatabaseFile file, FileStructure found) {
        long version = found.parleyVersion().orElse(0);
        if (version > ParleySchema.VERSION) {
            throw new StorageUnavailable(
                    "The database " + file + " was written by a newer Parley (its tables have version " + version
                            + ", this one knows " + ParleySchema.VERSION + "); use that one.",
                    null);
        }
    }
}
