package dev.parley.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A search by plain statements, which are prepared once. */
final class PlainSearch implements AutoCloseable {
    private static final String CONTEXT =
            "select * from (select role, content from messages where session_id = ? and (timestamp, id) < (?, ?)"
                    + " order by timestamp desc, id desc limit 1) union all select role, content from messages where id = ?"
                    + " union all select * from (select role, content from messages where session_id = ?"
                    + " and (timestamp, id) > (?, ?) order by timestamp, id limit 1)";

    private final Connection connection;
    private final PreparedStatement hits;
    private final PreparedStatement context;
    private final List<String> values;

    PlainSearch(Path file, SearchCase asked) throws SQLException {
        connection = Stores.plain(file);
        hits = connection.prepareStatement(asked.statement());
        context = connection.prepareStatement(CONTEXT);
        values = asked.bound();
    }

    /** Returns the snippet of each hit, and what was said before and after it. */
    List<String> search() throws SQLException {
        List<String> found = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            hits.setString(i + 1, values.get(i));
        }
        try (ResultSet rows = hits.executeQuery()) {
            while (rows.next()) {
                found.add(rows.getString("snippet"));
                around(rows.getString("session_id"), rows.getDouble("timestamp"), rows.getLong("id"), found);
            }
        }
        return found;
    }

    private void around(String session, double timestamp, long id, List<String> found) throws SQLException {
        context.setString(1, session);
        context.setDouble(2, timestamp);
        context.setLong(3, id);
        context.setLong(4, id);
        context.setString(5, session);
        context.setDouble(6, timestamp);
        context.setLong(7, id);
        try (ResultSet lines = context.executeQuery()) {
            while (lines.next()) {
                found.add(lines.getString("role"));
                found.add(lines.getString("content"));
            }
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
