package dev.parley.persistence.postgres.statement;

import dev.parley.persistence.sql.statement.Queries;
import dev.parley.persistence.sql.statement.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several statements that go to the server together, so that all of them cost one round trip. For one thread. */
public final class Script {
    private final List<String> texts = new ArrayList<>();
    private final List<@Nullable Object> values = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();

    /** Begins without any statement. */
    public Script() {}

    /** Adds a statement that returns no rows. */
    public Script add(String sql, @Nullable Object... bound) {
        return put(sql, Answer.count(rows -> {}), bound);
    }

    /** Adds a statement that changes rows; {@code count} is told how many. */
    public Script add(String sql, Count count, @Nullable Object... bound) {
        return put(sql, Answer.count(count), bound);
    }

    /** Adds a statement that returns rows; {@code each} is given every one of them. */
    public Script rows(String sql, Queries.Each each, @Nullable Object... bound) {
        return put(sql, Answer.rows(each), bound);
    }

    private Script put(String sql, Answer answer, @Nullable Object... bound) {
        texts.add(sql);
        Collections.addAll(values, bound);
        answers.add(answer);
        return this;
    }

    /** Returns how many values its statements bind. */
    public int size() {
        return values.size();
    }

    /** Runs all statements and hands out what they return, in order. The first one that fails keeps those behind it from running. */
    public void run(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(String.join("; ", texts))) {
            for (int i = 0; i < values.size(); i++) {
                Values.bind(statement, i + 1, values.get(i));
            }
            statement.execute();
            for (Answer answer : answers) {
                answer.take(statement);
                statement.getMoreResults();
            }
        }
    }

    /** Takes how many rows a statement has changed. */
    @FunctionalInterface
    public interface Count {
        /** Takes the number. */
        void is(int rows) throws SQLException;
    }

    @FunctionalInterface
    private interface Answer {
        void take(PreparedStatement statement) throws SQLException;

        static Answer count(Count count) {
            return statement -> count.is(statement.getUpdateCount());
        }

        static Answer rows(Queries.Each each) {
            return statement -> {
                try (ResultSet result = statement.getResultSet()) {
                    Row row = StoredRow.of(result);
                    while (result.next()) {
                        each.accept(row);
                    }
                }
            };
        }
    }
}
