package dev.parley.benchmarks;

import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to tell which lane a message belongs to, against joining the same words without any rule. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SessionKeyBenchmark {

    private final KeyRules rules = new KeyRules(Isolation.DEFAULT, AliasLookup.NONE);
    private final SessionSource source = SessionSource.builder(Platform.MATRIX, "!room:example.org")
            .chatType(ChatType.GROUP)
            .userId("@someone:example.org")
            .build();

    /** The key by the rules. */
    @Benchmark
    public SessionKey keyByTheRules() {
        return rules.keyOf(source);
    }

    /** The same words joined. */
    @Benchmark
    public String wordsJoined() {
        return String.join(
                ":",
                "agent",
                "main",
                "matrix",
                "group",
                source.chatId(),
                source.userId().orElse(""));
    }
}
