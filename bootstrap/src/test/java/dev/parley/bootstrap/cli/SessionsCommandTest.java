package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.bootstrap.cli.CommandLineProgram.Result;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands about sessions on a database of the reference; the answers are the reference's (storage 3 to 6). */
class SessionsCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DOCKER = "20260101_090000_a1b2c3";
    private static final String BRANCH = "20260107_090000_b4a002";

    @TempDir
    Path directory;

    private Path database;
    private CommandLineProgram program;

    @BeforeEach
    void aDatabase() throws Exception {
        database = CommandLineProgram.fixture("state-v11.db", directory);
        program = new CommandLineProgram(directory.resolve("home"));
    }

    private Result sessions(String... arguments) {
        List<String> all = new ArrayList<>(List.of("sessions", "--db", database.toString()));
        all.addAll(List.of(arguments));
        return program.run(all.toArray(String[]::new));
    }

    private JsonNode json(String... arguments) throws Exception {
        Result result = sessions(arguments);
        assertThat(result.err()).isEmpty();
        assertThat(result.code()).isZero();
        return JSON.readTree(result.out());
    }

    private static List<String> column(JsonNode rows, String name) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.path(name).asText())
                .toList();
    }

    private static void assertRefused(Result result, int code, String... parts) {
        assertThat(result.code()).isEqualTo(code);
        assertThat(result.out()).isEmpty();
        assertThat(result.errors()).singleElement().asString().contains(parts);
    }

    @Test
    @DisplayName("A title moves off a compressed ancestor to the session that goes on (storage 3.3)")
    void aTitleMovesOffACompressedAncestor() throws Exception {
        String root = "20260110_080000_e0e001";
        String tip = "20260110_081000_e0e002";
        assertThat(sessions("title", root, "The long one").code()).isZero();

        assertThat(sessions("title", tip, "The long one").code()).isZero();

        assertThat(sessions("title", tip).lines()).containsExactly("The long one");
        assertThat(sessions("title", root).lines()).containsExactly("");
    }

    @Test
    @DisplayName("E2.6: sessions whose ids cannot be used are named by copy and export, which then exit with no")
    void sessionsWhoseIdsCannotBeUsedAreNamed() throws Exception {
        String unusable = DOCKER.replaceFirst("_", "\\\\");
        String bytes = Files.readString(database, StandardCharsets.ISO_8859_1);
        Files.writeString(database, bytes.replace(DOCKER, unusable), StandardCharsets.ISO_8859_1);

        Result exported = sessions("export");
        Result copied = program.run("storage", "copy", "--from", "sqlite:" + database, "--to", "sqlite:other.db");

        assertThat(exported.code()).isEqualTo(1);
        assertThat(exported.lines()).hasSize(17);
        assertThat(exported.err()).contains(unusable, "left out");
        assertThat(copied.code()).isEqualTo(1);
        assertThat(copied.out()).contains("17 sessions", "1 sessions left out");
        assertThat(copied.err()).contains(unusable);
        assertThat(sessions("export", "--source", "telegram").code()).isZero();
        assertRefused(sessions("title", BRANCH, "Fix Docker Build"), 1, "Fix Docker Build", "whose id cannot be used");
    }

    @Test
    @DisplayName(
            "Half surrogates, numbers and NaN of other writers keep their meaning through import, show and export (storage 4.1, 6)")
    void whatOtherWritersWroteKeepsItsMeaning() throws Exception {
        Path archive = directory.resolve("others.jsonl");
        Files.writeString(archive, """
                {"id":"s1","source":"cli","started_at":1.0,"estimated_cost_usd":NaN,"messages":[
                {"role":"assistant","timestamp":Infinity,"content":[{"type":"text","text":"cut \\ud83d","a":2.0,"b":2.50,"c":NaN}],
                "tool_calls":[{"id":"c","function":{"name":"f","arguments":{"n":2.50,"m":-Infinity}}}],
                "reasoning_details":"[{\\"text\\":\\"half \\\\ud83d\\"}]"}]}
                """.replace("\n", "") + "\n");
        assertThat(program.run("sessions", "import", archive.toString()).code()).isZero();

        Result exported = program.run("sessions", "export");
        Result shown = program.run("sessions", "show", "s1", "--conversation", "--json");

        assertThat(exported.out())
                .contains("cut \ufffd", "\"a\":2.0,\"b\":2.50,\"c\":\"NaN\"", "{\"n\":2.50,\"m\":\"-Infinity\"}");
        assertThat(shown.out()).contains("cut \ufffd", "half \ufffd");
        CommandLineProgram second = new CommandLineProgram(directory.resolve("second"));
        Files.writeString(archive, exported.out());
        assertThat(second.run("sessions", "import", archive.toString()).code()).isZero();
        assertThat(second.run("sessions", "export").out()).isEqualTo(exported.out());
    }

    @Test
    @DisplayName("What was put away stays so through import, list, copy and export (storage 1.8, 6)")
    void whatWasPutAwayStaysSo() throws Exception {
        Path archive = directory.resolve("archive.jsonl");
        Files.writeString(
                archive,
                sessions("export")
                        .out()
                        .replace("{\"id\":\"" + DOCKER + "\"", "{\"archived\":1,\"id\":\"" + DOCKER + "\""));
        assertThat(program.run("sessions", "import", archive.toString()).code()).isZero();
        assertPutAway();
        for (String url : List.of("sqlite:copied.db", "jsonl:copied")) {
            assertThat(program.run("storage", "copy", "--from", "sqlite:state.db", "--to", url, "--verify")
                            .code())
                    .as(url)
                    .isZero();
            Files.writeString(program.home().resolve("parley.yaml"), "storage: {url: \"" + url + "\"}\n");

            assertPutAway();
        }
    }

    private void assertPutAway() throws Exception {
        String[] list = {"sessions", "list", "--limit", "-1", "--json"};
        assertThat(column(JSON.readTree(program.run(list).out()), "id"))
                .hasSizeGreaterThan(5)
                .doesNotContain(DOCKER);
        List<String> all = new ArrayList<>(List.of(list));
        all.add("--archived");
        assertThat(putAway(program.run(all.toArray(String[]::new)))).containsExactly(DOCKER);
        assertThat(program.run("sessions", "export").lines())
                .filteredOn(line -> line.contains("\"archived\":1"))
                .singleElement()
                .asString()
                .contains("{\"id\":\"" + DOCKER + "\"");
    }

    private static List<String> putAway(Result listed) throws Exception {
        return StreamSupport.stream(JSON.readTree(listed.out()).spliterator(), false)
                .filter(row -> row.path("archived").asInt() == 1)
                .map(row -> row.path("id").asText())
                .toList();
    }

    @Test
    @DisplayName("list shows the tip of a compressed chain in place of its root (storage 3.9)")
    void listShowsTheNewestFirst() throws Exception {
        JsonNode rows = json("list", "--limit", "3", "--json");

        assertThat(column(rows, "id"))
                .containsExactly("20260110_081000_e0e002", "20260109_100000_10c901", "20260109_090000_4e9100");
        assertThat(rows.get(0).path("_lineage_root_id").asText()).isEqualTo("20260110_080000_e0e001");
        assertThat(rows.get(0).path("preview").asText()).isEqualTo("continued here");
        assertThat(column(json("list", "--limit", "1", "--offset", "2", "--json"), "id"))
                .containsExactly("20260109_090000_4e9100");
        assertThat(column(json("list", "--source", "cron", "--json"), "id")).containsExactly("20250601_080000_01d001");
        assertThat(column(json("list", "--limit", "-1", "--exclude", "cli,slack", "--json"), "source"))
                .isNotEmpty()
                .doesNotContain("cli", "slack");
    }

    @Test
    void showIsTheExportShapeOrTheConversation() throws Exception {
        JsonNode whole = json("show", DOCKER, "--json");
        JsonNode conversation = json("show", DOCKER, "--conversation", "--json");

        assertThat(whole.path("title").asText()).isEqualTo("Fix Docker Build");
        assertThat(column(whole.path("messages"), "id")).containsExactly("1", "2", "3", "4", "5", "6", "7");
        assertThat(conversation).hasSize(7);
        assertThat(conversation.get(2).path("tool_name").asText()).isEqualTo("terminal");
        assertThat(conversation.get(0).has("id")).isFalse();
        assertThat(column(json("show", BRANCH, "--ancestors", "--json"), "content"))
                .containsExactly(
                        "try approach one",
                        "approach one done",
                        "try approach one",
                        "approach one done",
                        "try approach two");
    }

    @Test
    @DisplayName("show --around gives the messages around one of them, and only those of its session (storage 4.5)")
    void showGivesTheMessagesAroundOne() throws Exception {
        assertThat(column(json("show", DOCKER, "--around", "4", "--json"), "id"))
                .containsExactly("1", "2", "3", "4", "5", "6", "7");
        assertThat(column(json("show", DOCKER, "--around", "4", "--before", "1", "--after", "0", "--json"), "id"))
                .containsExactly("3", "4");
        assertThat(sessions("show", DOCKER, "--around", "4", "--before", "0", "--after", "0")
                        .lines())
                .containsExactly("tool web_search: 3 results about BuildKit");
        assertRefused(sessions("show", DOCKER, "--around", "8"), 1, "8", DOCKER);
        assertRefused(sessions("show", DOCKER, "--around", "4", "--conversation"), 2, "--around");
        assertRefused(sessions("show", DOCKER, "--around", "4", "--before", "-1"), 2, "--before");
    }

    @Test
    void searchMarksWhatWasFound() throws Exception {
        JsonNode hits = json("search", "kubernetes", "--json");

        assertThat(column(hits, "id")).containsExactly("6", "7");
        assertThat(hits.get(0).path("snippet").asText()).contains(">>>kubernetes<<<");
        assertThat(hits.get(0).path("context")).hasSize(3);
        assertThat(column(json("search", "kubernetes", "--role", "assistant", "--json"), "id"))
                .containsExactly("7");
        assertThat(json("search", "nowhere-to-be-found", "--json")).isEmpty();
    }

    @Test
    void listsAndSearchesAreLimitedToASpanOfTime() throws Exception {
        JsonNode all = json("list", "--limit", "-1", "--json");
        JsonNode hits = json("search", "kubernetes", "--json");
        String day = Instant.ofEpochSecond(hits.get(0).path("timestamp").asLong())
                .atOffset(ZoneOffset.UTC)
                .toLocalDate()
                .toString();

        assertThat(json("search", "kubernetes", "--from", day + "T00:00Z", "--json"))
                .isEqualTo(hits);
        assertThat(json("search", "kubernetes", "--to", day + "T00:00Z", "--json"))
                .isEmpty();
        double newest = all.get(0).path("started_at").asDouble();
        String started = Instant.ofEpochMilli(Math.round(newest * 1000)).toString();
        assertThat(json("list", "--limit", "-1", "--from", started, "--json"))
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.path("started_at").asDouble()).isGreaterThanOrEqualTo(newest));
        assertThat(json("list", "--limit", "-1", "--to", started, "--json"))
                .isNotEmpty()
                .hasSizeLessThan(all.size())
                .allSatisfy(row -> assertThat(row.path("started_at").asDouble()).isLessThan(newest));
        assertRefused(sessions("list", "--from", "last week"), 2, "--from is 'last week'; say a day such as");
        assertRefused(sessions("search", "x", "--from", "2026-01-02", "--to", "2026-01-01"), 2, "--to is not later");
    }

    @Test
    void resolveSaysWhatANameStandsFor() throws Exception {
        JsonNode title = json("resolve", "Auth Refactor", "--json");
        assertThat(title.path("by_id").isNull()).isTrue();
        assertThat(title.path("by_title").asText()).isEqualTo("20260102_120000_aaaa03");
        assertThat(title.path("next_title").asText()).isEqualTo("Auth Refactor #4");

        JsonNode root = json("resolve", "20260102_100000_aaaa01", "--json");
        assertThat(root.path("compression_tip").asText()).isEqualTo("20260102_120000_aaaa03");

        assertThat(json("resolve", "20250", "--json").path("by_id").asText()).isEqualTo("20250601_080000_01d001");
        JsonNode none = json("resolve", "nothing of the kind", "--json");
        assertThat(none.path("by_id").isNull()).isTrue();
        assertThat(none.path("by_title").isNull()).isTrue();
        assertThat(none.path("compression_tip").isNull()).isTrue();
        assertThat(none.path("resume_id").isNull()).isTrue();
    }

    /** {@code --db} opens for reading unless the command writes: the file stays as it is, and nothing comes beside it. */
    @Test
    void readingLeavesTheFileByteForByteAsItIs() throws Exception {
        byte[] before = Files.readAllBytes(database);

        json("list", "--json");
        json("show", DOCKER, "--json");
        json("search", "docker", "--json");
        json("resolve", "Auth Refactor", "--json");
        json("stats", "--json");
        assertThat(sessions("export").lines()).hasSize(18);

        assertThat(Files.readAllBytes(database)).isEqualTo(before);
        try (var beside = Files.list(directory)) {
            assertThat(beside).containsExactly(database);
        }
    }

    @Test
    void aTitleIsSetCleanedAndTakenOnlyOnce() {
        assertThat(sessions("title", BRANCH, "  two \t words ").code()).isZero();
        assertThat(sessions("title", BRANCH).lines()).containsExactly("two words");

        assertRefused(sessions("title", BRANCH, "Fix Docker Build"), 1, "already in use by session " + DOCKER);
        assertThat(sessions("title", BRANCH).lines()).containsExactly("two words");
        assertRefused(sessions("title", BRANCH, "x".repeat(101)), 2, "101");
    }

    @Test
    void theFirstEndWinsAndReopenTakesItBack() throws Exception {
        assertThat(sessions("end", BRANCH, "user_exit").code()).isZero();
        assertThat(sessions("end", BRANCH, "later").code()).isZero();
        assertThat(json("show", BRANCH, "--json").path("end_reason").asText()).isEqualTo("user_exit");

        assertThat(sessions("reopen", BRANCH).code()).isZero();

        JsonNode live = json("show", BRANCH, "--json");
        assertThat(live.path("end_reason").isNull()).isTrue();
        assertThat(live.path("ended_at").isNull()).isTrue();
        assertRefused(sessions("end", BRANCH, " "), 2, "reason");
    }

    @Test
    void onATerminalDeleteAsksFirst() throws Exception {
        String[] delete = {"sessions", "--db", database.toString(), "delete", DOCKER};

        Result declined = program.onTerminal("n\n", delete);
        assertThat(declined.code()).isEqualTo(1);
        assertThat(declined.err()).contains("Delete the session " + DOCKER).contains("nothing was done");
        assertThat(program.onTerminal("", delete).code()).isEqualTo(1);
        assertThat(sessions("show", DOCKER).code()).isZero();

        assertThat(program.onTerminal("y\n", delete).code()).isZero();
        assertRefused(sessions("show", DOCKER), 1, "no session " + DOCKER);
    }

    @Test
    void deleteOrphansTheChildren() throws Exception {
        assertThat(sessions("delete", DOCKER).code()).isZero();

        assertRefused(sessions("show", DOCKER), 1, "no session " + DOCKER);
        assertThat(json("show", "20260101_090001_de1e6a", "--json")
                        .path("parent_session_id")
                        .isNull())
                .isTrue();
    }

    /** storage 3.8: the reference deletes one session begun 90 days before this clock, and seven of 20 days. */
    @Test
    @DisplayName("prune --every does it once in the interval, and others' stamps count (storage 3.8)")
    void pruneWhereItIsDue() throws Exception {
        assertThat(sessions("prune", "--older-than", "90", "--every", "1000000").lines())
                .containsExactly("not due");
        assertThat(sessions("prune", "--older-than", "90", "--every", "24").lines())
                .containsExactly("1 deleted");
        assertThat(sessions("prune", "--older-than", "0", "--every", "24").lines())
                .containsExactly("not due");
        assertRefused(sessions("prune", "--older-than", "1", "--every", "-1"), 2, "--every");
        assertRefused(sessions("prune", "--older-than", "1", "--every", "1", "--dry-run"), 2, "--dry-run");
    }

    @Test
    void aDryPruneOfAFileThatParleyDidNotMakeChangesNoByteOfIt() throws Exception {
        byte[] before = Files.readAllBytes(database);

        assertThat(sessions("prune", "--older-than", "0", "--dry-run").lines()).hasSize(7);

        assertThat(database).hasBinaryContent(before);
        assertThat(directory).isDirectoryNotContaining("glob:**{backup-,-wal,-shm}*");
    }

    @Test
    void aChangeInAFileThatIsNotThereMakesNone() {
        Path missing = directory.resolve("mistyped.db");

        assertRefused(program.run("sessions", "end", "s", "done", "--db", missing.toString()), 3, "does not exist");
        assertRefused(program.run("sessions", "delete", "s", "--yes", "--db", missing.toString()), 3, "mistyped.db");
        assertRefused(program.run("storage", "upgrade", "--db", missing.toString()), 3, "does not exist");
        assertRefused(program.run("storage", "vacuum", "--db", missing.toString()), 3, "does not exist");
        assertThat(missing).doesNotExist();
    }

    @Test
    void anImportWithANumberThatNoCounterHoldsIsRefused() throws Exception {
        for (String absurd : List.of(
                "\"input_tokens\":1e30,\"messages\":[]",
                "\"message_count\":9223372036854775808,\"messages\":[]",
                "\"messages\":[{\"role\":\"user\",\"content\":\"x\",\"token_count\":4294967297}]")) {
            Path file = Files.writeString(
                    directory.resolve("absurd.jsonl"),
                    "{\"id\":\"absurd\",\"source\":\"cli\",\"started_at\":1.0," + absurd + "}\n");

            assertThat(sessions("import", file.toString()).errors())
                    .first()
                    .asString()
                    .contains("line 1")
                    .endsWith("is too large");
        }
        assertRefused(sessions("show", "absurd"), 1, "no session absurd");
    }

    @Test
    void aFileThatIsNotThereIsToldInWords() {
        assertRefused(sessions("import", "/nowhere/x.jsonl"), 2, "there is no such file or directory");
        assertRefused(sessions("export", "-o", "/nowhere/x.jsonl"), 2, "there is no such file or directory");
        assertRefused(program.run("replay", "/nowhere/x.jsonl"), 2, "there is no such file or directory");
    }

    @Test
    void pruneDeletesOnlyEndedSessions() throws Exception {
        Result dry = sessions("prune", "--older-than", "90", "--dry-run");
        assertThat(dry.lines()).containsExactly("20250601_080000_01d001");
        assertThat(sessions("export").lines()).hasSize(18);

        assertThat(sessions("prune", "--older-than", "90").lines()).containsExactly("1 deleted");

        assertThat(sessions("export").lines()).hasSize(17);
        assertRefused(sessions("prune", "--older-than", "-1", "--yes"), 2, "--older-than is -1;");
        assertRefused(sessions("prune", "--older-than", "1e9", "--yes"), 2, "from 0 to 1000000");
    }

    @Test
    void exportWritesWhatWasAskedForInOrder() throws Exception {
        Path file = directory.resolve("out.jsonl");

        assertThat(sessions("export", DOCKER, BRANCH, "-o", file.toString()).code())
                .isZero();
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(2);
        assertThat(JSON.readTree(lines.get(0)).path("id").asText()).isEqualTo(DOCKER);
        assertThat(JSON.readTree(lines.get(0)).path("messages")).hasSize(7);
        assertThat(sessions("export", "--source", "cli").lines()).hasSize(9);
        assertRefused(sessions("export", "nope"), 1, "no session nope");
    }

    @Test
    void anExportThatCannotBeWrittenLeavesWhatWasThere() throws Exception {
        Path occupied = Files.createDirectory(directory.resolve("occupied"));
        Path nowhere = directory.resolve("nowhere").resolve("out.jsonl");

        assertRefused(sessions("export", "-o", occupied.toString()), 2, "occupied is a directory");
        assertRefused(sessions("export", "-o", nowhere.toString()), 2, "nowhere", "-o");
        assertThat(occupied).isEmptyDirectory();
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void anExportIsForItsOwnerOnlyAndLeavesTheFilesOfOthersAlone() throws Exception {
        Path target = directory.resolve("out.jsonl");
        Path others = Files.writeString(directory.resolve("out.jsonl.part"), "somebody's");

        assertThat(sessions("export", "-o", target.toString()).code()).isZero();

        assertThat(Files.readAllLines(target)).isNotEmpty();
        assertThat(Files.getPosixFilePermissions(target))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        assertThat(others).hasContent("somebody's");
    }

    @Test
    void anExportFollowsALinkToItsFile() throws Exception {
        Path target = Files.writeString(directory.resolve("target.jsonl"), "before");
        Path link = Files.createSymbolicLink(directory.resolve("link.jsonl"), Path.of("target.jsonl"));
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling.jsonl"), Path.of("made.jsonl"));

        assertThat(sessions("export", DOCKER, "-o", link.toString()).code()).isZero();
        assertThat(sessions("export", DOCKER, "-o", dangling.toString()).code()).isZero();

        assertThat(link).isSymbolicLink();
        assertThat(dangling).isSymbolicLink();
        assertThat(Files.readString(target)).contains(DOCKER);
        assertThat(Files.readString(directory.resolve("made.jsonl"))).contains(DOCKER);
    }

    @Test
    void anExportIntoAPipeIsReadAtItsOtherEnd() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Process reader = new ProcessBuilder("cat", pipe.toString()).start();
        try {
            assertThat(sessions("export", DOCKER, "-o", pipe.toString()).code()).isZero();
            assertThat(new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains(DOCKER);
        } finally {
            reader.destroy();
        }
        assertThat(Files.readAttributes(pipe, BasicFileAttributes.class).isOther())
                .isTrue();
    }

    @Test
    void aDirectoryIsNoFileToImportNorToShow() throws Exception {
        assertRefused(sessions("import", directory.toString()), 2, directory.toString(), "is a directory");
        assertRefused(
                sessions("show", "--file", directory.resolve("missing.jsonl").toString()), 2, "missing.jsonl");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--home", "--config"})
    void anEmptyPathIsRefusedAndNotTakenForTheCurrentDirectory(String option) {
        assertRefused(program.bare("", option, "", "sessions", "list"), 2, option + " is empty");
    }

    @Test
    void toolCallsThatAreNoJsonComeBackAsTheyAre() throws Exception {
        Path line = Files.writeString(directory.resolve("malformed.jsonl"), """
                {"id":"m1","source":"cli","started_at":1.0,"messages":[{"role":"assistant","content":"x","timestamp":1.5,\
                "tool_calls":[],"tool_calls_text":"[{broken"}]}
                """);
        database = directory.resolve("one.db");
        assertThat(sessions("import", line.toString()).code()).isZero();
        String exported = sessions("export", "m1").out();

        assertThat(JSON.readTree(exported).path("messages").get(0).path("tool_calls"))
                .isEmpty();
        assertThat(JSON.readTree(exported)
                        .path("messages")
                        .get(0)
                        .path("tool_calls_text")
                        .asText())
                .isEqualTo("[{broken");
        database = directory.resolve("two.db");
        assertThat(program.runWith(exported, "sessions", "--db", database.toString(), "import", "-")
                        .code())
                .isZero();
        assertThat(sessions("export", "m1").out()).isEqualTo(exported);
    }

    @ParameterizedTest
    @ValueSource(strings = {"show", "delete", "reopen", "export", "title"})
    void anIdThatLeadsElsewhereIsRefusedBeforeAnythingIsOpened(String command) {
        database = directory.resolve("none.db");

        assertRefused(sessions(command, "../../etc/passwd"), 2, "../../etc/passwd", "not usable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"show nope", "title nope", "title nope name", "end nope why", "reopen nope", "delete nope --yes"
            })
    void anUnknownIdIsAnsweredWithNo(String line) {
        assertRefused(sessions(line.split(" ")), 1, "no session nope");
    }

    @Test
    void anOrderOfASearchThatIsNoneIsRefused() {
        assertRefused(sessions("search", "docker", "--sort", "up"), 2, "--sort is \"up\"; say newest or oldest.");
    }

    @Test
    void anEmptyFileLacksNoSearchIndex() throws Exception {
        Path empty = Files.createFile(directory.resolve("empty.db"));

        Result found = program.run("sessions", "search", "hello", "--db", empty.toString());

        assertThat(found.err()).isEmpty();
        assertThat(program.run("storage", "status", "--db", empty.toString()).out())
                .containsPattern("search index +none");
    }

    @Test
    void aFileThatIsNoDatabaseIsCorruptAndStaysAsItIs() throws Exception {
        database = CommandLineProgram.fixture("not-a-database.db", directory);
        byte[] before = Files.readAllBytes(database);

        assertRefused(sessions("list"), 4, "not-a-database.db", "not a SQLite database");
        assertRefused(program.run("storage", "status", "--db", database.toString()), 4, "not-a-database.db");
        assertRefused(sessions("reopen", DOCKER), 4, "not-a-database.db");

        assertThat(Files.readAllBytes(database)).isEqualTo(before);
    }

    @Test
    void aDatabaseThatIsNotThereIsUnavailableAndIsNotMadeByReading() {
        database = directory.resolve("none.db");

        assertRefused(sessions("list"), 3, "none.db", "does not exist");

        assertThat(database).doesNotExist();
    }
}
