package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import dev.parley.fakes.telegram.FakeTelegram;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code parley platforms}, what the doctor says of platforms, and people who are let in while a Telegram bot runs. */
class PlatformsCommandTest {
    private static final String TOKEN = "4711:a-secret-of-telegram";
    private static final Map<String, String> ENVIRONMENT = Map.of("TELEGRAM_BOT_TOKEN", TOKEN);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long ADA = 100;

    @TempDir
    Path directory;

    private Path home;
    private CommandLineProgram program;

    @BeforeEach
    void aProgram() throws Exception {
        home = Files.createTempDirectory(directory, "home");
        program = new CommandLineProgram(home);
    }

    private CommandLineProgram knowing(Map<String, String> environment) {
        return new CommandLineProgram(home, environment, InstantSource.system());
    }

    private void configure(String yaml) throws Exception {
        Files.writeString(home.resolve("parley.yaml"), yaml);
    }

    private static JsonNode row(Result result, String platform) throws MalformedJson {
        for (JsonNode row : Json.parse(result.out())) {
            if (row.path("platform").asText().equals(platform)) {
                return row;
            }
        }
        throw new AssertionError(platform + " is not in " + result.out());
    }

    @Test
    void withoutAConfigurationItListsWhatIsThereAndWhatIsMissing() {
        Result result = program.run("platforms");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.lines().get(0)).startsWith("PLATFORM").contains("STATE", "SINCE");
        assertThat(result.lines())
                .anySatisfy(line -> assertThat(line).startsWith("http ").contains("stopped"))
                .anySatisfy(line -> assertThat(line).startsWith("local ").contains("unconfigured"))
                .anySatisfy(line -> assertThat(line)
                        .startsWith("telegram ")
                        .contains(
                                "unconfigured",
                                "platforms.telegram.enabled is not true",
                                "platforms.telegram.allow",
                                "TELEGRAM_BOT_TOKEN is not set"));
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void aPlatformThatIsWantedAndCannotBeStartedIsIncompleteAndTheDoctorSaysSo() throws Exception {
        configure("platforms: {telegram: {enabled: true, allow: ['100']}}");

        JsonNode row = row(program.run("platforms", "--json"), "telegram");
        assertThat(row.path("state").asText()).isEqualTo("incomplete");
        assertThat(row.path("missing")).hasSize(1);
        assertThat(row.path("missing").path(0).asText()).contains("TELEGRAM_BOT_TOKEN is not set");
        Result doctor = program.run("doctor");
        assertThat(doctor.code()).isEqualTo(1);
        assertThat(doctor.lines())
                .anySatisfy(line -> assertThat(line)
                        .startsWith("telegram")
                        .contains("wrong", "incomplete", "TELEGRAM_BOT_TOKEN is not set"));
    }

    @Test
    void aPlatformThatHasEverythingIsStoppedAndOneThatIsSwitchedOffIsOff() throws Exception {
        configure("platforms: {http: {enabled: false}, telegram: {enabled: true, allow: ['100']}}");

        Result result = knowing(ENVIRONMENT).run("platforms", "--json");

        assertThat(row(result, "telegram").path("state").asText()).isEqualTo("stopped");
        assertThat(row(result, "telegram").path("missing")).isEmpty();
        assertThat(row(result, "http").path("state").asText()).isEqualTo("off");
        assertThat(result.out() + result.err()).doesNotContain("a-secret-of-telegram");
        Result doctor = knowing(ENVIRONMENT).run("doctor");
        assertThat(doctor.lines())
                .filteredOn(line -> line.startsWith("telegram"))
                .singleElement()
                .asString()
                .contains("ok", "stopped");
    }

    @Test
    void aTokenOfAnotherFormIsNotShown() throws Exception {
        configure("platforms: {telegram: {enabled: true, allow: ['100']}}");

        Result result =
                knowing(Map.of("TELEGRAM_BOT_TOKEN", "not a s3cret token")).run("platforms");

        assertThat(result.out()).contains("incomplete", "holds no bot's token").doesNotContain("s3cret");
    }

    @Test
    void ofAGatewayThatDoesNotListenNothingIsKnown() throws Exception {
        configure("platforms: {http: {port: 0}}");
        GatewayLock held = GatewayLock.take(new HomeDirectory(home));
        try {
            assertThat(row(program.run("platforms", "--json"), "http")
                            .path("state")
                            .asText())
                    .isEqualTo("unknown");
        } finally {
            held.close();
        }
    }

    @Test
    @SuppressWarnings("try")
    void somebodyUnknownGetsACodeInADirectChatAndTalksToTheAgentOnceTheOperatorLetsThemIn() throws Exception {
        try (FakeTelegram telegram = new FakeTelegram(TOKEN, "parley_bot", InstantSource.system())) {
            telegram.privateChat(ADA, "Ada");
            configure("""
                    platforms:
                      http: {port: 0}
                      telegram: {enabled: true, base_url: "%s", pairing: true}
                    """.formatted(telegram.address()));
            try (TelegramGateway ignored = new TelegramGateway(home, ENVIRONMENT)) {
                telegram.write(ADA, ADA, "let me in");
                String invitation = telegram.awaitShown(ADA, 1, PATIENCE).get(0).text();
                Matcher code = Pattern.compile("parley pairing approve telegram ([A-Z2-9]{8})\n")
                        .matcher(invitation);
                assertThat(code.find()).as(invitation).isTrue();
                CommandLineProgram operator = knowing(Map.of());
                assertThat(operator.run("pairing", "list").out())
                        .contains("Ada", "pending")
                        .doesNotContain(code.group(1));
                assertThat(operator.run("lanes", "list", "--json").out().replaceAll("\\s", ""))
                        .as("nothing ran")
                        .isEqualTo("[]");

                Result approved = operator.run("pairing", "approve", "telegram", code.group(1));
                assertThat(approved.code()).as(approved.err()).isZero();
                telegram.write(ADA, ADA, "hello");
                assertThat(telegram.awaitShown(ADA, 2, PATIENCE).get(1).text()).isEqualTo("hello");
                assertThat(operator.run("sessions", "export").out())
                        .as("the agent never read what was said before")
                        .contains("hello")
                        .doesNotContain("let me in");

                Result platforms = operator.run("platforms", "--json");
                JsonNode row = row(platforms, "telegram");
                assertThat(row.path("state").asText()).isEqualTo("connected");
                assertThat(row.path("since").asText()).isNotEmpty();
                assertThat(row.path("missing"))
                        .as("what the gateway has, not this process")
                        .isEmpty();
                assertThat(operator.run("doctor").lines())
                        .anySatisfy(
                                line -> assertThat(line).startsWith("telegram").contains("ok", "connected since"));
                assertThat(platforms.out()).doesNotContain("a-secret-of-telegram");
            }
        }
    }
}
