package dev.parley.persistence.postgres.schema;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.persistence.postgres.connection.Connections;
import dev.parley.persistence.postgres.connection.PostgresAddress;
import dev.parley.persistence.postgres.connection.SqlErrors;
import dev.parley.persistence.postgres.statement.Statements;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * Makes the tables and brings them up to date. Each step is one transaction that begins by locking the version, so of several
 * processes that open a store at once one does it and the others wait; no lock of a session is taken, so poolers may stand between.
 */
public final class Schema {
    /** The version of the tables that is known here: the number of the last step. */
    public static final int VERSION = 7;

    private static final int ATTEMPTS = 5;
    /** What two processes that make the same thing at once are told. */
    private static final Set<String> MADE_MEANWHILE =
            Set.of("23505", "42P06", "42P07", "42710", "XX000", "40001", "40P01");

    private Schema() {}

    /** Sees to it that the tables are there and up to date. */
    public static void prepare(Connections connections) {
        PostgresAddress address = connections.address();
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = connections.patient()) {
                makeVersion(connection, address);
                while (step(connection, address)) {
                    // Each step brings the tables one version further.
                }
                return;
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || !MADE_MEANWHILE.contains(SqlErrors.state(e))) {
                    throw SqlErrors.translate(address, e);
                }
            }
        }
    }

    private static void makeVersion(Connection connection, PostgresAddress address) throws SQLException {
        Statements statements = new Statements(connection);
        if (statements.number("select count(*) from pg_namespace where nspname = ?", address.schema()) == 0) {
            statements.run("create schema if not exists " + address.schema());
        }
        if (!isThere(connection, address)) {
            connection.setAutoCommit(false);
            statements.run("create table if not exists parley_schema"
                    + " (only_row boolean primary key default true check (only_row), version int not null,"
                    + " min_reader int not null, store_id text not null)");
            statements.run("insert into parley_schema (version, min_reader, store_id)"
                    + " values (0, 0, md5(random()::text || clock_timestamp()::text)) on conflict do nothing");
            connection.commit();
            connection.setAutoCommit(true);
        }
    }

    private static boolean step(Connection connection, PostgresAddress address) throws SQLException {
        connection.setAutoCommit(false);
        try {
            Statements statements = new Statements(connection);
            long version = statements.number("select version from parley_schema for update");
            check(statements, address);
            if (version >= VERSION) {
                return false;
            }
            statements.run(step(version + 1));
            statements.update(
                    "update parley_schema set version = ?, min_reader = greatest(min_reader, 1)", version + 1);
            connection.commit();
            return true;
        } finally {
            connection.rollback();
            connection.setAutoCommit(true);
        }
    }

    /** Refuses a store that is not there, or whose tables a later version has changed. Changes nothing. */
    public static void check(Connections connections) {
        PostgresAddress address = connections.address();
        try (Connection connection = connections.work()) {
            if (!isThere(connection, address)) {
                throw new StorageUnavailable(
                        "There is no store in the database " + address
                                + "; check the address, or open it for writing, which makes one.",
                        null);
            }
            check(new Statements(connection), address);
        } catch (SQLException e) {
            throw SqlErrors.translate(address, e);
        }
    }

    private static void check(Statements statements, PostgresAddress address) throws SQLException {
        if (statements.number("select min_reader from parley_schema") > VERSION) {
            throw new StorageCorrupt(
                    "The tables of " + address + " were made by a later version of Parley (version "
                            + statements.number("select version from parley_schema") + ", known is " + VERSION
                            + "); use that version.",
                    null);
        }
    }

    private static boolean isThere(Connection connection, PostgresAddress address) throws SQLException {
        return new Statements(connection)
                        .number(
                                "select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                                        + " where n.nspname = ? and c.relname = 'parley_schema'",
                                address.schema())
                > 0;
    }

    private static String step(long step) {
        String name = step + ".sql";
        try (InputStream in = Schema.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("There is no step " + name + " of the tables.");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
