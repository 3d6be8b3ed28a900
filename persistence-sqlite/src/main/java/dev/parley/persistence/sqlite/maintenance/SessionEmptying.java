package dev.parley.persistence.sqlite.maintenance;

import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Deletes the messages of one session in short transactions, the oldest first, and leaves as much time between two as one has taken. Most of
 * that time is SQLite's, which takes each text out of the search index.
 */
final class SessionEmptying {
    /** A step deletes no more messages. */
    static final int MOST_ROWS = 200;

    /** A step deletes no more text, unless one message has more. */
    static final long MOST_CHARACTERS = 100_000;

    private static final long LONGEST_REST = Duration.ofMillis(100).toNanos();

    private final Connection writer;
    private final BusyRetry retry;
    private final String session;

    SessionEmptying(Connection writer, BusyRetry retry, String session) {
        this.writer = writer;
        this.retry = retry;
        this.session = session;
    }

    /**
     * Deletes until the rest is no longer than a step. Returns whether that is so; it is not where a lane is in the session, or the
     * search index is broken, which whoever deletes the session sets aside.
     */
    boolean run(BiConsumer<Long, Long> progress) throws SQLException {
        long total = count();
        long done = 0;
        while (true) {
            long begun = System.nanoTime();
            int deleted;
            try {
                deleted = retry.transaction(writer, this::step);
            } catch (SQLException e) {
                if (SearchIndex.isBroken(e)) {
                    return false;
                }
                throw e;
            }
            if (deleted == 0) {
                return !isInUse();
            }
            done += deleted;
            progress.accept(Math.min(done, total), total);
            LockSupport.parkNanos(this, Math.min(LONGEST_REST, System.nanoTime() - begun));
        }
    }

    private int step() throws SQLException {
        List<Long> rows = isInUse() ? List.of() : oldest();
        for (String delete :
                List.of("DELETE FROM parley_messages WHERE message_row = ?", "DELETE FROM messages WHERE id = ?")) {
            try (PreparedStatement statement = writer.prepareStatement(delete)) {
                for (long row : rows) {
                    statement.setLong(1, row);
                    statement.executeUpdate();
                }
            }
        }
        return rows.size();
    }

    /** Returns the rows of the next step; none where all that is left fits into one. */
    private List<Long> oldest() throws SQLException {
        List<Long> rows = new ArrayList<>();
        long characters = 0;
        try (PreparedStatement statement =
                        asked("SELECT id, coalesce(length(content), 0) + coalesce(length(tool_calls), 0)"
                                + " FROM messages WHERE session_id = ? ORDER BY timestamp, id LIMIT "
                                + (MOST_ROWS + 1));
                ResultSet result = statement.executeQuery()) {
            while (result.next()) {
                characters += result.getLong(2);
                if (rows.size() == MOST_ROWS || (characters > MOST_CHARACTERS && !rows.isEmpty())) {
                    return rows;
                }
                rows.add(result.getLong(1));
            }
        }
        return List.of();
    }

    private boolean isInUse() throws SQLException {
        return number("SELECT count(*) FROM parley_lanes WHERE session_id = ?") > 0;
    }

    private long count() throws SQLException {
        return number("SELECT count(*) FROM messages WHERE session_id = ?");
    }

    private long number(String sql) throws SQLException {
        try (PreparedStatement statement = asked(sql);
                ResultSet result = statement.executeQuery()) {
            return result.next() ? result.getLong(1) : 0;
        }
    }

    private PreparedStatement asked(String sql) throws SQLException {
        PreparedStatement statement = writer.prepareStatement(sql);
        statement.setString(1, session);
        return statement;
    }
}
