package dev.parley.bootstrap.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The command {@code replay}: its output, its options and its exit codes. */
class ReplayCommandTest {
    private static final String HELLO = """
            {"scenario":"hello","zone":"Europe/Berlin"}
            {"at":"2026-03-10T09:00","from":{"platform":"telegram","chat_id":99},"text":"hello","message_id":7}
            {"at":"2026-03-10T09:00:00.250","from":{"platform":"telegram","chat_id":"99"},"text":"hello","message_id":"7"}
            """;

    @TempDir
    private Path directory;

    private Program program;

    @BeforeEach
    void start() {
        program = new Program(directory.resolve("user"));
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void aMessageIsDecidedRunAndAnsweredAndItsRedeliveryDoesNothing() {
        Program.Result result = program.runWith(HELLO, "replay", "-");

        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.lines())
                .containsExactly(
                        "{\"at\":\"2026-03-10T09:00:00\",\"event\":\"decision\",\"lane\":\"agent:main:telegram:dm:99\","
                                + "\"session\":\"S1\",\"decision\":\"create\",\"reason\":\"first_message\"}",
                        "{\"at\":\"2026-03-10T09:00:00\",\"event\":\"transition\",\"lane\":\"agent:main:telegram:dm:99\","
                                + "\"to\":\"S1\",\"reason\":\"first_message\",\"change\":\"created\"}",
                        "{\"at\":\"2026-03-10T09:00:00\",\"event\":\"turn\",\"lane\":\"agent:main:telegram:dm:99\","
                                + "\"session\":\"S1\",\"input\":\"hello\",\"notes\":[\"first-contact\"],\"history\":0}",
                        "{\"at\":\"2026-03-10T09:00:00\",\"event\":\"sent\",\"platform\":\"telegram\",\"chat_id\":\"99\","
                                + "\"text\":\"hello\",\"kind\":\"reply\"}");
    }

    @Test
    void realIdsAreThoseOfTheGatewaysZoneAndTheSameEachTime() {
        Program.Result once = program.runWith(HELLO, "replay", "--ids", "-");
        Program.Result again = program.runWith(HELLO, "replay", "--ids", "-");

        assertThat(once.lines().get(0)).containsPattern("\"session_id\":\"20260310_090000_[0-9a-f]{8}\"");
        assertThat(again.out()).isEqualTo(once.out());
    }

    @Test
    void aHomeIsUsedAgainWithItsConversations() {
        String home = directory.resolve("home").toString();
        String later = HELLO.replace("T09:", "T10:").replace("\"7\"", "\"9\"").replace(":7}", ":8}");

        program.runWith(HELLO, "--home", home, "replay", "-");
        Program.Result second = program.runWith(later, "--home", home, "replay", "-");

        assertThat(second.code()).as(second.err()).isZero();
        assertThat(second.lines().get(0)).contains("\"decision\":\"reuse\"");
        assertThat(second.out()).contains("\"input\":\"hello\",\"notes\":[],\"history\":2");
    }

    @Test
    void theHomesConfigurationHoldsUnlessTheHeaderBringsOne() throws IOException {
        Path home = Files.createDirectories(directory.resolve("home"));
        Files.writeString(home.resolve("parley.yaml"), "zone: America/New_York\n");
        String zoneless = HELLO.lines().skip(1).reduce("", (a, b) -> a + b + "\n");

        Program.Result configured = program.runWith(zoneless, "--home", home.toString(), "replay", "--ids", "-");
        Program.Result own = program.runWith(
                "{\"config\":{\"zone\":\"Asia/Tokyo\"}}\n" + zoneless.replace("99", "98"),
                "--home",
                home.toString(),
                "replay",
                "--ids",
                "-");

        assertThat(configured.lines().get(0)).as(configured.err()).contains("\"session_id\":\"20260310_050000_");
        assertThat(own.lines().get(0)).as(own.err()).contains("\"session_id\":\"20260310_090000_");
    }

