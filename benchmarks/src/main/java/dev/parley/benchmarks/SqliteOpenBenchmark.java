package dev.parley.benchmarks;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
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

/** Opening a file that is up to date and closing it again: the same for a small and a large one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class SqliteOpenBenchmark {
    /** How many messages there are. */
    @Param({"100", "100000"})
    public int messages;

    private Path home = Path.of("");

    /** Makes and fills the store. */
    @Setup(Level.Trial)
    public void fill() throws IOException, SQLException {
        home = SearchFiles.folder();
        SearchFiles.fill(home, messages);
    }

    /** Removes it. */
    @TearDown(Level.Trial)
    public void remove() throws IOException {
        SearchFiles.remove(home);
    }

    /** Opens for writing and closes. */
    @Benchmark
    public String openedForWriting() {
        try (Storage storage = SearchFiles.open(home, StorageSettings.Mode.READ_WRITE)) {
            return storage.location();
        }
    }

    /** Opens for reading and closes. */
    @Benchmark
    public String openedForReading() {
        try (Storage storage = SearchFiles.open(home, StorageSettings.Mode.READ_ONLY)) {
            return storage.location();
        }
    }
}
