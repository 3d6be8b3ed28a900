package dev.parley.persistence.postgres;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Change;
import java.util.Set;

/**
 * Opens stores in PostgreSQL databases, version 14 and later. The address is {@code //HOST[:PORT]/DATABASE}, with several hosts where
 * there is a standby, and settings of the connection behind a question mark, such as {@code sslmode=verify-full}. It holds no
 * password.
 *
 * <p>Options:
 * <ul>
 *   <li>{@code user}: the role that logs in
 *   <li>{@code password_env}: the name of the variable that holds its password; without it the driver looks in {@code .pgpass}
 *   <li>{@code schema}: the schema of the tables ({@code parley} unless set); made where it is not there
 *   <li>{@code writers}, {@code readers}: how many connections there are at most (twice the processors, from 8 to 16; 8)
 *   <li>{@code statement_timeout_ms}: how long one statement may take, in milliseconds (5000)
 *   <li>{@code pooled}: {@code true} where a pooler in transaction mode stands between; the role then carries the settings of a
 *       session, and its search path leads to the schema
 *   <li>{@code busy_patience_ms}: for how long is waited for a connection, in milliseconds (5000)
 * </ul>
 *
 * <p>Made by the service loader.
 */
public final class PostgresStorageProvider implements StorageProvider {
    static final String USER = "user";
    static final String PASSWORD_ENV = "password_env";
    static final String SCHEMA = "schema";
    static final String WRITERS = "writers";
    static final String READERS = "readers";
    static final String STATEMENT_TIMEOUT = "statement_timeout_ms";
    static final String POOLED = "pooled";
    static final String BUSY_PATIENCE = "busy_patience_ms";

    @Override
    public String scheme() {
        return "postgres";
    }

    @Override
    public int changeVersion() {
        return Change.VERSION;
    }

    @Override
    public Set<String> options() {
        return Set.of(USER, PASSWORD_ENV, SCHEMA, WRITERS, READERS, STATEMENT_TIMEOUT, POOLED, BUSY_PATIENCE);
    }

    @Override
    public void check(StorageSettings settings) {
        Options.of(settings);
    }

    @Override
    public Storage open(StorageSettings settings) {
        return PostgresStorage.open(Options.of(settings), settings);
    }
}
