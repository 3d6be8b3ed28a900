package dev.parley.benchmarks;

import dev.parley.domain.turn.Outgoing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a gateway adds to a turn: from handing a message in until its answer is at the platform, with an agent that answers at once,
 * in turn over a thousand lanes that have talked before. All its commits are durable.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 4)
@Fork(1)
public class TurnBenchmark {
    private static final int LANES = 1_000;
    private static final int TURNS_BEFORE = 3;

    private final AtomicInteger next = new AtomicInteger();

    @SuppressWarnings("NullAway.Init")
    private EchoGateway gateway;

    /** Starts the gateway and lets every lane talk. */
    @Setup(Level.Trial)
    public void start() throws IOException {
        gateway = EchoGateway.onSqlite();
        for (int turn = 0; turn < TURNS_BEFORE; turn++) {
            List<CompletableFuture<Outgoing>> answers = new ArrayList<>();
            for (int lane = 0; lane < LANES; lane++) {
                answers.add(gateway.turn(lane));
            }
            answers.forEach(CompletableFuture::join);
        }
    }

    /** Ends it. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        gateway.close();
    }

    /** One turn, the others idle. */
    @Benchmark
    public Outgoing turn() {
        return gateway.turn(Math.floorMod(next.getAndAdd(7), LANES)).join();
    }

    /** Eight turns at once in different lanes. */
    @Benchmark
    @Threads(8)
    public Outgoing turnOfEight() {
        return gateway.turn(Math.floorMod(next.getAndAdd(7), LANES)).join();
    }
}
