package dev.parley.bootstrap.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.InvalidRequest;
import dev.parley.domain.source.Platforms;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A configuration with anything written over it is read, or refused in one line for each problem. */
class MutatedConfigurationTest {
    private static final int ROUNDS = 150;
    private static final String WHOLE = """
            # All kinds of values
            zone: Europe/Berlin
            session_reset: {mode: both, at_hour: 4, idle_minutes: 1440, notify_exclude_platforms: [webhook]}
            reset_by_type:
              group:
                mode: idle
            reset_triggers: ["/new", '/reset']
            gateway:
              max_pending: 32
              max_concurrent_sessions: off
              restart_loop_guard: {max: 3, window_seconds: 60}
            agents:
              openai: &model
                base_url: "http://127.0.0.1:1/v1"
                model: |
                  one
            platforms:
              http:
                port: 0
                bridge_tokens:
                  relay: "a b"
              telegram:
                allow:
                  - "100"
                  - 1e3
            storage:
              url: sqlite:state.db
              fallback: jsonl:spill
            """;
    private static final List<String> PIECES = List.of(
            "\n",
            ": ",
            "- ",
            "{",
            "}",
            "[",
            "]",
            "&a ",
            "*a",
            "<<: ",
            "!!int ",
            "!!java.net.URL ",
            "? ",
            "|",
            ">",
            "%YAML 9\n",
            "---\n",
            "...\n",
            "\t",
            "\"",
            "'",
            "#",
            "~",
            "null",
            "1e999999999",
            "0x7fffffffffffffffff",
            "-.inf",
            "0o9",
            "1_000",
            "2026-01-01",
            "\u0000",
            "\ufeff",
            "\ud83d\ude80",
            "\u2028",
            "9".repeat(400),
            "[".repeat(200),
            "{a: ".repeat(200),
            "- ".repeat(200));

    @TempDir
    private Path folder;

    private final ConfigurationLoader loader = new ConfigurationLoader(
            Platforms.builtIn(),
            Map.of("http", Set.of("port", "bridge_tokens.*"), "telegram", Set.of("allow")),
            Map.of("echo", Set.of(), "openai", Set.of("base_url", "model")),
            Map.of("sqlite", Set.of(), "jsonl", Set.of()),
            Map.of(),
            Map.of(),
            ZoneOffset.UTC);

    private void readOrRefused(byte[] document) throws Exception {
        Path file = Files.write(folder.resolve("parley.yaml"), document);
        long begun = System.nanoTime();
        try {
            loader.load(Optional.of(file), Map.of())
                    .problems()
                    .forEach(problem -> assertThat(problem.message())
                            .as(new String(document, StandardCharsets.UTF_8))
                            .doesNotContain("\n"));
        } catch (InvalidRequest refused) {
            assertThat(refused.getMessage())
                    .as(new String(document, StandardCharsets.UTF_8))
                    .startsWith(file.toString())
                    .doesNotContain("\n");
        } catch (Throwable e) {
            throw new AssertionError(new String(document, StandardCharsets.UTF_8), e);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void theWholeDocumentHasNoErrors() throws Exception {
        Path file = Files.writeString(folder.resolve("parley.yaml"), WHOLE);

        assertThat(loader.load(Optional.of(file), Map.of()).errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void bytesAreWrittenOverIt(long seed) throws Exception {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] document = WHOLE.getBytes(StandardCharsets.UTF_8);
            for (int edits = random.nextInt(4); edits >= 0; edits--) {
                document[random.nextInt(document.length)] = (byte) random.nextInt(256);
            }
            readOrRefused(document);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void piecesOfYamlAreWrittenIntoItAndLinesAreLostDoubledAndMoved(long seed) throws Exception {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            StringBuilder document = new StringBuilder(WHOLE);
            for (int edits = random.nextInt(3); edits >= 0; edits--) {
                int at = random.nextInt(document.length());
                switch (random.nextInt(4)) {
                    case 0 -> document.insert(at, PIECES.get(random.nextInt(PIECES.size())));
                    case 1 -> document.delete(at, Math.min(document.length(), at + random.nextInt(40)));
                    case 2 -> document.insert(at, document.substring(random.nextInt(document.length())));
                    default -> document.setLength(at + 1);
                }
            }
            readOrRefused(document.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
