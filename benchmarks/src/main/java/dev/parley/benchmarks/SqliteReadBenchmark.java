package dev.parley.benchmarks;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Conversation;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Loading 1,000 messages and listing 20 of 10,000 sessions, through the ports and by plain JDBC on the same content. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 2, time = 3)
@Fork(1)
public class SqliteReadBenchmark {
    private static final SessionId LONG = SessionId.of("long");
    private static final SessionQuery LATEST = SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE);

    @SuppressWarnings("NullAway.Init")
    private SqliteFiles files;

    @SuppressWarnings("NullAway.Init")
    private PreparedStatement messages;

    @SuppressWarnings("NullAway.Init")
    private PreparedStatement replayed;

    @SuppressWarnings("NullAway.Init")
    private PreparedStatement latest;

    @SuppressWarnings("NullAway.Init")
    private PreparedStatement started;

    /** Makes the files. */
    @Setup(Level.Trial)
    public void open() throws IOException, SQLException {
        List<Change> changes = SqliteFiles.sessions(10_000, 2);
        changes.add(new Change.CreateSession(SqliteFiles.session("long", SqliteFiles.START)));
        List<Message> said = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            said.add(SqliteFiles.spoken(i, SqliteFiles.START.plusSeconds(i)));
        }
        changes.add(new Change.AppendMessages(LONG, said));
        files = new SqliteFiles(store -> SqliteFiles.commit(store, changes));
        messages = files.plain()
                .prepareStatement("select m.id, m.session_id, m.role, m.content, m.tool_call_id, m.tool_calls,"
                        + " m.tool_name, m.timestamp, m.token_count, m.finish_reason, m.reasoning, m.reasoning_content,"
                        + " m.reasoning_details, m.codex_reasoning_items, m.codex_message_items, p.uid,"
                        + " p.platform_message_id, p.kind from messages m"
                        + " left join parley_messages p on p.message_row = m.id where m.session_id = ? order by m.id");
        replayed = files.plain()
                .prepareStatement("select role, content, tool_call_id, tool_calls, tool_name, finish_reason, reasoning,"
                        + " reasoning_content, reasoning_details, codex_reasoning_items, codex_message_items from messages"
                        + " where session_id = ? order by id");
        String listed = "select s.*, p.lane, p.origin, coalesce((select m.timestamp from messages m"
                + " where m.session_id = s.id order by m.timestamp desc limit 1), s.started_at) as latest,"
                + " coalesce((select substr(m.content, 1, 63) from messages m where m.session_id = s.id"
                + " and m.role = 'user' and m.content is not null order by m.timestamp, m.id limit 1), '') as preview"
                + " from ";
        String parent = " left join sessions parent on parent.id = s.parent_session_id";
        String shown =
                " (s.parent_session_id is null or parent.end_reason = 'branched' and s.started_at >= parent.ended_at)";
        latest = files.plain()
                .prepareStatement(listed + "parley_sessions p cross join sessions s" + parent
                        + " where s.id = p.session_id and" + shown + " order by p.last_active desc limit 20");
        started = files.plain()
                .prepareStatement(listed + "sessions s left join parley_sessions p on p.session_id = s.id" + parent
                        + " where" + shown + " order by s.started_at desc, s.id desc limit 20");
    }

    /** Removes the files. */
    @TearDown(Level.Trial)
    public void close() throws IOException, SQLException {
        files.close();
    }

    /** A thousand messages of a session. */
    @Benchmark
    public List<StoredMessage> loadThousand() {
        return files.store().transcripts().load(LONG);
    }

    /** A thousand messages of a session by plain JDBC: every column read, nothing made of it. */
    @Benchmark
    public void loadThousandPlain(Blackhole hole) throws SQLException {
        messages.setString(1, LONG.value());
        walk(messages, hole);
    }

    /** A thousand messages of a session in the form an agent gets them. */
    @Benchmark
    public List<Message> replayThousand() {
        return Conversation.of(files.store().transcripts().load(LONG));
    }

    /** The columns of that form by plain JDBC, with nothing made of them. */
    @Benchmark
    public void replayThousandPlain(Blackhole hole) throws SQLException {
        replayed.setString(1, LONG.value());
        walk(replayed, hole);
    }

    /** Twenty of ten thousand sessions, the last active first. */
    @Benchmark
    public List<SessionListing> listLastActive() {
        return files.store().sessions().list(LATEST);
    }

    /** The same by plain JDBC. */
    @Benchmark
    public void listLastActivePlain(Blackhole hole) throws SQLException {
        walk(latest, hole);
    }

    /** Twenty of ten thousand sessions, the newest first. */
    @Benchmark
    public List<SessionListing> listNewest() {
        return files.store().sessions().list(SessionQuery.usual());
    }

    /** The same by plain JDBC. */
    @Benchmark
    public void listNewestPlain(Blackhole hole) throws SQLException {
        walk(started, hole);
    }

    private static void walk(PreparedStatement statement, Blackhole hole) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int i = 1; i <= columns; i++) {
                    hole.consume(rows.getObject(i));
                }
            }
        }
    }
}
