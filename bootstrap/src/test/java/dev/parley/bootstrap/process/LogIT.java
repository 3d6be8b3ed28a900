package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.bootstrap.cli.PlugInJar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway writes to its log at the lowest level: when, and neither what people say nor what must stay secret. */
class LogIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SAID = "xylophone-of-marked-text";

    @TempDir
    Path directory;

    @Test
    void noTextOfPeopleAndNoSecretIsInTheLogAtAnyLevel() throws Exception {
        Path home = Files.createTempDirectory(directory, "home");
        Files.writeString(
                home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\nstorage:\n  fallback: jsonl:spill\n");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, "TRACE")) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(caller.say("c1", "please say " + SAID, "m1").status()).isEqualTo(200);
            assertThat(caller.say("c1", "/title " + SAID, "m2").status()).isEqualTo(200);
            assertThat(caller.say("c1", "/nosuchcommand " + SAID, "m3").status())
                    .isEqualTo(200);
            assertThat(caller.say("c1", "/new " + SAID, "m4").status()).isEqualTo(200);
            assertThat(caller.say("c1", "again " + SAID, "m5").status()).isEqualTo(200);
            assertThat(gateway.terminate()).isZero();

            String log = gateway.errors();
            assertThat(log).containsPattern("20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\d");
            assertThat(log).contains("DEBUG").doesNotContain(SAID);
            assertThat(log)
                    .doesNotContain(Files.readString(home.resolve("http-token")).strip());
        }
    }

    /** What plug-ins throw quotes what people wrote, as messages of exceptions do. */
    @Test
    void whatPlugInsQuoteOfPeopleIsNotInTheLogAtAnyLevelButTypeAndPlaceAre() throws Exception {
        Path home = Files.createTempDirectory(directory, "home");
        Files.writeString(
                home.resolve("parley.yaml"), "platforms:\n  http:\n    port: 0\nstorage:\n  fallback: jsonl:spill\n");
        new PlugInJar()
                .with("CommandsProvider", "Commands", """
                public final class Commands implements CommandsProvider {
                    public String name() { return "desk"; }
                    public List<ChatCommand> create(ProviderSettings settings) {
                        return List.of(command("parse"), command("refuse"));
                    }
                    private static ChatCommand command(String name) {
                        return new ChatCommand() {
                            public String name() { return name; }
                            public String usage() { return "/" + name; }
                            public String summary() { return "Fails."; }
                            public When when() { return When.ALWAYS; }
                            public CommandOutcome run(CommandContext context) {
                                if (name.equals("refuse")) {
                                    throw new InvalidRequest("there is no " + context.arguments());
                                }
                                throw new IllegalStateException("cannot parse " + context.arguments(),
                                        new java.io.IOException("near " + context.arguments()));
                            }
                        };
                    }
                }
                """)
                .with("HooksProvider", "Hooks", """
                public final class Hooks implements HooksProvider {
                    public String name() { return "memories"; }
                    public LifecycleHooks create(ProviderSettings settings) {
                        return new LifecycleHooks() {
                            public List<dev.parley.domain.transcript.Message> beforeRun(SessionKey lane, SessionId session,
                                    dev.parley.domain.transcript.Message input) {
                                throw new NoSuchElementException("no memory of " + input.content().plainText());
                            }
                        };
                    }
                }
                """)
                .into(home, "quoting.jar");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, "TRACE")) {
            Caller caller = new Caller(gateway.ready(), home);
            for (String said : List.of("/parse " + SAID, "/refuse " + SAID, "please say " + SAID)) {
                assertThat(caller.say("c1", said, said).status()).isEqualTo(200);
            }
            assertThat(gateway.terminate()).isZero();

            assertThat(gateway.errors())
                    .contains("The command /parse failed. [java.lang.IllegalStateException at ")
                    .contains(", caused by java.io.IOException at ")
                    .contains("The command /refuse failed. [dev.parley.application.port.InvalidRequest at ")
                    .contains("[java.util.NoSuchElementException at ")
                    .contains("plug.Hooks", "plug.Commands")
                    .doesNotContain(SAID);
        }
    }

    @Test
    void asJsonEachLineIsOneObjectThatSaysLaneSessionAndTurnAndNoTextAndNoSecret() throws Exception {
        Path home = Files.createTempDirectory(directory, "home");
        Files.writeString(
                home.resolve("parley.yaml"),
                "platforms:\n  http:\n    port: 0\n    callback_url: http://127.0.0.1:1/nobody\nstorage:\n  fallback: jsonl:spill\n");
        // A name that is no setting is warned of.
        Path token = Files.setPosixFilePermissions(
                Files.writeString(home.resolve("http-token"), "a-token-that-others-can-read\n"),
                PosixFilePermissions.fromString("rw-r--r--"));
        Map<String, String> environment =
                Map.of("PARLEY_LOG", "TRACE", "PARLEY_LOG_FORMAT", "json", "PARLEY_NO_SUCH_SETTING", "1");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, environment)) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(caller.say("c1", "please say\n{\"" + SAID + "\"}", "m1").status())
                    .isEqualTo(200);
            assertThat(caller.say("c1", "/new " + SAID, "m2").status()).isEqualTo(200);
            // Its answer goes to an address where nobody listens: a trouble with a cause.
            assertThat(caller.leave("c2", SAID, "m3").status()).isEqualTo(202);
            gateway.until("the delivery failed", () -> written(gateway).contains("stepArray"));
            assertThat(gateway.terminate()).isZero();

            String log = gateway.errors();
            List<JsonNode> lines = new ArrayList<>();
            for (String line : log.lines().toList()) {
                JsonNode parsed = JSON.readTree(line);
                assertThat(parsed.isObject()).as(line).isTrue();
                lines.add(parsed);
            }
            assertThat(lines).hasSizeGreaterThan(10).allSatisfy(line -> {
                assertThat(line.path("timestamp").isNumber()).isTrue();
                assertThat(line.path("level").asText()).isNotBlank();
                assertThat(line.path("formattedMessage").asText()).isNotBlank();
                assertThat(pair(line, "event")).as(line.toString()).isNotBlank();
            });
            for (String event : List.of("turn_claimed", "turn_started", "turn_ended")) {
                assertThat(lines.stream().filter(line -> pair(line, "event").equals(event)))
                        .as(event)
                        .isNotEmpty()
                        .allSatisfy(line -> {
                            assertThat(pair(line, "lane")).startsWith("agent:main:webhook:dm:");
                            assertThat(pair(line, "session")).isNotBlank();
                            assertThat(pair(line, "turn")).isNotBlank();
                        });
            }
            assertThat(lines.stream().filter(line -> pair(line, "event").equals("warning")))
                    .extracting(line -> line.path("formattedMessage").asText())
                    .anyMatch(text -> text.contains("PARLEY_NO_SUCH_SETTING"));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(token)))
                    .isEqualTo("rw-------");
            assertThat(lines.stream().map(line -> line.path("throwable")).filter(JsonNode::isObject))
                    .isNotEmpty()
                    .allSatisfy(cause ->
                            assertThat(cause.path("className").asText()).isNotBlank());
            assertThat(log).doesNotContain(SAID, "a-token-that-others-can-read");
        }
    }

    private static String written(ParleyProcess gateway) {
        try {
            return gateway.errors();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what a line says under a name; empty where it says nothing. */
    private static String pair(JsonNode line, String name) {
        for (JsonNode pair : line.path("kvpList")) {
            if (pair.has(name)) {
                return pair.path(name).asText();
            }
        }
        return "";
    }
}
