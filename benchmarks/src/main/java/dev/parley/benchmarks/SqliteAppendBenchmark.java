package dev.parley.benchmarks;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Appending one message and being sure of it, through the port and by plain JDBC with the same rows on the same schema. Both are
 * durable on return ({@code synchronous=FULL}); plain JDBC writes the message, what the store keeps beside it and the counters.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 4)
@Measurement(iterations = 3, time = 4)
@Fork(1)
public class SqliteAppendBenchmark {
    private static final SessionId SESSION = SessionId.of("s0");
    private static final int TOGETHER = 64;

    /** How many messages there are already. */
    @Param({"0", "100000"})
    public int messages;

    private final AtomicLong numbers = new AtomicLong();

    @SuppressWarnings("NullAway.Init")
    private SqliteFiles files;

    @SuppressWarnings("NullAway.Init")
    private Plain plain;

    /** Makes the files. */
    @Setup(Level.Trial)
    public void open() throws IOException, SQLException {
        files = SqliteFiles.with(messages, store -> SqliteFiles.commit(store, SqliteFiles.sessions(8, 10)));
        plain = new Plain(files.plain());
    }

    /** Removes the files. */
    @TearDown(Level.Trial)
    public void close() throws IOException, SQLException {
        files.close();
    }

    private Message message(long number) {
        return SqliteFiles.message("b" + number, SqliteFiles.START.plusMillis(number));
    }

    private CommitResult append(int messages) {
        long first = numbers.addAndGet(messages);
        List<Message> said = new ArrayList<>(messages);
        for (int i = 0; i < messages; i++) {
            said.add(message(first - i));
        }
        return files.store()
                .ledger()
                .commit(new Batch(
                        new BatchId("w" + Thread.currentThread().getId(), first),
                        List.of(),
                        List.of(new Change.AppendMessages(SESSION, said))));
    }

    /** One message, one commit. */
    @Benchmark
    public CommitResult one() {
        return append(1);
    }

    /** One message, one commit, by plain JDBC. */
    @Benchmark
    public long onePlain() throws SQLException {
        return plain.append(numbers.addAndGet(1), 1);
    }

    /** One message, one commit, by eight threads at once. */
    @Benchmark
    @Threads(8)
    public CommitResult oneByEightThreads() {
        return append(1);
    }

    /** Sixty-four messages in one commit. */
    @Benchmark
    public CommitResult manyTogether() {
        return append(TOGETHER);
    }

    /** Sixty-four messages in one commit, by plain JDBC. */
    @Benchmark
    public long manyTogetherPlain() throws SQLException {
        return plain.append(numbers.addAndGet(TOGETHER), TOGETHER);
    }

    private static final class Plain {
        private final Connection connection;
        private final PreparedStatement message;
        private final PreparedStatement extra;
        private final PreparedStatement counters;
        private final PreparedStatement active;
        private final PreparedStatement writer;
        private long row = 100_000_000;

        Plain(Connection connection) throws SQLException {
            this.connection = connection;
            this.message = connection.prepareStatement(
                    "insert into messages(id, session_id, role, content, tool_call_id,"
                            + " tool_calls, tool_name, timestamp, token_count, finish_reason, reasoning, reasoning_content,"
                            + " reasoning_details, codex_reasoning_items, codex_message_items)"
                            + " values (?, ?, 'user', ?, null, null, null, ?, null, null, null, null, null, null, null)");
            this.extra = connection.prepareStatement(
                    "insert into parley_messages(message_row, uid, session_id, kind) values (?, ?, ?, 'plain')");
            this.counters =
                    connection.prepareStatement("update sessions set message_count = message_count + ? where id = ?");
            this.active = connection.prepareStatement(
                    "update parley_sessions set last_active = max(last_active, ?) where session_id = ?");
            this.writer = connection.prepareStatement(
                    "insert into parley_writers(writer, sequence, at) values ('plain', ?, 0)"
                            + " on conflict(writer) do update set sequence = excluded.sequence");
        }

        long append(long number, int messages) throws SQLException {
            try (Statement transaction = connection.createStatement()) {
                transaction.execute("begin immediate");
                double at = SqliteFiles.START.getEpochSecond() + number / 1000.0;
                for (int i = 0; i < messages; i++) {
                    row++;
                    message.setLong(1, row);
                    message.setString(2, SESSION.value());
                    message.setString(3, SqliteFiles.TEXT);
                    message.setDouble(4, at);
                    message.executeUpdate();
                    extra.setLong(1, row);
                    extra.setString(2, "p" + row);
                    extra.setString(3, SESSION.value());
                    extra.executeUpdate();
                }
                counters.setLong(1, messages);
                counters.setString(2, SESSION.value());
                counters.executeUpdate();
                active.setDouble(1, at);
                active.setString(2, SESSION.value());
                active.executeUpdate();
                writer.setLong(1, number);
                writer.executeUpdate();
                transaction.execute("commit");
            }
            return row;
        }
    }
}
