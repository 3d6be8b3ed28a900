package dev.parley.benchmarks;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
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

/**
 * The first search after opening, with nothing of the file in the system's memory (where {@code dd} can see to that). The first
 * searches of the process warm the code up and do not count.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 7)
@Fork(1)
public class SqliteColdSearchBenchmark {
    /** How many messages there are. */
    @Param({"100000", "1000000"})
    public int messages;

    /** What is searched. */
    @Param({"TWO_WORDS", "COMMON_NEWEST", "CJK"})
    public SearchCase asked = SearchCase.TWO_WORDS;

    private SearchQuery query = SearchCase.TWO_WORDS.query();

    @SuppressWarnings("NullAway.Init")
    private Storage storage;

    @SuppressWarnings("NullAway.Init")
    private PlainSearch plain;

    /** Drops the file from the system's memory and opens it twice. */
    @Setup(Level.Invocation)
    public void open() throws IOException, SQLException, InterruptedException {
        Path file = MessageFiles.of(messages);
        query = asked.query();
        storage = Stores.sqlite(file, StorageSettings.Mode.READ_WRITE);
        plain = new PlainSearch(file, asked);
        forget(file);
    }

    /** Closes both. */
    @TearDown(Level.Invocation)
    public void close() throws SQLException {
        plain.close();
        storage.close();
    }

    /** Through the port. */
    @Benchmark
    public List<SearchHit> search() {
        return storage.search().search(query);
    }

    /** By the plain statement. */
    @Benchmark
    public List<String> searchPlain() throws SQLException {
        return plain.search();
    }

    private static void forget(Path file) throws IOException, InterruptedException {
        int status = new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none")
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("dd ended with " + status);
        }
    }
}
