package dev.parley.persistence.sqlite;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import java.nio.file.Path;
import java.util.Set;

/**
 * Opens SQLite databases. The address is the path of the file, {@code state.db} in the gateway's home where it is empty.
 *
 * <p>Options, for a database that lies in the gateway's home:
 * <ul>
 *   <li>{@code write_sessions_json}: whether the lanes are mirrored to {@code sessions/sessions.json} ({@code true} unless set
 *       to {@code false})
 *   <li>{@code sessions_json_interval_ms}: the least time between a change and its mirroring, in milliseconds (1000)
 * </ul>
 *
 * <p>Made by the service loader.
 */
public final class SqliteStorageProvider implements StorageProvider {
    private static final String DEFAULT_FILE = "state.db";

    static final String WRITE_SESSIONS_JSON = "write_sessions_json";
    static final String SESSIONS_JSON_INTERVAL = "sessions_json_interval_ms";

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
        return Set.of(WRITE_SESSIONS_JSON, SESSIONS_JSON_INTERVAL);
    }

    @Override
    public Storage open(StorageSettings settings) {
        String address = settings.address().isBlank() ? DEFAULT_FILE : settings.address();
        Path file = settings.home().resolve(address);
        return SqliteStorage.open(new DatabaseFile(file), settings);
    }
}
