package dev.parley.persistence.postgres.connection;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;

/** What the errors of PostgreSQL mean to a caller, by their SQLSTATE. The only place where they are translated. */
public final class SqlErrors {
    private static final Set<String> RACES = Set.of("23505", "23503", "23514");
    private static final Set<String> AGAIN = Set.of("40001", "40P01");
    private static final Set<String> GONE = Set.of("57P01", "57P02", "57P03", "57P05", "25006", "53300", "53400");
    private static final Set<String> LATE = Set.of("55P03", "57014", "25P03", "25P04");
    private static final Set<String> NOT_OURS = Set.of("42P01", "3F000", "42703", "42804");
    private static final Set<String> DAMAGED = Set.of("XX001", "XX002");
    private static final Set<String> TOO_MUCH = Set.of("54000", "54001", "22001", "22003", "22021", "22P05", "22P02");

    private SqlErrors() {}

    /** Returns the SQLSTATE behind a failure; empty where there is none. */
    public static String state(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "";
    }

    /** Returns whether another transaction was in the way, so that the whole transaction is repeated. */
    public static boolean isAgain(Throwable failure) {
        return AGAIN.contains(state(failure));
    }

    /** Returns whether the server gave a statement up because a lock, or the statement itself, took too long. */
    public static boolean isLate(Throwable failure) {
        String state = state(failure);
        return LATE.contains(state) && state.startsWith("5");
    }

    /** Returns whether a unique index or another rule refused a row: somebody was faster, or the row cannot be stored. */
    public static boolean isRace(Throwable failure) {
        return RACES.contains(state(failure));
    }

    /** Returns whether the connection is of no use any more. */
    public static boolean isGone(Throwable failure) {
        String state = state(failure);
        return state.startsWith("08") || GONE.contains(state) || (LATE.contains(state) && !state.startsWith("5"));
    }

    /** Returns whether the server's certificate was refused: it is of somebody else, or made for another host. */
    private static boolean isUntrusted(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            // The driver says in its own words that a certificate is for another host, and names the class that found
            // it.
            if (each instanceof SSLException
                    || (each instanceof SQLException
                            && String.valueOf(each.getMessage()).contains("HostnameVerifier"))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the server was asked for TLS and has none, which only the driver's words tell from others that refuse. */
    private static boolean hasNoTls(Throwable failure) {
        return state(failure).equals("08004") && detail(failure).contains("does not support SSL");
    }

    /** Returns whether a row cannot be stored, whoever else writes. */
    public static boolean isUnstorable(Throwable failure) {
        return TOO_MUCH.contains(state(failure));
    }

    /** Returns the failure as the application knows it, with one line that says what to do; one that is known is returned. */
    public static ParleyException translate(PostgresAddress address, Throwable failure) {
        if (failure instanceof ParleyException known) {
            return known;
        }
        String where = "The database " + address;
        String state = state(failure);
        if (DAMAGED.contains(state)) {
            return new StorageCorrupt(
                    where + " is damaged (" + detail(failure)
                            + "); restore a copy, and keep this one until that is done.",
                    failure);
        }
        if (NOT_OURS.contains(state)) {
            return new StorageCorrupt(
                    where + " lacks a table or column that it must have (" + detail(failure)
                            + "); name another schema, or restore a copy.",
                    failure);
        }
        if (state.equals("53100")) {
            return StorageUnavailable.outOfSpace(
                    where + " cannot grow: the disk of the server is full; free some space.", failure);
        }
        if (state.equals("25006")) {
            return new StorageUnavailable(
                    where + " cannot be written: the server is a standby, or was set to be read only.", failure);
        }
        if (state.startsWith("28")) {
            return new StorageUnavailable(
                    where + " refused the login; check user and password of storage.options.", failure);
        }
        if (state.equals("3D000")) {
            return new StorageUnavailable(where + " does not exist; create it, or name another.", failure);
        }
        if (state.equals("53300")) {
            return new StorageUnavailable(
                    where
                            + " takes no more connections; raise max_connections, or lower storage.options.writers and readers.",
                    failure);
        }
        if (isUntrusted(failure)) {
            return new StorageUnavailable(
                    where + " did not prove who it is (" + detail(failure)
                            + "); check its certificate, the host in storage.url, and sslrootcert behind it.",
                    failure);
        }
        if (hasNoTls(failure)) {
            return new StorageUnavailable(
                    where + " speaks no TLS, which sslmode of storage.url asks for; switch it on at the server.",
                    failure);
        }
        if (isGone(failure)) {
            return new StorageUnavailable(
                    where + " cannot be reached (" + detail(failure) + "); check that the server runs.", failure);
        }
        if (LATE.contains(state)) {
            return new StorageUnavailable(where + " took too long (" + detail(failure) + "); repeat it.", failure);
        }
        if (isUnstorable(failure)) {
            return new InvalidRequest(where + " cannot hold this (" + detail(failure) + ").", failure);
        }
        if (failure instanceof SQLTransientConnectionException) {
            return new StorageUnavailable(
                    where + " is busy: no connection was free in time; raise storage.options.writers and readers.",
                    failure);
        }
        return new StorageUnavailable(where + " refused an operation (" + detail(failure) + ").", failure);
    }

    /** Returns the server's own words on one line, without values: what a rule refused may be what people said. */
    public static String detail(Throwable failure) {
        String message = Optional.ofNullable(failure.getMessage()).orElse("");
        for (Throwable each = failure.getCause(); each != null; each = each.getCause()) {
            if (each instanceof SQLException && each.getMessage() != null) {
                message = each.getMessage();
            }
        }
        String first = message.lines().findFirst().orElse("").replaceFirst("^(ERROR|FATAL|PANIC): ", "");
        String state = state(failure);
        if (state.startsWith("22")) {
            return "a value that no column takes, " + state;
        }
        return (first.isBlank() ? failure.getClass().getSimpleName() : first.strip())
                + (state.isEmpty() ? "" : ", " + state);
    }
}
