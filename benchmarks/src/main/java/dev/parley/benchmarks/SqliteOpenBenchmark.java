package dev.parley.benchmarks;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
import org.openjdk.jmh.annotations.Warmup;

/** Opening a file that is up to date and closing it again: the same for a small and a large one. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 3)
@Measurement(iterations = 2, time = 2)
@Fork(1)
public class SqliteOpenBenchmark {
    /** How many messages there are. */
    @Param({"100", "1000000"})
    public int messages;

    private Path file = Path.of("");

    /** Makes the file. */
    @Setup(Level.Trial)
    public void fill() throws IOException, SQLException {
        file = MessageFiles.of(messages);
    }

    /** Opens for writing and closes. */
    @Benchmark
    public String openForWriting() {
        try (Storage storage = Stores.sqlite(file, StorageSettings.Mode.READ_WRITE)) {
            return storage.location();
        }
    }

    /** Opens for reading and closes. */
    @Benchmark
    public String openForReading() {
        try (Storage storage = Stores.sqlite(file, StorageSettings.Mode.READ_ONLY)) {
            return storage.location();
        }
    }

    /** Connects, reads the schema and closes: the least that any opening does. */
    @Benchmark
    public long connectOnly() throws SQLException {
        try (Connection connection = Stores.plain(file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select version from schema_version")) {
            return row.getLong(1);
        }
    }
}