    @Test
    void theTemporaryHomeIsKeptOnlyWhenAskedFor() throws IOException {
        Program.Result kept = program.runWith(HELLO, "replay", "--keep", "-");
        Path home = Path.of(kept.err().strip().replaceFirst("^kept: ", ""));

        try (Stream<Path> files = Files.list(home)) {
            assertThat(files.map(f -> f.getFileName().toString())).contains("state.db");
        } finally {
            HomeStore.delete(home);
        }
        assertThat(program.runWith(HELLO, "replay", "-").err()).isEmpty();
    }

    @Test
    void anExpectationThatHoldsIsExitCodeZero() throws IOException {
        Path expected = file("expected.jsonl", """
                {"at":"2026-03-10T09:00","event":"turn","notes":["first-contact"]}
                {"event":"sent","thread_id":null}
                {"never":{"event":"dropped"}}
                {"count":1,"of":{"event":"decision","decision":"create"}}
                """);

        assertThat(program.runWith(HELLO, "replay", "--expect", expected.toString(), "-")
                        .code())
                .isZero();
    }

    @Test
    void theFirstDifferenceIsShownWithWhatComesNearest() throws IOException {
        Path expected = file(
                "expected.jsonl",
                "{\"event\":\"decision\"}\n{\"event\":\"sent\",\"platform\":\"telegram\",\"text\":\"bye\"}\n");

        Program.Result result = program.runWith(HELLO, "replay", "--expect", expected.toString(), "-");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err())
                .contains("expected.jsonl:2: no outcome after line 1 matches")
                .contains("line 4: ")
                .contains("text is \"hello\", expected \"bye\"");
        assertThat(result.lines()).hasSize(4);
    }

    @Test
    void expectationsInTheWrongOrderDiffer() throws IOException {
        Path expected = file("expected.jsonl", "{\"event\":\"sent\"}\n{\"event\":\"turn\"}\n");

        Program.Result result = program.runWith(HELLO, "replay", "--expect", expected.toString(), "-");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).contains("too early:");
    }

    @Test
    void neverAndCountLookAtAllOutcomes() throws IOException {
        Path never = file("never.jsonl", "{\"never\":{\"event\":\"sent\",\"kind\":\"reply\"}}\n");
        Path count = file("count.jsonl", "{\"count\":2,\"of\":{\"event\":\"sent\"}}\n");

        Program.Result forbidden = program.runWith(HELLO, "replay", "--expect", never.toString(), "-");
        Program.Result counted = program.runWith(HELLO, "replay", "--expect", count.toString(), "-");

        assertThat(forbidden.code()).isEqualTo(1);
        assertThat(forbidden.err()).contains("expected never, but there are 1");
        assertThat(counted.code()).isEqualTo(1);
        assertThat(counted.err()).contains("expected 2 times, but there are 1");
    }

    @Test
    @DisplayName("what is wrong with a scenario is one line with file and line number, exit code 2")
    void aWrongScenarioIsAUsageError() {
        refused(
                "{\"at\":\"2026-03-10T09:00:00\",\"do\":\"crsh\"}",
                "-:1: there is nothing to do called \"crsh\"; did you mean");
        refused("{\"do\":\"start\",\"when\":1}", "-:1: \"when\" is no field of \"start\"");
        refused("not json", "-:1: not JSON");
        refused("[1]", "-:1: the line is a list");
        refused("{}", "-:1: the line says nothing");
        refused("{\"at\":\"2026-03-10T09:00:00Z\"}", "-:1: \"at\" is \"2026-03-10T09:00:00Z\"");
        refused(
                "{\"at\":\"2026-03-10T09:00:00\"}\n\n{\"at\":\"2026-03-10T08:59:59\"}",
                "-:3: time goes back to 2026-03-10T08:59:59, the line before is at 2026-03-10T09:00:00");
        refused("{\"do\":\"start\"}\n{\"scenario\":\"late\"}", "-:2: a header must be the first line");
        refused("{\"zone\":\"Europe/Berln\"}", "-:1: zone \"Europe/Berln\" is not a time zone; did you mean");
        refused("{\"from\":{\"chat_id\":\"1\"},\"text\":\"x\"}", "-:1: from: A source needs 'platform'");
        refused("{\"from\":{\"platform\":\"irc\",\"chat_id\":\"1\"}}", "-:1: \"text\" is missing");
        refused("{\"do\":\"agent\",\"outcome\":\"maybe\"}", "-:1: \"outcome\" is \"maybe\"");
        refused("{\"do\":\"agent\",\"takes\":\"90s\"}", "-:1: \"takes\" is \"90s\"");
        refused("{\"do\":\"agent\",\"usage\":{\"input\":-1}}", "-:1: \"input\" is -1");
        refused("{\"do\":\"agent\",\"lane\":\"..\"}", "-:1: Session key '..'");
        refused("{\"do\":\"storage\",\"state\":\"gone\"}", "-:1: \"state\" is \"gone\"");
        refused("{\"do\":\"config\"}", "-:1: \"config\" is missing");
        refused("{\"config\":{\"session_resett\":{}}}", "session_resett");
    }

    @ParameterizedTest
    @MethodSource
    void aWrongFieldIsNamedWithWhatToWrite(String line, String message) {
        refused(line, "-:1: " + message);
    }

    static Stream<Arguments> aWrongFieldIsNamedWithWhatToWrite() {
        return Stream.of(
                Arguments.of(
                        "{\"do\":\"agent\",\"tools\":[{\"name\":\"t\",\"argumnts\":1}]}",
                        "\"argumnts\" is no field of an item of \"tools\"; did you mean \"arguments\"?"),
                Arguments.of("{\"do\":\"agent\",\"tools\":[1]}", "an item of \"tools\" is 1; write a JSON object."),
                Arguments.of("{\"do\":\"agent\",\"tools\":{}}", "\"tools\" is an object; write a list."),
                Arguments.of(
                        "{\"do\":\"agent\",\"usage\":{\"inputt\":1}}",
                        "\"inputt\" is no field of \"usage\"; did you mean \"input\"?"),
                Arguments.of("{\"do\":\"agent\",\"usage\":3}", "\"usage\" is 3; write a JSON object."),
                Arguments.of("{\"do\":\"agent\",\"reply\":3}", "\"reply\" is 3; write text."),
                Arguments.of("{\"do\":\"agent\",\"obeys\":\"yes\"}", "\"obeys\" is \"yes\"; write true or false."),
                Arguments.of(
                        "{\"do\":\"agent\",\"takes\":\"-PT3S\"}",
                        "\"takes\" is \"-PT3S\"; write a duration from 0, such as PT90S."),
                Arguments.of(
                        "{\"do\":\"agent\",\"asks\":{\"kind\":\"approve\",\"text\":\"x\"}}",
                        "\"kind\" is \"approve\"; write one of approval, clarification."),
                Arguments.of(
                        "{\"do\":\"agent\",\"asks\":{\"kind\":\"approval\"}}",
                        "\"text\" is missing; write what the agent asks."),
                Arguments.of(
                        "{\"do\":\"agent\",\"engaged\":3}", "\"engaged\" is 3; write one of delegating, compressing."),
                Arguments.of(
                        "{\"do\":3}",
                        "\"do\" is 3; write one of agent, config, connect, crash, disconnect, hold, model, processes, release, restart, shutdown, start, storage, summary."),
                Arguments.of(
                        "{\"do\":\"model\",\"context_length\":1.5}",
                        "\"context_length\" is 1.5; write a whole number from 0."),
                Arguments.of(
                        "{\"do\":\"model\",\"context_length\":1e999999999}",
                        "\"context_length\" is 1E+999999999; write a whole number from 0."),
                Arguments.of("{\"do\":\"config\",\"config\":3}", "\"config\" is 3; write a JSON object."),
                Arguments.of(
                        "{\"at\":3}",
                        "\"at\" is 3; write a local date and time without an offset, such as 2026-03-10T09:00:00."),
                Arguments.of(
                        "{\"at\":\"2026-03-10T09:00:00+01:00\"}",
                        "\"at\" is \"2026-03-10T09:00:00+01:00\"; write a local date and time without an offset, such as 2026-03-10T09:00:00."),
                Arguments.of("{\"from\":\"x\",\"text\":\"x\"}", "\"from\" is \"x\"; write a JSON object."),
                Arguments.of(
                        "{\"from\":{\"platform\":\"telegram\",\"chat_id\":1e999999999},\"text\":\"x\"}",
                        "from: 'chat_id' is a number of more than 100 digits; write text"),
                Arguments.of(
                        "{\"from\":{\"platform\":\"telegram\",\"chat_id\":1},\"text\":[\"x\"]}",
                        "\"text\" is a list; write text."),
                Arguments.of(
                        "{\"from\":{\"platform\":\"telegram\",\"chat_id\":1},\"text\":\"x\",\"attachments\":[3]}",
                        "an attachment is 3; write {\"kind\":\"photo\",\"url\":\"…\"}."),
                Arguments.of(
                        "{\"from\":{\"platform\":\"telegram\",\"chat_id\":1},\"text\":\"x\",\"attachments\":[{\"kind\":3}]}",
                        "\"kind\" is 3; write text."),
                Arguments.of(
                        "{\"from\":{\"platform\":\"telegram\",\"chat_id\":1},\"text\":\"x\",\"message_id\":1.5}",
                        "\"message_id\" is 1.5; write text."),
                Arguments.of("{\"zone\":null,\"config\":[]}", "\"config\" is a list; write a JSON object."),
                Arguments.of(
                        "{\"do\":\"processes\",\"lane\":\"agent:main:telegram:dm:1\",\"since\":\"soon\"}",
                        "\"since\" is \"soon\"; write a local date and time without an offset, such as 2026-03-10T09:00:00."),
                Arguments.of(
                        "{\"foo\":1}",
                        "\"foo\" is no field of a line, which has \"from\" for a message, \"do\" for anything else, or \"at\" alone; there are at, do, from."));
    }

    private void refused(String scenario, String message) {
        Program.Result result = program.runWith(scenario, "replay", "-");
        assertThat(result.code()).as(scenario + ": " + result.err()).isEqualTo(2);
        assertThat(result.err()).contains(message);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void aFileThatIsMissingAndAWrongExpectationAreUsageErrors() throws IOException {
        Path broken = file("broken.jsonl", "{\"never\":1}\n");

        assertThat(program.run("replay", directory.resolve("none.jsonl").toString())
                        .code())
                .isEqualTo(2);
        assertThat(program.run("replay").code()).isEqualTo(2);
        assertThat(program.runWith(HELLO, "replay", "--expect", broken.toString(), "-")
                        .code())
                .isEqualTo(2);
        assertThat(program.runWith(HELLO, "replay", "--storage", "nosuch:x", "-")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void anotherPolicyIsTriedOnWhatHasHappened() throws IOException {
        String home = directory.resolve("home").toString();
        Path policy = file("new.yaml", "session_reset:\n  mode: idle\n  idle_minutes: 30\n");
        String day = """
                {"zone":"Europe/Berlin","config":{"session_reset":{"mode":"none"}}}
                {"at":"2026-03-10T09:00:00","from":{"platform":"telegram","chat_id":"99"},"text":"one"}
                {"at":"2026-03-10T09:20:00","from":{"platform":"telegram","chat_id":"99"},"text":"two"}
                {"at":"2026-03-10T12:00:00","from":{"platform":"telegram","chat_id":"99"},"text":"three"}
                """;
        program.runWith(day, "--home", home, "replay", "-");

        Program.Result rows = program.run("--home", home, "replay", "--policy", policy.toString(), "--json");
        Program.Result table =
                program.run("--home", home, "replay", "--policy", policy.toString(), "--from-history", "30d");

        assertThat(rows.code()).as(rows.err()).isZero();
        assertThat(rows.out())
                .contains("\"lane\" : \"agent:main:telegram:dm:99\"")
                .contains("\"turns\" : 3")
                .contains("\"resets\" : [ ]")
                .contains("\"reason\" : \"idle\"");
        assertThat(table.out()).contains("agent:main:telegram:dm:99  would have been reset (idle, last activity");
        assertThat(program.run("--home", home, "replay", "--policy", policy.toString(), "--from-history", "soon")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void aChangedPolicyIsTriedOnWhatHasHappenedAndTheSessionsAreNamed() throws IOException {
        String home = directory.resolve("home").toString();
        String day = """
                {"zone":"Europe/Berlin","config":{"session_reset":{"mode":"idle","idle_minutes":60}}}
                {"at":"2026-03-10T09:00:00","from":{"platform":"telegram","chat_id":"99"},"text":"one"}
                {"at":"2026-03-10T09:40:00","from":{"platform":"telegram","chat_id":"99"},"text":"two"}
                {"at":"2026-03-10T12:00:00","from":{"platform":"telegram","chat_id":"99"},"text":"three"}
                {"at":"2026-03-10T12:00:00","from":{"platform":"slack","chat_type":"group","chat_id":"C1","user_id":"u"},"text":"one"}
                {"at":"2026-03-10T12:40:00","from":{"platform":"slack","chat_type":"group","chat_id":"C1","user_id":"u"},"text":"two"}
                """;
        program.runWith(day, "--home", home, "replay", "-");

        String longer = program.run("--home", home, "lanes", "what-if", "--idle-minutes", "600", "--mode", "idle")
                .out();
        String rooms = program.run(
                        "--home",
                        home,
                        "lanes",
                        "what-if",
                        "--mode",
                        "idle",
                        "--idle-minutes",
                        "30",
                        "--type",
                        "group",
                        "--json")
                .out();
        String first = program.run("--home", home, "sessions", "list", "--json").out();

        assertThat(longer)
                .contains("agent:main:telegram:dm:99  was reset and would not have been (idle, last activity")
                .doesNotContain("would have been reset");
        String session = longer.replaceAll("(?s).*session ([^)\\s]+)\\).*", "$1");
        assertThat(first).contains(session);
        assertThat(rooms)
                .contains("\"policy\" : \"reset_by_type.group\"", "\"policy\" : \"session_reset\"")
                .contains("\"at\" : \"2026-03-10T20:40:00+09:00\"");
    }

    @Test
    void aWhatIfSaysWhatIsWrongWithIt() {
        String home = directory.resolve("home").toString();

        assertThat(program.run("--home", home, "lanes", "what-if").err()).contains("--policy NEW.yaml");
        assertThat(program.run("--home", home, "lanes", "what-if", "--policy", "/dev/null")
                        .err())
                .contains("The policy /dev/null is not a file");
        assertThat(program.run("--home", home, "lanes", "what-if", "--at-hour", "24")
                        .err())
                .contains("--at-hour is 24");
        assertThat(program.run("--home", home, "lanes", "what-if", "--idle-minutes", "0")
                        .err())
                .contains("--idle-minutes is 0");
        assertThat(program.run("--home", home, "lanes", "what-if", "--mode", "idle", "--policy", "x.yaml")
                        .err())
                .contains("either --policy");
        assertThat(program.run("--home", home, "lanes", "what-if", "--mode", "idle", "--type", "dm", "--platform", "x")
                        .err())
                .contains("either --type or --platform");
    }
}
