package dev.parley.benchmarks;

import dev.parley.domain.turn.Outgoing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
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

/**
 * What a lane that has talked and is idle keeps in memory beside its stored entry: the heap that is still in use after collecting,
 * before and after many more lanes have talked once, per lane. The first lanes fill what has a fixed size, such as the cache of
 * agents. The time of the run is of no interest.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(1)
public class IdleLaneBenchmark {
    private static final int FIRST = 2_000;
    private static final int MORE = 20_000;
    private static final int AT_ONCE = 200;

    @SuppressWarnings("NullAway.Init")
    private EchoGateway gateway;

    private int next;

    /** What was measured. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Heap {
        /** Bytes per idle lane. */
        public long bytesPerLane;
    }

    /** Starts the gateway. */
    @Setup(Level.Trial)
    public void start() throws IOException {
        gateway = EchoGateway.onSqlite();
    }

    /** Ends it. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        gateway.close();
    }

    /** Lets lanes talk once and looks at what stays. */
    @Benchmark
    public long idleLanes(Heap heap) throws InterruptedException {
        talk(FIRST);
        long before = used();
        talk(MORE);
        long after = used();
        heap.bytesPerLane = Math.max(0, after - before) / MORE;
        return after;
    }

    private void talk(int lanes) {
        for (int some = 0; some < lanes; some += AT_ONCE) {
            List<CompletableFuture<Outgoing>> answers = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                answers.add(gateway.turn(next++));
            }
            answers.forEach(CompletableFuture::join);
        }
    }

    /** The least of several looks: a single collection leaves some for the next. */
    private static long used() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int look = 0; look < 5; look++) {
            System.gc();
            TimeUnit.MILLISECONDS.sleep(200);
            least = Math.min(
                    least,
                    Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
