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

/** A search that has been asked before, through the port and by the plain statement: twenty hits, each with its neighbours. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 1, time = 2)
@Measurement(iterations = 2, time = 3)
@Fork(1)
public class SqliteSearchBenchmark {
    /** How many messages there are. */
    @Param({"100000", "1000000"})
    public int messages;

    /** What is searched. */
    @Param({"TWO_WORDS", "COMMON_NEWEST", "CJK", "CJK_SHORT"})
    public SearchCase asked = SearchCase.TWO_WORDS;

    private SearchQuery query = SearchCase.TWO_WORDS.query();

    @SuppressWarnings("NullAway.Init")
    private Storage storage;

    @SuppressWarnings("NullAway.Init")
    private PlainSearch plain;

    /** Opens the store, and a plain connection to the same file. */
    @Setup(Level.Trial)
    public void open() throws IOException, SQLException {
        Path file = MessageFiles.of(messages);
        query = asked.query();
        storage = Stores.sqlite(file, StorageSettings.Mode.READ_WRITE);
        plain = new PlainSearch(file, asked);
    }

    /** Closes both. */
    @TearDown(Level.Trial)
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
}
