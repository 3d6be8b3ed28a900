package dev.parley.bootstrap.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.process.DatabaseServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples under {@code docs/examples/scenarios}: what stands beside each is what happens, and it is the same, byte for byte,
 * on every backend, on a server some of them. They cover the cases 14.1 to 14.20, the defects D1 to D17 and the crash windows.
 */
class ScenariosTest {
    private static final Path EXAMPLES = Path.of("..", "docs", "examples", "scenarios");
    private static final String EXPECTED = ".expect.jsonl";

    /** One scenario in so many runs on a server: each makes all tables there. */
    private static final int EVERY = 8;

    @TempDir
    private static Path data;

    private static Optional<DatabaseServer> server = Optional.empty();
    private static final AtomicInteger schemas = new AtomicInteger();

    @TempDir
    private Path userHome;

    @BeforeAll
    static void startTheServer() {
        server = Optional.of(new DatabaseServer(data));
    }

    @AfterAll
    static void stopTheServer() {
        server.ifPresent(DatabaseServer::close);
    }

    static Stream<Path> scenarios() throws IOException {
        try (Stream<Path> files = Files.walk(EXAMPLES)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".jsonl"))
                    .filter(file -> !file.toString().endsWith(EXPECTED))
                    .sorted()
                    .toList();
            return found.stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void happensAsExpectedOnEveryBackend(Path scenario) {
        String expected = scenario.toString().replaceFirst("\\.jsonl$", EXPECTED);
        Program program = new Program(userHome);

        Program.Result onSqlite =
                program.run("replay", "--storage", "sqlite:state.db", "--expect", expected, scenario.toString());
        Program.Result onJsonl =
                program.run("replay", "--storage", "jsonl:store", "--expect", expected, scenario.toString());

        assertThat(onSqlite.code()).as(onSqlite.err() + onSqlite.out()).isZero();
        assertThat(onJsonl.out()).isEqualTo(onSqlite.out());
        assertThat(onJsonl.code()).as(onJsonl.err()).isZero();
    }

    /** Some of them, spread over all; every one with {@code -Pthorough}. */
    static Stream<Path> scenariosOnAServer() throws IOException {
        List<Path> all = scenarios().toList();
        int step = Integer.getInteger("parley.scenarios.step", EVERY);
        return IntStream.range(0, all.size()).filter(i -> i % step == 0).mapToObj(all::get);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenariosOnAServer")
    void happensAsExpectedOnAServerToo(Path scenario) {
        String expected = scenario.toString().replaceFirst("\\.jsonl$", EXPECTED);
        String storage = server.orElseThrow().address("s" + schemas.incrementAndGet());

        Program.Result found =
                new Program(userHome).run("replay", "--storage", storage, "--expect", expected, scenario.toString());

        assertThat(found.code()).as(found.err() + found.out()).isZero();
    }

    @Test
    void thereAreExamples() throws IOException {
        try (Stream<Path> found = scenarios()) {
            assertThat(found.count()).isGreaterThan(40);
        }
    }
}
