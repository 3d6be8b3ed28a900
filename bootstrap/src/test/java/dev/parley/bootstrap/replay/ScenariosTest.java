package dev.parley.bootstrap.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples under {@code docs/examples/scenarios}: what stands beside each is what happens, and it is the same, byte for byte,
 * on every backend. They cover the cases 14.1 to 14.20, the defects D1 to D17 and the crash windows.
 */
class ScenariosTest {
    private static final Path EXAMPLES = Path.of("..", "docs", "examples", "scenarios");
    private static final String EXPECTED = ".expect.jsonl";

    @TempDir
    private Path userHome;

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

    @Test
    void thereAreExamples() throws IOException {
        try (Stream<Path> found = scenarios()) {
            assertThat(found.count()).isGreaterThan(40);
        }
    }
}
