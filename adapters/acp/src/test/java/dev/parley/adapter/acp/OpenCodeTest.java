package dev.parley.adapter.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.TestGateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** A coding agent that others wrote, behind a real gateway. Only its model is made for the test. */
@EnabledIfEnvironmentVariable(
        named = "TEST_OPENCODE",
        matches = ".+",
        disabledReason = "no OpenCode: .ci/opencode fetches it and names the program in TEST_OPENCODE")
class OpenCodeTest {
    @TempDir
    private Path home;

    private ScriptedPrograms programs;
    private FakeModel model;
    private Path project;

    @BeforeEach
    void aProject() throws IOException {
        programs = new ScriptedPrograms(home);
        model = new FakeModel();
        project = Files.createDirectories(home.resolve("project"));
        Path configuration = Files.createDirectories(home.resolve(".config/opencode"));
        Files.writeString(configuration.resolve("opencode.json"), """
                {
                  "autoupdate": false,
                  "share": "disabled",
                  "model": "fake/small",
                  "small_model": "fake/small",
                  "permission": {"bash": "ask"},
                  "provider": {
                    "fake": {
                      "npm": "@ai-sdk/openai-compatible",
                      "options": {"baseURL": "%s", "apiKey": "none"},
                      "models": {"small": {"tool_call": true}}
                    }
                  }
                }
                """.formatted(model.url()));
    }

    @AfterEach
    void close() throws IOException {
        programs.close();
        model.close();
    }

    /** Everything that the program keeps is below the home of the test. */
    private TestGateway gateway() {
        String command = "env -u XDG_CONFIG_HOME -u XDG_DATA_HOME -u XDG_CACHE_HOME -u XDG_STATE_HOME 'HOME=" + home
                + "' OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 '" + System.getenv("TEST_OPENCODE")
                + "' acp";
        return TestGateway.builder()
                .agents(programs.factory(Map.of(
                        "command",
                        command,
                        "directory",
                        project.toString(),
                        "log",
                        home.resolve("log").toString())))
                .patience(Duration.ofMinutes(2))
                .start();
    }

    @Test
    void aConversationGoesOnInItsSessionAcrossARestart() {
        try (TestGateway gateway = gateway()) {
            assertThat(gateway.ask("one")).isEqualTo("You said: one");
            assertThat(gateway.ask("two")).isEqualTo("You said: two");
            gateway.restart();
            assertThat(gateway.ask("three")).isEqualTo("You said: three");
        }
        assertThat(model.calls())
                .as("what the model heard, the last time from a session that the program took up")
                .containsExactly(List.of("one"), List.of("one", "two"), List.of("one", "two", "three"));
    }

    @Test
    void whatItWantsToRunIsAskedInTheChatAndStored() {
        try (TestGateway gateway = gateway()) {
            assertThat(gateway.ask("make first")).contains("touch first");
            assertThat(project.resolve("first")).doesNotExist();
            gateway.say("yes");
            gateway.await("the answer", () -> gateway.seen().contains("You said: make first"));
            assertThat(project.resolve("first")).exists();
            assertThat(gateway.transcript())
                    .extracting(stored -> stored.message().role().name())
                    .containsExactly("user", "assistant", "tool", "assistant");

            assertThat(gateway.ask("make second")).contains("touch second");
            gateway.ask("no");
            assertThat(project.resolve("second")).doesNotExist();
        }
    }

    @Test
    void stopCancelsWhatItDoesAndItGoesOn() throws InterruptedException {
        try (TestGateway gateway = gateway()) {
            gateway.say("hang on");
            model.awaitHanging();
            gateway.say("/stop");
            assertThat(gateway.ask("again")).isEqualTo("You said: again");
        }
    }
}
