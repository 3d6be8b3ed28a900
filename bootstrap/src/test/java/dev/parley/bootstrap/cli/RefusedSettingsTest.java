package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of settings that only an adapter can judge. */
class RefusedSettingsTest {
    @TempDir
    Path home;

    private CommandLineProgram program;

    @BeforeEach
    void settingsWithSeveralProblems() throws Exception {
        Files.writeString(home.resolve("parley.yaml"), """
                agent: {provider: openai}
                agents:
                  openai: {model: m, base_url: 'http://127.0.0.1:9', temperature: hot, retries: many, timeout: never}
                platforms:
                  http: {enabled: false}
                  telegram:
                    enabled: true
                    base_url: http://telegram.example
                    poll_timeout: long
                    markdown: perhaps
                """);
        program = new CommandLineProgram(
                home,
                Map.of(
                        "TELEGRAM_BOT_TOKEN",
                        "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghi",
                        "TELEGRAM_ALLOWED_USERS",
                        "1"),
                () -> Instant.ofEpochSecond(1_772_000_000L));
    }

    @Test
    void allSettingsOfASectionThatCannotBeAreToldAtOnce() {
        Result checked = program.run("config", "check");

        assertThat(checked.code()).isEqualTo(2);
        assertThat(checked.out().lines().filter(line -> line.startsWith("error")))
                .anyMatch(line -> line.contains("agents.openai.temperature"))
                .anyMatch(line -> line.contains("agents.openai.retries"))
                .anyMatch(line -> line.contains("agents.openai.timeout"))
                .doesNotHaveDuplicates();
    }

    @Test
    void whatAnAdapterWarnsOfIsToldOnceWhereTheStartIsRefused() {
        Result started = program.run("gateway");

        assertThat(started.code()).isEqualTo(2);
        assertThat(started.errors().stream().filter(line -> line.contains("crosses the network readably")))
                .hasSize(1);
        assertThat(started.errors())
                .anyMatch(line -> line.contains("agents.openai.temperature"))
                .anyMatch(line -> line.contains("agents.openai.retries"));
    }
}
