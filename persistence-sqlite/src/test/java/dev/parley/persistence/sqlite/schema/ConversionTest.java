package dev.parley.persistence.sqlite.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance.Arrangement;
import dev.parley.persistence.sqlite.ConvertInProcess;
import dev.parley.persistence.sqlite.Sql;
import dev.parley.persistence.sqlite.Stores;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A database is converted from one form of the search index to the other while other software of schema 11 writes into it, and whoever
 * converts is cut off again and again (decision 40).
 */
class ConversionTest {
    private static final List<String> TEXTS = List.of(
            "zanzibar docker",
            "大别山项目 zanzibar",
            "漓江",
            "\u0000json:[{\"type\":\"text\",\"text\":\"大别山 看图\"}]",
            "",
            "naïve café \ud83d\ude80",
            "𠮷野家 docker");

    private static final int KILLS = Integer.getInteger("parley.conversion.kills", 2);

    @TempDir
    Path folder;

    static Stream<Arguments> conversions() {
        return Stream.of(IndexForm.values())
                .flatMap(form -> Stream.of(1L, 2L, 3L).map(seed -> Arguments.of(form, seed)));
    }

    /** Each step is one transaction, so a process that is killed leaves what this leaves: the state after some step. */
    @ParameterizedTest
    @MethodSource("conversions")
    void whatOthersWriteBetweenTheStepsIsInTheIndexHoweverOftenTheConversionIsCutOff(IndexForm form, long seed)
            throws Exception {
        Random random = new Random(seed);
        Path file = made(form == IndexForm.COMPACT ? Arrangement.SHARED : Arrangement.COMPACT, random);
        try (Connection writer = connect(file);
                Connection other = connect(file)) {
            IndexRebuild rebuild = inTransaction(writer, () -> IndexRebuild.begin(writer, form));
            int steps = 0;
            int begun = 1;
            while (!rebuild.isDone()) {
                assertThat(steps++).as("steps").isLessThan(10_000);
                for (int i = random.nextInt(4); i > 0; i--) {
                    write(other, random);
                }
                if (random.nextInt(3) == 0) {
                    rebuild = inTransaction(writer, () -> IndexRebuild.resume(writer));
                }
                if (begun < 3 && random.nextInt(25) == 0) {
                    begun++;
                    rebuild = inTransaction(writer, () -> IndexRebuild.begin(writer, form));
                }
                IndexRebuild going = rebuild;
                rebuild = inTransaction(writer, () -> {
                    going.step(writer, 1 + random.nextInt(6));
                    return going;
                });
            }
        }
        assertWhole(file, form);
    }

