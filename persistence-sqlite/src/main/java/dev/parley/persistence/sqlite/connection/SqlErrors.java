package dev.parley.persistence.sqlite.connection;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What the errors of SQLite mean to a caller. The only place where they are translated. */
public final class SqlErrors {
    private static final int ERROR = 1;
    private static final int INTERNAL = 2;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int NO_MEMORY = 7;
    private static final int READ_ONLY = 8;
    private static final int IO = 10;
    private static final int CORRUPT = 11;
    private static final int NOT_FOUND = 12;
    private static final int FULL = 13;
    private static final int INTERRUPTED = 9;
    private static final int CANNOT_OPEN = 14;
    private static final int TOO_BIG = 18;
    private static final int CONSTRAINT = 19;
    private static final int MISMATCH = 20;
    private static final int MISUSE = 21;
    private static final int FORMAT = 24;
    private static final int RANGE = 25;
    private static final int NOT_A_DATABASE = 26;

    private static final Pattern UNREADABLE_ENTRY =
            Pattern.compile("malformed database schema \\(((?:messages_fts|parley_indexed)\\w*)\\)");

    private SqlErrors() {}

    /** Returns the primary result code behind a failure, or -1 where SQLite has no part in it. */
    public static int code(Throwable failure) {
        SQLException sql = sql(failure);
        if (sql instanceof SQLiteException sqlite) {
            return sqlite.getResultCode().code & 0xff;
        }
        return sql == null ? -1 : sql.getErrorCode() & 0xff;
    }

    /** Returns whether another connection held a lock that was needed: the whole transaction may be tried again. */
    public static boolean isBusy(Throwable failure) {
        int code = code(failure);
        return code == BUSY || code == LOCKED;
    }

    /** Returns whether there was no space left for what was to be written, temporary tables included. */
    public static boolean isFull(Throwable failure) {
        return code(failure) == FULL;
    }

    /** Returns whether a statement was stopped before its end because that was asked for. */
    public static boolean isInterrupted(Throwable failure) {
        return code(failure) == INTERRUPTED;
    }

    /** Returns whether a statement was refused for what it says: its syntax, or a name that does not exist. */
    public static boolean isRefusedStatement(Throwable failure) {
        return code(failure) == ERROR && !isIndexDamaged(failure);
    }

    /** Returns whether a full-text index did not understand a query. */
    public static boolean isRefusedQuery(Throwable failure) {
        return isRefusedStatement(failure) && detail(failure).contains("fts5: ");
    }

    /**
     * Returns the entry of the list of tables that SQLite could not read, where it is one of the search index; absent where something else
     * failed.
     */
    public static Optional<String> unreadableIndexEntry(Throwable failure) {
        Matcher named = UNREADABLE_ENTRY.matcher(detail(failure));
        return named.find() ? Optional.of(named.group(1)) : Optional.empty();
    }

    /** Returns whether SQLite found the file damaged. */
    public static boolean isDamaged(Throwable failure) {
        return code(failure) == CORRUPT;
    }

    /** Returns whether SQLite said that a full-text index is damaged; some of its damages it reports as those of the file. */
    public static boolean isIndexDamaged(Throwable failure) {
        SQLException sql = sql(failure);
        boolean named = sql != null
                && Stream.of("vtable constructor failed", "fts5 file format", "messages_fts")
                        .anyMatch(String.valueOf(sql.getMessage())::contains);
        return named
                || (sql instanceof SQLiteException sqlite
                        && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_CORRUPT_VTAB);
    }

    /**
     * Returns whether the search index may be what failed. SQLite reports its damages in many ways: as damage of the file, as a table
     * that is not there, as a rule that an unnamed row broke. Whoever wants to know tries again without the index.
     */
    public static boolean mayBeIndex(Throwable failure) {
        return switch (code(failure)) {
            case ERROR, INTERNAL, CORRUPT, NOT_FOUND, TOO_BIG, MISMATCH, MISUSE, FORMAT, RANGE -> true;
            case CONSTRAINT -> breaksNoRuleOfATable(failure);
            default -> isIndexDamaged(failure);
        };
    }

    /** Returns whether a unique, foreign key or not-null rule of a table refused a row. */
    public static boolean isConstraint(Throwable failure) {
        return code(failure) == CONSTRAINT && !breaksNoRuleOfATable(failure);
    }

    /**
     * The rules of the tables are named in the message; those inside a full-text index are not, or with its name. No trigger but those of
     * the index refuses anything.
     */
    private static boolean breaksNoRuleOfATable(Throwable failure) {
        return detail(failure).equals("constraint failed")
                || isIndexDamaged(failure)
                || (sql(failure) instanceof SQLiteException sqlite
                        && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_TRIGGER);
    }

    /** Returns the failure as the application knows it, with one line that says what to do; one that is known is returned. */
    public static ParleyException translate(DatabaseFile file, Throwable failure) {
        if (failure instanceof ParleyException known) {
            return known;
        }
        String where = "The database " + file;
        if (detail(failure).contains("malformed database schema")) {
            return new StorageCorrupt(
                    where + " is damaged in its list of tables (" + detail(failure)
                            + "); \"parley storage upgrade\" keeps a copy and repairs what can be repaired.",
                    failure);
        }
        if (isIndexDamaged(failure)) {
            return new StorageCorrupt(
                    "The search index of " + file + " is damaged (" + detail(failure)
                            + "); run \"parley storage upgrade\" to rebuild it, no message is lost.",
                    failure);
        }
        return switch (code(failure)) {
            case BUSY, LOCKED ->
                new StorageUnavailable(where + " is locked by another process; try again when it is done.", failure);
            case READ_ONLY ->
                new StorageUnavailable(
                        where + " cannot be written; check the permissions of it and its folder.", failure);
            case FULL ->
                StorageUnavailable.outOfSpace(where + " cannot grow: the disk is full; free some space.", failure);
            case IO ->
                new StorageUnavailable(
                        where + " cannot be read or written (" + detail(failure) + "); check the disk.", failure);
            case CANNOT_OPEN ->
                new StorageUnavailable(
                        where + " cannot be opened; check that it and its folder exist and may be used.", failure);
            case NO_MEMORY -> new StorageUnavailable(where + " needs more memory than there is.", failure);
            case CORRUPT, FORMAT ->
                new StorageCorrupt(
                        where + " is damaged (" + detail(failure)
                                + "); restore a copy, and keep this file until that is done.",
                        failure);
            case NOT_A_DATABASE -> notADatabase(file, failure);
            default -> new StorageUnavailable(where + " refused an operation (" + detail(failure) + ").", failure);
        };
    }

    static StorageCorrupt notADatabase(DatabaseFile file, @Nullable Throwable cause) {
        return new StorageCorrupt(
                "The file " + file + " is not a SQLite database; give another path, or move it away.", cause);
    }

    /** Returns SQLite's own words on one line, without its decorations. */
    public static String detail(Throwable failure) {
        SQLException sql = sql(failure);
        String message = sql == null ? failure.getMessage() : sql.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        String plain = message.replaceFirst("^\\[SQLITE_\\w+]\\s*", "")
                .replaceAll("\\s+", " ")
                .strip();
        int brackets = plain.indexOf(" (");
        boolean doubled = plain.endsWith(")") && brackets > 0;
        return (doubled ? plain.substring(brackets + 2, plain.length() - 1) : plain).toLowerCase(Locale.ROOT);
    }

    private static @Nullable SQLException sql(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }
}
