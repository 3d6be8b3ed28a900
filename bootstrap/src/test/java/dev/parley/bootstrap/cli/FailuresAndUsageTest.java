package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.bootstrap.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line says of turns that failed, of messages that did not arrive, and of what was used. */
class FailuresAndUsageTest {
    private static final String LANE = "agent:main:telegram:dm:99";
    private static final String SCENARIO = """
            {"scenario":"failures","zone":"Europe/Berlin"}
            {"do":"agent","reply":"fine","usage":{"input":100,"output":7,"cache_read":30,"reasoning":5}}
            {"at":"2026-03-09T23:30","from":{"platform":"telegram","chat_id":"99"},"text":"hello","message_id":"1"}
            {"do":"agent","outcome":"fail","usage":{"input":40}}
            {"at":"2026-03-10T00:30","from":{"platform":"telegram","chat_id":"99"},"text":"and now?","message_id":"2"}
            {"do":"disconnect","platform":"telegram"}
            {"at":"2026-03-10T01:00","from":{"platform":"telegram","chat_id":"99"},"text":"are you there?","message_id":"3"}
            {"at":"2026-03-10T01:01"}
            """;

    @TempDir
    private Path directory;

    private CommandLineProgram program;

    @BeforeEach
    void aHomeInWhichATurnFailedAndAnAnswerWaits() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.writeString(home.resolve("parley.yaml"), "zone: Europe/Berlin\n");
        program = new CommandLineProgram(home, Map.of(), InstantSource.fixed(Instant.parse("2026-03-10T08:00:00Z")));
        Result replayed = program.runWith(SCENARIO, "replay", "-");
        assertThat(replayed.code()).as(replayed.err()).isZero();
    }

    private JsonNode json(String... arguments) throws Exception {
        Result result = program.run(arguments);
        assertThat(result.code()).as(result.err()).isZero();
        return Json.parse(result.out());
    }

    @Test
    void aLaneSaysWhyItsTurnFailedAndWhatDidNotArrive() throws Exception {
        Result shown = program.run("lanes", "show", LANE);

        assertThat(shown.code()).as(shown.err()).isZero();
        assertThat(shown.lines())
                .anyMatch(line -> line.matches("2026-03-10 \\d\\d:30 +failed .* 40 +model.*"))
                .anyMatch(line -> line.matches("2026-03-.* telegram 99 +pending +0 +- +are you there\\? +o-\\S+"));
        JsonNode lane = json("lanes", "show", LANE, "--json");
        assertThat(lane.at("/waiting").asInt()).isZero();
        assertThat(lane.at("/turns")).hasSize(3);
        assertThat(lane.at("/turns/1/state").asText()).isEqualTo("failed");
        assertThat(lane.at("/turns/1/reason").asText()).isEqualTo("model");
        assertThat(lane.at("/undelivered/0/text").asText()).isEqualTo("are you there?");
    }

    @Test
    void deliveriesAreListedByHowFarTheyCame() throws Exception {
        assertThat(json("deliveries", "list", "--json")).hasSize(1);
        assertThat(json("deliveries", "list", "--state", "expired", "--json")).isEmpty();
        assertThat(json("deliveries", "list", "--state", "all", "--limit", "1", "--json"))
                .hasSize(1);
        assertThat(json("deliveries", "list", "--state", "delivered", "--platform", "telegram", "--json"))
                .isNotEmpty()
                .allMatch(row -> row.path("state").asText().equals("delivered"));
        assertThat(json("deliveries", "list", "--state", "all", "--platform", "slack", "--json"))
                .isEmpty();
        assertThat(json("deliveries", "list", "--lane", LANE, "--json")).hasSize(1);
        assertThat(json("deliveries", "list", "--lane", "agent:main:telegram:dm:1", "--json"))
                .isEmpty();
    }

    @Test
    void aListThatIsCutSaysSoAndALimitOfNothingIsRefused() {
        Result cut = program.run("deliveries", "list", "--state", "all", "--limit", "1");
        assertThat(cut.errors()).singleElement().asString().contains("there are more", "--limit");

        Result refused = program.run("deliveries", "list", "--limit", "0");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errors()).singleElement().asString().contains("--limit is 0");
    }

    @Test
    void whatWasUsedIsAddedUpByTheDayTheTurnEndedInTheConfiguredZone() throws Exception {
        JsonNode days = json("sessions", "stats", "--by", "day", "--json");

        assertThat(days).hasSize(2);
        assertThat(days.at("/0/day").asText()).isEqualTo("2026-03-09");
        assertThat(days.at("/0/turns").asInt()).isEqualTo(1);
        assertThat(days.at("/0/input_tokens").asInt()).isEqualTo(100);
        assertThat(days.at("/0/cache_read_tokens").asInt()).isEqualTo(30);
        assertThat(days.at("/0/reasoning_tokens").asInt()).isEqualTo(5);
        assertThat(days.at("/1/turns").asInt()).isEqualTo(2);
        assertThat(days.at("/1/input_tokens").asInt()).isEqualTo(40);
        assertThat(json("sessions", "stats", "--by", "day", "--days", "1", "--json"))
                .singleElement()
                .satisfies(day -> assertThat(day.path("day").asText()).isEqualTo("2026-03-10"));
    }

    @Test
    void whatWasUsedIsAddedUpByModelAndPlatform() throws Exception {
        assertThat(json("sessions", "stats", "--by", "platform", "--json"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.path("platform").asText()).isEqualTo("telegram");
                    assertThat(row.path("turns").asInt()).isEqualTo(3);
                    assertThat(row.path("input_tokens").asInt()).isEqualTo(140);
                });
        int turns = 0;
        for (JsonNode row : json("sessions", "stats", "--by", "model", "--json")) {
            assertThat(row.has("model")).isTrue();
            turns += row.path("turns").asInt();
        }
        assertThat(turns).isEqualTo(3);
        Result table = program.run("sessions", "stats", "--by", "platform");
        assertThat(table.lines().get(0)).startsWith("3 turns, 1").contains("in 30 days (Europe/Berlin)");
        assertThat(table.lines().get(1)).startsWith("PLATFORM");
    }

    @Test
    void daysThatMakeNoSenseAreRefused() {
        Result refused = program.run("sessions", "stats", "--by", "day", "--days", "0");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.errors()).singleElement().asString().contains("--days is 0");
    }
}
