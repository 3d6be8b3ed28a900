package dev.parley.benchmarks;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.session.Viewer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A search through the port, context of each hit included, against the same statements on plain JDBC. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class SqliteSearchBenchmark {
    private static final String PLAIN_CONTEXT =
            "SELECT * FROM (SELECT role, content FROM messages WHERE session_id = ? AND (timestamp, id) < (?, ?)"
                    + " ORDER BY timestamp DESC, id DESC LIMIT 1) UNION ALL SELECT role, content FROM messages WHERE id = ?"
                    + " UNION ALL SELECT * FROM (SELECT role, content FROM messages WHERE session_id = ?"
                    + " AND (timestamp, id) > (?, ?) ORDER BY timestamp, id LIMIT 1)";

    /** How many messages there are. */
    @Param("100000")
    public int messages;

    /** What is searched: two words, a word in every tenth message, three Chinese characters. */
    @Param({"word17 word42", "common", "大别山"})
    public String query = "";

    private Path home = Path.of("");
    private @Nullable Storage storage;
    private @Nullable Connection connection;

    /** Makes and fills the store. */
    @Setup(Level.Trial)
    public void fill() throws IOException, SQLException {
        home = SearchFiles.folder();
        SearchFiles.fill(home, messages);
        storage = SearchFiles.open(home, StorageSettings.Mode.READ_WRITE);
        connection = SearchFiles.connect(home);
    }

    /** Removes it. */
    @TearDown(Level.Trial)
    public void remove() throws IOException, SQLException {
        opened(connection).close();
        opened(storage).close();
        SearchFiles.remove(home);
    }

    /** Best match first, through the port. */
    @Benchmark
    public List<SearchHit> bestThroughThePort() {
        return opened(storage).search().search(SearchQuery.of(query));
    }

    /** Best match first, on plain JDBC. */
    @Benchmark
    public List<String> bestOnPlainJdbc() throws SQLException {
        return plain("rank");
    }

    /** Newest first, through the port. */
    @Benchmark
    public List<SearchHit> newestThroughThePort() {
        return opened(storage)
                .search()
                .search(new SearchQuery(
                        query,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        20,
                        0,
                        Optional.of(SearchQuery.Sort.NEWEST),
                        Viewer.operator()));
    }

    /** Newest first by time, on plain JDBC, which reads every match. */
    @Benchmark
    public List<String> newestOnPlainJdbc() throws SQLException {
        return plain("m.timestamp DESC, rank");
    }

    private static String plainSearch(String table, String order) {
        return "SELECT m.id, m.session_id, m.role, snippet(" + table + ", 0, '>>>', '<<<', '...', 40) AS snippet,"
                + " m.timestamp, m.tool_name, s.source, s.model, s.started_at FROM " + table
                + " JOIN messages m ON m.id = "
                + table + ".rowid JOIN sessions s ON s.id = m.session_id WHERE " + table + " MATCH ? ORDER BY " + order
                + " LIMIT 20";
    }

    private List<String> plain(String order) throws SQLException {
        String table = query.codePointAt(0) < 128 ? "messages_fts" : "messages_fts_trigram";
        List<String> found = new ArrayList<>();
        try (PreparedStatement hits = opened(connection).prepareStatement(plainSearch(table, order));
                PreparedStatement context = opened(connection).prepareStatement(PLAIN_CONTEXT)) {
            hits.setString(1, query);
            try (ResultSet rows = hits.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString("snippet"));
                    context.setString(1, rows.getString("session_id"));
                    context.setDouble(2, rows.getDouble("timestamp"));
                    context.setLong(3, rows.getLong("id"));
                    context.setLong(4, rows.getLong("id"));
                    context.setString(5, rows.getString("session_id"));
                    context.setDouble(6, rows.getDouble("timestamp"));
                    context.setLong(7, rows.getLong("id"));
                    try (ResultSet lines = context.executeQuery()) {
                        while (lines.next()) {
                            found.add(lines.getString("content"));
                        }
                    }
                }
            }
        }
        return found;
    }

    private static <T> T opened(@Nullable T made) {
        return Objects.requireNonNull(made);
    }
}
