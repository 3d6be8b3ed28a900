package dev.parley.persistence.sqlite;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Lane;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.connection.NativeLibrary;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Opens SQLite databases. The address is the path of the file, {@code state.db} in the gateway's home where it is empty.
 *
 * <p>Options, for a database that lies in the gateway's home:
 * <ul>
 *   <li>{@code write_sessions_json}: whether the lanes are mirrored to {@code sessions/sessions.json} ({@code true} unless set
 *       to {@code false})
 *   <li>{@code read_sessions_json}: whether lanes that the database knows nothing of are taken from that file at opening
 *       ({@code true} unless set to {@code false})
 *   <li>{@code sessions_json_interval_ms}: the least time between a change and its mirroring, in milliseconds (1000)
 * </ul>
 *
 * <p>Options for any database: {@code busy_patience_ms}, for how long a commit waits for a lock that another process holds, in
 * milliseconds; for all fifteen attempts unless it is set (storage 2). {@code repair_schema}, whether a list of tables that cannot be
 * read is repaired at the opening, after a copy was kept ({@code false} unless set to {@code true}; {@code parley storage upgrade} sets
 * it).
 *
 * <p>Made by the service loader.
 */
public final class SqliteStorageProvider implements StorageProvider {
    private static final String DEFAULT_FILE = "state.db";

    static final String WRITE_SESSIONS_JSON = "write_sessions_json";
    static final String READ_SESSIONS_JSON = "read_sessions_json";
    static final String SESSIONS_JSON_INTERVAL = "sessions_json_interval_ms";
    static final String BUSY_PATIENCE = "busy_patience_ms";
    static final String REPAIR_SCHEMA = "repair_schema";

    @Override
    public String scheme() {
        return "sqlite";
    }

    @Override
    public int changeVersion() {
        return Change.VERSION;
    }

    @Override
    public Set<String> options() {
        return Set.of(WRITE_SESSIONS_JSON, READ_SESSIONS_JSON, SESSIONS_JSON_INTERVAL, BUSY_PATIENCE, REPAIR_SCHEMA);
    }

    @Override
    public Storage open(StorageSettings settings) {
        NativeLibrary.use(settings.home(), settings.mode() == StorageSettings.Mode.READ_WRITE);
        return SqliteStorage.open(file(settings), settings);
    }

    /** Returns the lanes of {@code sessions/sessions.json}, for a database in the gateway's home. */
    @Override
    public Optional<List<Lane>> knownLanes(StorageSettings settings) {
        return SqliteStorage.mirrorFile(file(settings), settings).flatMap(mirror -> mirror.lanes(settings.warnings()));
    }

    private static DatabaseFile file(StorageSettings settings) {
        String address = settings.address().isBlank() ? DEFAULT_FILE : settings.address();
        return new DatabaseFile(settings.home().resolve(address));
    }
}
