package dev.parley.benchmarks;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.usage.TokenUsage;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.Blackhole;

/** Finding and touching one lane among few and among many, through the ports and by plain JDBC. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 2, time = 3)
@Fork(1)
public class SqliteLaneBenchmark {
    /** How many lanes there are. */
    @Param({"10", "100000"})
    private int lanes;

    private long next;

    @SuppressWarnings("NullAway.Init")
    private SqliteFiles files;

    @SuppressWarnings("NullAway.Init")
    private PreparedStatement find;

    @SuppressWarnings("NullAway.Init")
    private PreparedStatement touch;

    /** Makes the files. */
    @Setup(Level.Trial)
    public void open() throws IOException, SQLException {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < lanes; i++) {
            SessionSource source = SessionSource.builder(Platform.TELEGRAM, "c" + i)
                    .userId("u" + i)
                    .build();
            changes.add(new Change.PutLane(new Lane(
                    SessionEntry.begin(key(i), SessionId.of("s" + i), source, SqliteFiles.START, Beginning.ordinary()),
                    1)));
        }
        files = new SqliteFiles(store -> SqliteFiles.commit(store, changes));
        find = files.plain().prepareStatement("select * from parley_lanes where lane = ?");
        touch = files.plain()
                .prepareStatement("update parley_lanes set updated_at = max(updated_at, ?),"
                        + " input_tokens = input_tokens + ?, total_tokens = total_tokens + ?, expiry_finalized = 0"
                        + " where lane = ? and session_id = ?");
    }

    /** Removes the files. */
    @TearDown(Level.Trial)
    public void close() throws IOException, SQLException {
        files.close();
    }

    private static SessionKey key(long number) {
        return SessionKey.of("agent:main:telegram:dm:c" + number);
    }

    private long number() {
        next = (next + 7919) % lanes;
        return next;
    }

    /** One lane by its key. */
    @Benchmark
    public Optional<Lane> find() {
        return files.store().lanes().find(key(number()));
    }

    /** The same by plain JDBC. */
    @Benchmark
    public void findPlain(Blackhole hole) throws SQLException {
        find.setString(1, key(number()).value());
        try (ResultSet row = find.executeQuery()) {
            row.next();
            int columns = row.getMetaData().getColumnCount();
            for (int i = 1; i <= columns; i++) {
                hole.consume(row.getObject(i));
            }
        }
    }

    /** One touch, durable on return. */
    @Benchmark
    public CommitResult touch() {
        long number = number();
        return files.store()
                .ledger()
                .commit(new Batch(
                        SqliteFiles.id("touch"),
                        List.of(),
                        List.of(new Change.TouchLane(
                                key(number),
                                SessionId.of("s" + number),
                                SqliteFiles.START,
                                new TokenUsage(1, 0, 0, 0, 0),
                                0,
                                Optional.empty(),
                                Optional.empty()))));
    }

    /** The same by plain JDBC. */
    @Benchmark
    public int touchPlain() throws SQLException {
        long number = number();
        try (Statement transaction = files.plain().createStatement()) {
            transaction.execute("begin immediate");
            touch.setLong(1, 5);
            touch.setLong(2, 1);
            touch.setLong(3, 1);
            touch.setString(4, key(number).value());
            touch.setString(5, "s" + number);
            int touched = touch.executeUpdate();
            transaction.execute("commit");
            return touched;
        }
    }
}
