package dev.parley.benchmarks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The same rows as the store's by plain JDBC on the same tables in a schema of their own, in as many round trips. For one thread. */
final class PlainPostgres implements AutoCloseable {
    private static final long NANOS = 1_000_000_000L;

    private final Connection connection;
    private final PreparedStatement lock;
    private final PreparedStatement append;
    private final PreparedStatement waiting;
    private final PreparedStatement claim;
    private final PreparedStatement lane;
    private final PreparedStatement load;
    private final PreparedStatement search;

    PlainPostgres(String url, String schema) throws SQLException {
        connection = DriverManager.getConnection(url + "&currentSchema=" + schema);
        lock = connection.prepareStatement(
                "begin; select sequence from parley_writers where writer = ? for no key update;"
                        + " select * from parley_session_use where session_id = ? for no key update");
        append = connection.prepareStatement(
                "insert into parley_messages (session_id, state, uid, role, content, parts, at,"
                        + " kind, terms) values (?, 0, ?, 'user', ?, false, ?, 'plain', ?::tsvector);"
                        + " update parley_session_use set message_count = message_count + 1, latest = ?, last_active = ?"
                        + " where session_id = ?; insert into parley_writers values (?, ?, ?) on conflict (writer) do update"
                        + " set sequence = excluded.sequence, at = excluded.at; commit");
        waiting = connection.prepareStatement(
                "begin; select sequence from parley_writers where writer = ? for no key update;"
                        + " select * from parley_inbound where id = ? for no key update");
        claim = connection.prepareStatement("update parley_inbound set state = 'claimed', turn_id = ? where id = ?;"
                + " insert into parley_turns (id, lane, session_id, run, state, inputs, started_at, input_tokens,"
                + " output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, api_calls, tool_calls, token)"
                + " values (?, ?, ?, 'r', 'claimed', '[]', ?, 0, 0, 0, 0, 0, 0, 0, 0); insert into parley_writers values (?, ?, ?)"
                + " on conflict (writer) do update set sequence = excluded.sequence, at = excluded.at; commit");
        lane = connection.prepareStatement("select * from parley_lanes where lane = ?");
        load = connection.prepareStatement(
                "select * from parley_messages where session_id = ? and state = 0 order by seq");
        search = connection.prepareStatement(
                "select m.*, s.source from parley_messages m join parley_sessions s on s.id ="
                        + " m.session_id where m.terms @@ ?::tsquery and m.state <> 2 order by m.at desc limit 20");
    }

    void append(String session, String writer, long number, String text, String terms) throws SQLException {
        lock.setString(1, writer);
        lock.setString(2, session);
        lock.execute();
        finish(lock);
        append.setString(1, session);
        append.setString(2, "p" + number);
        append.setString(3, text);
        append.setLong(4, number * NANOS);
        append.setString(5, terms);
        append.setLong(6, number * NANOS);
        append.setLong(7, number * NANOS);
        append.setString(8, session);
        append.setString(9, writer);
        append.setLong(10, number);
        append.setLong(11, number * NANOS);
        append.execute();
        finish(append);
    }

    /** Claims a message that waits for a turn of a new name. */
    void claim(String lane, String session, String inbound, String turn, String writer, long number)
            throws SQLException {
        waiting.setString(1, writer);
        waiting.setString(2, inbound);
        waiting.execute();
        finish(waiting);
        claim.setString(1, turn);
        claim.setString(2, inbound);
        claim.setString(3, turn);
        claim.setString(4, lane);
        claim.setString(5, session);
        claim.setLong(6, number * NANOS);
        claim.setString(7, writer);
        claim.setLong(8, number);
        claim.setLong(9, number * NANOS);
        claim.execute();
        finish(claim);
    }

    void findLane(String key) throws SQLException {
        lane.setString(1, key);
        read(lane);
    }

    void load(String session) throws SQLException {
        load.setString(1, session);
        read(load);
    }

    void search(String query) throws SQLException {
        search.setString(1, query);
        read(search);
    }

    private static void finish(PreparedStatement statement) throws SQLException {
        while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
            // The next one.
        }
    }

    private static void read(PreparedStatement statement) throws SQLException {
        try (ResultSet result = statement.executeQuery()) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                for (int i = 1; i <= columns; i++) {
                    result.getString(i);
                }
            }
        }
    }

    /** Runs a statement that takes no values. */
    void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
