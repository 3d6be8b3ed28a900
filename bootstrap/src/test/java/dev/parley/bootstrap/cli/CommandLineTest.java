package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import dev.parley.home.GatewayLock;
import dev.parley.home.HomeDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What all commands have in common, and those about configuration and the home. */
class CommandLineTest {
    @TempDir
    Path directory;

    private CommandLineProgram program;
    private Path home;

    @BeforeEach
    void aProgram() throws Exception {
        // A temporary directory is its owner's only, as a home that the program makes is.
        home = Files.createTempDirectory(directory, "home");
        program = new CommandLineProgram(home);
    }

    private void configure(String yaml) throws Exception {
        Files.writeString(home.resolve("parley.yaml"), yaml);
    }

    @Test
    void withoutACommandTheHelpNamesAllCommandsAndExitCodes() {
        Result result = program.bare("");

        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains(
                        "gateway",
                        "chat",
                        "key",
                        "replay",
                        "lanes",
                        "sessions",
                        "pairing",
                        "platforms",
                        "storage",
                        "config",
                        "doctor",
                        "completion",
                        "75",
                        "130");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway",
                "chat",
                "key",
                "replay",
                "lanes",
                "sessions",
                "pairing",
                "platforms",
                "storage",
                "config",
                "doctor",
                "completion"
            })
    void everyCommandHasAHelpThatNamesIt(String command) {
        Result result = program.bare("", command, "--help");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("parley " + command, "--home", "--help");
    }

    @ParameterizedTest
    @CsvSource({
        "sessoins, 'did you mean \"sessions\"?'",
        "sessions lst, 'did you mean \"list\"?'",
        "sessions list --limti, 'did you mean \"--limit\"?'",
        "sessions list --limit x, 'not an int'",
        "sessions search -- docker --json, 'options stand before --'",
        "sessions list --offset -1, '--offset is -1'",
        "sessions show, 'Name a session'"
    })
    void aWrongCommandLineIsOneLineWithASuggestion(String line, String hint) {
        Result result = program.run(line.split(" "));

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.errors())
                .singleElement()
                .asString()
                .startsWith("parley: ")
                .contains(hint);
    }

    @ParameterizedTest
    @CsvSource({
        "lanes, list show why reset unreset suspend unsuspend resume interrupt drop what-if export-scenario",
        "sessions, list show search resolve stats title end reopen delete prune export import",
        "nodes, drain hold release forget",
        "deliveries, list retry give-up",
        "pairing, list approve revoke",
        "storage, status check upgrade vacuum copy",
        "config, show check"
    })
    void theHelpOfACommandNamesThoseBelowIt(String command, String below) {
        Result result = program.bare("", command, "--help");

        assertThat(result.code()).isZero();
        assertThat(result.out().lines().map(String::strip).map(line -> line.replaceFirst(" .*", "")))
                .containsSubsequence(below.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh"})
    void completionIsAScriptThatKnowsTheCommands(String shell) {
        Result result = program.bare("", "completion", shell);

        assertThat(result.code()).isZero();
        assertThat(result.out()).startsWith("#!").contains("complete -F", "sessions", "--older-than");
    }

    @Test
    void completionForAnotherShellIsAUsageError() {
        Result result = program.bare("", "completion", "fish");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errors()).singleElement().asString().contains("fish");
    }

    @Test
    void configShowTellsEachValueWithItsOrigin() throws Exception {
        configure("session_reset:\n  idle_minutes: 7\n");

        Result result = program.run("config", "show", "--json");

        assertThat(result.code()).isZero();
        assertThat(result.out().replaceAll("\\s+", " "))
                .contains("\"key\" : \"session_reset.idle_minutes\", \"value\" : \"7\", \"origin\" : \""
                        + home.resolve("parley.yaml") + ":2\"")
                .contains("\"key\" : \"session_reset.at_hour\", \"value\" : \"4\", \"origin\" : \"default\"");
    }

    @Test
    void configCheckReportsAllProblemsAtOnce() throws Exception {
        configure("platfroms: {}\nzone: Europe/Berln\nsession_reset:\n  idle_minuts: 3\n");

        Result result = program.run("config", "check");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.lines())
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).contains(":1: ", "did you mean \"platforms\"?"))
                .anySatisfy(line -> assertThat(line).contains(":2: ", "Europe/Berlin"))
                .anySatisfy(line -> assertThat(line).contains(":4: ", "did you mean \"session_reset.idle_minutes\"?"));
    }

    @Test
    void configCheckOfASoundConfigurationSaysSo() throws Exception {
        configure("session_reset:\n  idle_minutes: 7\n");

        Result result = program.run("config", "check");

        assertThat(result.code()).isZero();
        assertThat(result.lines()).singleElement().asString().startsWith("ok: ");
    }

    @Test
    void aCommandStopsAtABrokenConfigurationWithItsPlace() throws Exception {
        configure("a: [\n");

        Result result = program.run("sessions", "list");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errors()).singleElement().asString().contains("parley.yaml:1: not YAML");
    }

    @Test
    void aConfigurationThatIsNotThereIsAUsageError() {
        Result result = program.run("--config", directory.resolve("none.yaml").toString(), "config", "show");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errors()).singleElement().asString().contains("none.yaml", "--config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "chat"})
    void aHomeThatIsAFileIsOneLine(String command) throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "kept");

        Result result = new CommandLineProgram(file).run(command);

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errors()).singleElement().asString().contains(file + " is a file", "--home");
        assertThat(file).hasContent("kept");
    }

    @Test
    void theDoctorFindsNothingWrongWithAHomeThatIsNotThereYetAndMakesNone() {
        Path none = directory.resolve("none");

        Result result = new CommandLineProgram(none).run("doctor");

        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("does not exist yet");
        assertThat(none).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite:state.db", "jsonl:store"})
    void theDoctorFindsNothingWrongWithAConfiguredHomeBeforeItsFirstStart(String url) throws Exception {
        configure("storage:\n  url: " + url + "\n");

        Result result = program.run("doctor");

        assertThat(result.code()).isZero();
        assertThat(result.lines())
                .anySatisfy(
                        line -> assertThat(line).startsWith("storage").contains("note", url + " does not exist yet"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite:state.db", "jsonl:store"})
    void theDoctorSaysThatTheStorageOfAHomeThatWasUsedIsGone(String url) throws Exception {
        configure("storage:\n  url: " + url + "\n");
        Files.writeString(home.resolve("gateway.lock"), "4711\n");

        Result result = program.run("doctor");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.lines())
                .anySatisfy(line -> assertThat(line).startsWith("storage").contains("wrong"));
    }

    @Test
    void theDoctorSaysWhatIsWrong() throws Exception {
        configure("storage:\n  url: sqlite:state.db\n");
        Files.writeString(home.resolve("state.db"), "this is no database, however long it may be ".repeat(40));

        Result result = program.run("doctor");

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.lines())
                .anySatisfy(line -> assertThat(line).startsWith("storage").contains("wrong", "not a SQLite database"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite:", "jsonl:", ""})
    void theDoctorSaysWhichFileOfAStorageCannotBeWrittenTo(String scheme) throws Exception {
        Path store = Files.createFile(directory.resolve("store"));

        assertThat(DoctorCommand.unwritable(scheme + store, path -> true)).isEmpty();
        for (Path locked : List.of(store, directory)) {
            assertThat(DoctorCommand.unwritable(scheme + store, path -> !path.equals(locked)))
                    .hasValueSatisfying(text -> assertThat(text)
                            .startsWith(locked + " cannot be written to")
                            .contains("make it writable"));
        }
        assertThat(DoctorCommand.unwritable("postgres://localhost/parley", path -> false))
                .isEmpty();
    }

    @Test
    void theDoctorLeavesTheLockOfADeadGatewayAsItIs() throws Exception {
        Path lock = Files.writeString(home.resolve("gateway.lock"), "4711\n");

        Result result = program.run("doctor");

        assertThat(result.out()).contains("not running");
        assertThat(lock).hasContent("4711\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "platforms: {http: {port: abc}} | platforms.http.port: 'abc'",
                "agent: {provider: openai} | agents.openai.model is missing",
                "agents: {echo: {delay: soon}} | agents.echo.delay: 'soon'"
            })
    void whatAPlatformOrAnAgentCannotTakeStopsTheStartWithOneLine(String yaml, String told) throws Exception {
        configure(yaml);

        Result result = program.run("gateway");

        assertThat(result.errors()).singleElement().asString().startsWith("parley: " + told);
        assertThat(result.code()).isEqualTo(2);
        assertThat(home.resolve("state.db")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "platforms: {http: {port: abc}} | platforms.http.port: 'abc'",
                "agent: {provider: openai} | agents.openai.model is missing",
                "agents: {echo: {delay: soon}} | agents.echo.delay: 'soon'",
                "storage: {url: 'postgres://db/parley', options: {password_env: NOT_SET}} | storage.options.password_env is not set",
                "storage: {url: 'postgres://db'} | the name of the database",
                "observers: {otlp: {endpoint: 'collector:4318'}} | observers.otlp.endpoint is not the address of a collector",
                "observers: {otlp: {ratio: all}} | observers.otlp.ratio is \"all\"",
                "observers: {otlp: {endpiont: 'http://c:4318'}} | observers.otlp.endpoint",
                "observers: {otel: {}} | no observer is called \"otel\""
            })
    void configCheckTellsWhatTheStorageAPlatformOrAnAgentCannotTake(String yaml, String told) throws Exception {
        configure(yaml);

        Result result = program.run("config", "check");

        assertThat(result.lines())
                .singleElement()
                .asString()
                .startsWith("error: ")
                .contains(told);
        assertThat(result.code()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgres://parley:s3cret@db/parley", "postgres://db/parley?user=parley&password=s3cret"})
    void configCheckRefusesAPasswordInTheAddressAndDoesNotRepeatIt(String url) throws Exception {
        configure("storage: {url: '" + url + "'}");

        Result result = program.run("config", "check");

        assertThat(result.lines())
                .singleElement()
                .asString()
                .contains("holds a password", "storage.options.password_env")
                .doesNotContain("s3cret");
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isEqualTo(2);
        assertThat(program.run("config", "show").out()).doesNotContain("s3cret");
        assertThat(program.run("doctor").out()).doesNotContain("s3cret");
        assertThat(program.run("gateway").err()).contains("holds a password").doesNotContain("s3cret");
    }

    @Test
    void aBrokenPlugInIsToldBeforeWhatItWouldHaveBrought() throws Exception {
        Files.createDirectories(home.resolve("plugins"));
        Files.writeString(home.resolve("plugins/h2store.jar"), "no jar");
        configure("storage: {url: 'h2:c'}");

        Result start = program.run("gateway");
        assertThat(start.code()).isEqualTo(2);
        assertThat(start.errors().get(0)).contains("h2store.jar", "cannot be loaded", "into a directory");
        assertThat(start.errors().get(1)).contains("h2:c");

        configure("zone: UTC");
        Result check = program.run("config", "check");
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.lines()).singleElement().asString().contains("error: ", "h2store.jar");
        configure("plugins: {on_error: warn}");
        assertThat(program.run("config", "check").code()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gateway: {max_pending: 3.7} | gateway.max_pending | not a whole number",
                "storage: {url: 'jsonl:./spill'} | storage.fallback | the storage itself"
            })
    void aSettingThatCannotBeMeantIsTold(String yaml, String setting, String told) throws Exception {
        configure(yaml);

        assertThat(program.run("config", "check").lines())
                .singleElement()
                .asString()
                .contains(setting, told);
    }

    @Test
    void configShowHidesThePasswordsOfAddresses() throws Exception {
        configure("platforms: {http: {callback_url: 'https://bridge:s3cret@example.org/in'}}");

        String shown = program.run("config", "show").out();

        assertThat(shown).contains("https://(hidden)@example.org/in").doesNotContain("s3cret");
    }

    @Test
    void aFileThatIsTooLargeForAConfigurationIsRefusedAtOnce() throws Exception {
        configure("#" + "x".repeat(600_000));

        Result result = program.run("config", "show");

        assertThat(result.code()).isEqualTo(2);
        assertThat(result.errors()).singleElement().asString().contains("larger than 512 KiB");
    }

    /** Giving space back holds the database for as long as it lasts. */
    @Test
    void noSpaceIsGivenBackWhileAGatewayRuns() throws Exception {
        program.run(
                "sessions",
                "import",
                Files.writeString(home.resolve("s.jsonl"), "{\"id\":\"s1\"}\n").toString());
        GatewayLock held = GatewayLock.take(new HomeDirectory(home));
        try {
            Result refused = program.run("storage", "vacuum");

            assertThat(refused.code()).isNotZero();
            assertThat(refused.errors()).singleElement().asString().contains("gateway");
        } finally {
            held.close();
        }
        assertThat(program.run("storage", "vacuum").out()).contains("bytes given back");
    }

    /** A gateway that starts, or stands on a full disk, may have made the file and not filled it. */
    @Test
    void theDoctorLooksOnWhereTheAddressOfTheGatewayIsEmpty() throws Exception {
        GatewayLock held = GatewayLock.take(new HomeDirectory(home));
        try {
            Files.writeString(home.resolve("http-address"), "");
            Files.writeString(home.resolve("http-token"), "token");
            Result result = program.run("doctor");

            assertThat(result.err()).isEmpty();
            assertThat(result.out()).contains("running, process");
        } finally {
            held.close();
        }
    }
}
