package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A lane that is exported as a scenario is decided in the same way when that is replayed. */
class ScenarioExportTest {
    private static final Path EXAMPLES = Path.of("..", "docs", "examples", "scenarios");
    private static final String ADA = "agent:main:telegram:dm:99";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lifecycle/01-suspended-wins",
                "lifecycle/03-drain-restart",
                "lifecycle/03-drain-shutdown",
                "lifecycle/04-crash-in-the-turn-marks-and-resumes",
                "lifecycle/05-three-crashes-suspend",
                "lifecycle/05-three-restarts-suspend",
                "lifecycle/07-boundaries",
                "lifecycle/09-ten-queued",
                "lifecycle/11-new-while-busy",
                "recovery/a-negative-window-resumes-whatever-was-cut-off",
                "recovery/a-resumed-turn-cut-off-at-once-grows-stale-too",
                "recovery/a-stale-mark-does-not-keep-a-reset-away-for-ever",
                "recovery/a-stopped-lane-is-not-resumed-however-fresh",
                "recovery/cut-off-long-ago-is-only-marked",
                "recovery/cut-off-long-ago-started-by-a-message",
                "recovery/freshness-over-the-hour-that-comes-twice",
                "recovery/no-window-resumes-whatever-was-cut-off",
                "recovery/of-two-cut-off-lanes-only-the-fresh-one-is-resumed",
                "recovery/policy-does-not-end-what-was-cut-off",
                "recovery/resumed-work-cut-off-again-counts-anew",
                "recovery/retry-of-stale-work",
                "recovery/stale-work-answered-and-cut-off-again-is-fresh",
                "recovery/stale-work-found-when-the-storage-is-back",
                "recovery/stale-work-in-a-slack-thread-waits-for-the-next-message",
                "recovery/a-resume-that-failed-is-tried-again-by-the-next-start",
                "recovery/suspended-and-stale-begins-anew",
                "recovery/two-starts-in-a-row-resume-once",
                "recovery/undo-of-stale-work",
                "recovery/what-waited-runs-after-a-long-downtime",
                "recovery/what-was-queued-behind-stale-work-runs-without-its-note",
                "recovery/window-of-the-last-sign-of-life-to-the-second",
                "recovery/work-a-shutdown-cut-off-grows-stale",
                "recovery/work-cut-off-while-degraded-grows-stale",
                "crash/an-answer-grown-old",
                "crash/between-answer-and-delivery",
                "crash/boot-loop",
                "crash/nothing-comes-from-the-dead",
                "crash/redelivered-new",
                "crash/restart-of-a-dead-gateway",
                "lifecycle/02-mark-outlives-empty-answers",
                "lifecycle/03-banners-of-home-channels",
                "lifecycle/03-one-banner-per-chat",
                "lifecycle/04-clean-stop-marks-nothing",
                "lifecycle/04-crash-after-the-turn-marks-nothing",
                "lifecycle/04-resumed-thread-names-nobody",
                "lifecycle/06-success-clears-the-count",
                "lifecycle/07-idle-is-named-first",
                "lifecycle/07-window-to-the-second",
                "lifecycle/08-first-messages-share-a-session",
                "lifecycle/10-one-run-per-lane",
                "lifecycle/14-names-are-data",
                "lifecycle/15-finalised-still-resets",
                "lifecycle/17-nobody-disturbs-a-resumed-turn",
                "lifecycle/17-resume-then-inbound",
                "lifecycle/18-stale-tool-results",
                "lifecycle/18-tool-results-nobody-answered",
                "lifecycle/19-cache-full-of-running-agents",
                "queue/held-turns-wait",
                "queue/interrupt",
                "queue/steer",
                "queue/steer-command",
                "queue/stop-in-a-thread",
                "commands/questions-across-a-restart",
                "commands/questions-in-other-spellings",
                "commands/retry-past-the-boundary",
                "crash/queue-outlives-the-process",
                "crash/in-the-drain",
                "defects/d02-nothing-overtakes",
                "defects/d05-pruned-stays-pruned",
                "defects/d09-photos-never-interrupt",
                "defects/d16-retry"
            })
    void everyLaneOfAnExampleIsDecidedAsItWas(String example) throws Exception {
        Path file = EXAMPLES.resolve(example + ".jsonl");
        Path home = Files.createDirectory(directory.resolve("home"));
        CommandLineProgram program = new CommandLineProgram(home);
        String was = program.run("replay", file.toString()).out();
        Files.writeString(home.resolve("parley.yaml"), configuration(file));
        Set<String> lanes = lanes(was);
        assertThat(lanes).isNotEmpty();

        for (String lane : lanes) {
            Result exported = program.run("lanes", "export-scenario", lane);
            Result again = new CommandLineProgram(home).bare(exported.out(), "replay", "-");

            assertThat(again.code()).as(exported.out() + again.err()).isZero();
            assertThat(decisions(again.out(), lane)).as(exported.out()).isEqualTo(decisions(was, lane));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lifecycle/16-platform-connects-late, 'when the platform was connected after the start that found work cut off at '",
        "recovery/platform-that-comes-after-the-window, 'when the platform was connected after the start that found work cut off at '",
        "recovery/work-found-when-the-storage-is-back-waits-for-its-platform, 'when the platform was connected after the start that found work cut off at '",
        "recovery/window-is-counted-from-the-last-sign-of-life, 'how long the tools of a turn that a crash cut off before '",
        "resets/new-configuration-at-the-next-start, 'the reset policy was another one at '"
    })
    void whatAScenarioCannotHoldStandsInItsFirstLineAndIsTold(String example, String words) throws Exception {
        Path file = EXAMPLES.resolve(example + ".jsonl");
        Path home = Files.createDirectory(directory.resolve("home"));
        CommandLineProgram program = new CommandLineProgram(home);
        Set<String> lanes = lanes(program.run("replay", file.toString()).out());
        Files.writeString(home.resolve("parley.yaml"), configuration(file));
        Set<String> told = new TreeSet<>();

        for (String lane : lanes) {
            Result exported = program.run("lanes", "export-scenario", lane);
            JsonNode leftOut =
                    Json.parse(exported.out().lines().findFirst().orElseThrow()).path("left_out");
            for (JsonNode what : leftOut) {
                told.add(what.textValue());
                assertThat(exported.err()).contains("not in this scenario: " + what.textValue());
            }
            assertThat(new CommandLineProgram(home)
                            .bare(exported.out(), "replay", "-")
                            .code())
                    .isZero();
        }

        assertThat(told).anySatisfy(what -> assertThat(what).startsWith(words));
    }

    @Test
    void whatIsOlderThanTheMessagesThatAreKeptIsSaid() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Path scenario = Files.writeString(directory.resolve("day.jsonl"), """
                {"zone":"UTC","config":{"gateway":{"retention_days":7}}}
                {"at":"2026-02-20T09:00:00","from":{"platform":"telegram","chat_id":"99"},"text":"one"}
                {"at":"2026-03-20T09:00:00","from":{"platform":"telegram","chat_id":"99"},"text":"two"}
                {"at":"2026-03-20T10:30:00"}
                """);
        CommandLineProgram program = new CommandLineProgram(home);
        program.run("replay", scenario.toString());

        Result exported = program.run("lanes", "export-scenario", ADA);

        assertThat(exported.err())
                .contains(
                        "not in this scenario: what was before 2026-03-20T09:00:00 is older than the messages that are kept");
        assertThat(program.bare(exported.out(), "replay", "-").err())
                .contains("warning: not in this scenario: what was");
    }

    @Test
    void whatAnOperatorDidIsDoneByAPersonAndDecidedInTheSameWay() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Path scenario = Files.writeString(directory.resolve("day.jsonl"), """
                {"zone":"UTC","config":{"session_reset":{"mode":"none"}}}
                {"at":"2026-02-20T09:00:00","from":{"platform":"telegram","chat_id":"99","user_id":"99","user_name":"Ada"},"text":"a secret plan"}
                """);
        Files.writeString(home.resolve("parley.yaml"), "zone: UTC\nsession_reset:\n  mode: none\n");
        CommandLineProgram program = new CommandLineProgram(home);
        program.run("replay", scenario.toString());
        assertThat(program.run("lanes", "suspend", ADA).code()).isZero();

        String exported = program.run("lanes", "export-scenario", ADA).out();

        assertThat(exported).contains("\"/stop\"").doesNotContain("secret", "Ada");
        assertThat(program.run("lanes", "export-scenario", ADA, "--texts").out())
                .contains("a secret plan", "\"user_name\":\"Ada\"");
    }

    @Test
    void aTitleIsFoundAgainUnderAnotherNameAndNobodysWordsAreInTheFile() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        Path scenario = Files.writeString(directory.resolve("day.jsonl"), """
                {"zone":"UTC"}
                {"at":"2026-03-10T09:00:00","from":{"platform":"telegram","chat_id":"99"},"text":"one"}
                {"at":"2026-03-10T09:01:00","from":{"platform":"telegram","chat_id":"99"},"text":"/title Divorce"}
                {"at":"2026-03-10T09:02:00","from":{"platform":"telegram","chat_id":"99"},"text":"/new"}
                {"at":"2026-03-10T09:03:00","from":{"platform":"telegram","chat_id":"99"},"text":"two"}
                {"at":"2026-03-10T09:04:00","from":{"platform":"telegram","chat_id":"99"},"text":"/resume Divorce"}
                {"at":"2026-03-10T09:05:00","from":{"platform":"telegram","chat_id":"99"},"text":"three"}
                """);
        CommandLineProgram program = new CommandLineProgram(home);
        String was = program.run("replay", scenario.toString()).out();
        Path target = directory.resolve("lane.jsonl");

        Result written = program.run("lanes", "export-scenario", ADA, "-o", target.toString());
        Result again = program.bare("", "replay", target.toString());

        assertThat(written.code()).as(written.err()).isZero();
        assertThat(target).content().doesNotContain("Divorce", "three");
        assertThat(decisions(again.out(), ADA)).isEqualTo(decisions(was, ADA)).hasSize(3);
        assertThat(again.out()).contains("\"reason\":\"resume\"");
    }

    @Test
    void aLaneThatIsNotThereIsSaid() throws Exception {
        Path home = Files.createDirectory(directory.resolve("home"));
        CommandLineProgram program = new CommandLineProgram(home);
        program.runWith("{\"from\":{\"platform\":\"telegram\",\"chat_id\":\"1\"},\"text\":\"a\"}\n", "replay", "-");

        Result result = program.run("lanes", "export-scenario", "agent:main:telegram:dm:none");

        assertThat(result.code()).as(result.err()).isEqualTo(1);
        assertThat(result.err()).contains("there is no lane agent:main:telegram:dm:none");
    }

    /** Returns the configuration of an example's header, which is YAML as it is JSON. */
    private static String configuration(Path example) throws IOException, MalformedJson {
        JsonNode header = Json.parse(Files.readAllLines(example).get(0));
        ObjectNode config = header.path("config") instanceof ObjectNode given
                ? given
                : com.fasterxml.jackson.databind.node.JsonNodeFactory.instance.objectNode();
        if (header.has("zone")) {
            config.set("zone", header.get("zone"));
        }
        return config.toString();
    }

    private static Set<String> lanes(String outcomes) throws MalformedJson {
        Set<String> lanes = new TreeSet<>();
        for (String line : outcomes.lines().toList()) {
            JsonNode outcome = Json.parse(line);
            if (outcome.path("event").asText().equals("decision")) {
                lanes.add(outcome.path("lane").asText());
            }
        }
        return lanes;
    }

    /** Returns the decisions about a lane: when, which of its sessions, what and why. */
    private static List<String> decisions(String outcomes, String lane) throws MalformedJson {
        Map<String, String> sessions = new HashMap<>();
        List<String> decisions = new ArrayList<>();
        for (String line : outcomes.lines().toList()) {
            JsonNode outcome = Json.parse(line);
            if (outcome.path("event").asText().equals("decision")
                    && outcome.path("lane").asText().equals(lane)) {
                String session = sessions.computeIfAbsent(
                        outcome.path("session").asText(), name -> "session " + (sessions.size() + 1));
                decisions.add(String.join(
                        " ",
                        outcome.path("at").asText(),
                        session,
                        outcome.path("decision").asText(),
                        outcome.path("reason").asText()));
            }
        }
        return decisions;
    }
}