    @ParameterizedTest
    @EnumSource(Arrangement.class)
    void aConversionThatIsKilledAgainAndAgainIsFinishedByTheNext(Arrangement wanted) throws Exception {
        Random random = new Random(5);
        Path file = made(wanted == Arrangement.COMPACT ? Arrangement.SHARED : Arrangement.COMPACT, random);
        try (Connection other = connect(file)) {
            for (int kill = 0; kill < KILLS; kill++) {
                Process process = convert(file, wanted);
                for (int line = 0;
                        line <= kill
                                && process.inputReader(StandardCharsets.UTF_8).readLine() != null;
                        line++) {
                    write(other, random);
                }
                process.destroyForcibly();
                assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
                assertThat(Sql.column(file, "PRAGMA quick_check")).containsExactly("ok");
            }
            Process last = convert(file, wanted);
            String said = new String(last.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean done = last.waitFor(1, TimeUnit.MINUTES) && last.exitValue() == 0;
            assertThat(done).as(said).isTrue();
        }
        assertWhole(file, IndexForm.valueOf(wanted.name()));
    }

    private Path made(Arrangement form, Random random) throws Exception {
        Path file = folder.resolve("state.db");
        try (Storage storage = Stores.write(file)) {
            storage.maintenance().arrange(form, (rows, total) -> {});
        }
        try (Connection other = connect(file)) {
            Sql.run(file, "INSERT INTO sessions (id, source, started_at) VALUES ('s', 'cli', 1), ('t', 'cli', 2)");
            for (int i = 0; i < 50; i++) {
                insert(other, random);
            }
        }
        return file;
    }

    private static void write(Connection other, Random random) throws Exception {
        try (Statement statement = other.createStatement()) {
            switch (random.nextInt(6)) {
                case 0 ->
                    statement.execute("DELETE FROM messages WHERE id = (SELECT id FROM messages ORDER BY id LIMIT 1"
                            + " OFFSET " + random.nextInt(60) + ")");
                case 1, 2 -> {
                    try (PreparedStatement update =
                            other.prepareStatement("UPDATE messages SET content = ?, tool_name ="
                                    + " ? WHERE id = (SELECT id FROM messages ORDER BY id LIMIT 1 OFFSET ?)")) {
                        update.setString(1, TEXTS.get(random.nextInt(TEXTS.size())));
                        update.setString(2, random.nextBoolean() ? "山 shell" : null);
                        update.setInt(3, random.nextInt(60));
                        update.executeUpdate();
                    }
                }
                case 3 -> statement.execute("UPDATE messages SET finish_reason = 'stop' WHERE id % 3 = 1");
                default -> insert(other, random);
            }
        }
    }

    private static void insert(Connection other, Random random) throws Exception {
        try (PreparedStatement insert = other.prepareStatement(
                "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, ?)")) {
            insert.setString(1, random.nextInt(4) == 0 ? "t" : "s");
            insert.setString(2, random.nextInt(9) == 0 ? null : TEXTS.get(random.nextInt(TEXTS.size())));
            insert.setInt(3, random.nextInt(1_000));
            insert.executeUpdate();
        }
    }

    private static void assertWhole(Path file, IndexForm form) throws Exception {
        assertThat(Sql.column(
                        file,
                        "SELECT name FROM sqlite_master WHERE name GLOB 'parley_discarded_*' OR name ="
                                + " 'parley_rebuild'"))
                .isEmpty();
        try (Storage storage = Stores.write(file)) {
            assertThat(storage.maintenance().check((rows, total) -> {})).isEmpty();
            assertThat(storage.maintenance().status())
                    .containsEntry("search index", "whole")
                    .containsEntry("search index form", form == IndexForm.COMPACT ? "compact" : "shared");
            for (String word : List.of("zanzibar", "大别山", "docker", "漓江", "𠮷野家")) {
                assertThat(found(storage, word)).as(word).isEqualTo(holding(file, word));
            }
        }
    }

    private static List<Long> found(Storage storage, String word) {
        SearchQuery usual = SearchQuery.of(word);
        return storage
                .search()
                .search(new SearchQuery(
                        word,
                        usual.sources(),
                        usual.excludeSources(),
                        usual.roles(),
                        -1,
                        0,
                        usual.sort(),
                        usual.viewer()))
                .stream()
                .map(SearchHit::sequence)
                .sorted()
                .toList();
    }

    private static List<Long> holding(Path file, String word) throws Exception {
        return Sql.column(
                        file,
                        "SELECT id FROM messages WHERE instr(coalesce(content, '') || ' ' || coalesce(tool_name, ''), '"
                                + word + "') ORDER BY id")
                .stream()
                .map(id -> ((Number) id).longValue())
                .toList();
    }

    private Process convert(Path file, Arrangement wanted) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dorg.jooq.no-logo=true",
                        "-Dorg.jooq.no-tips=true",
                        "-cp",
                        classPath(),
                        ConvertInProcess.class.getName(),
                        file.toString(),
                        wanted.name())
                .redirectErrorStream(true)
                .start();
    }

    private static String classPath() {
        List<String> paths = new ArrayList<>();
        Stream.of("java.class.path", "jdk.module.path", "surefire.test.class.path")
                .map(name -> System.getProperty(name, ""))
                .filter(path -> !path.isEmpty())
                .forEach(paths::add);
        paths.add(Path.of("target", "test-classes").toAbsolutePath().toString());
        paths.add(Path.of("target", "classes").toAbsolutePath().toString());
        return paths.stream().collect(Collectors.joining(File.pathSeparator));
    }

    private static Connection connect(Path file) throws Exception {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 20000");
            statement.execute("PRAGMA synchronous = OFF");
        }
        return connection;
    }

    private interface Work {
        IndexRebuild run() throws Exception;
    }

    private static IndexRebuild inTransaction(Connection writer, Work work) throws Exception {
        try (Statement statement = writer.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            IndexRebuild rebuild = work.run();
            statement.execute("COMMIT");
            return rebuild;
        }
    }
}
