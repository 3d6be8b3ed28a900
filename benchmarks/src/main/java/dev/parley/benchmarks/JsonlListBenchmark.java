package dev.parley.benchmarks;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import java.io.IOException;
import java.nio.file.Path;
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

/** Lists of session files, ten thousand of them with two messages each. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 3)
@Measurement(iterations = 2, time = 3)
@Fork(1)
public class JsonlListBenchmark {
    private static final SessionQuery LATEST = SessionQuery.usual().ordered(SessionQuery.Order.LAST_ACTIVE);

    private Path folder = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private Storage store;

    /** Makes the files. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        folder = Stores.folder();
        store = Stores.jsonl(folder.resolve("sessions"));
        SqliteFiles.commit(store, SqliteFiles.sessions(10_000, 2));
    }

    /** Removes them. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        store.close();
        Stores.remove(folder);
    }

    /** Twenty, the last active first. */
    @Benchmark
    public List<SessionListing> listLastActive() {
        return store.sessions().list(LATEST);
    }

    /** Twenty, the newest first. */
    @Benchmark
    public List<SessionListing> listNewest() {
        return store.sessions().list(SessionQuery.usual());
    }
}
