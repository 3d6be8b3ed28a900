package dev.parley.persistence.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done with a whole store needs no more memory than a few sessions do, however large the store is. */
class SmallHeapTest {
    private static final int SESSIONS = 50;
    private static final int MESSAGES = 5_000;

    private static final int LANES = 30_000;
    private static final int LANES_AT_ONCE = 1_000;

    /** A message has so many characters, all messages 40 million. */
    private static final int CHARACTERS = 8_000;

    @TempDir
    Path folder;

    @Test
    void aProcessWithLessMemoryThanTheTextsListsReadsSearchesChecksDeletesAndCopies() throws Exception {
        Path file = filled();
        Path said = folder.resolve("said.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx32m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.jooq.no-logo=true",
                        "-Dorg.jooq.no-tips=true",
                        "-cp",
                        classPath(),
                        SmallHeapInProcess.class.getName(),
                        file.toString(),
                        folder.resolve("copy.db").toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readAllLines(said))
                .containsExactly(
                        "listed " + SESSIONS,
                        "read " + MESSAGES + " " + MESSAGES,
                        "found 20",
                        "checked []",
                        "deleted",
                        "copied " + (MESSAGES - MESSAGES / SESSIONS) + " []");
    }

    private Path filled() throws Exception {
        Path file = folder.resolve("state.db");
        try (Storage storage = Stores.write(file)) {
            assertThat(storage.transcripts().countAll()).isZero();
        }
        Sql.run(
                file,
                "PRAGMA synchronous = OFF",
                "BEGIN",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + SESSIONS + ")"
                        + " INSERT INTO sessions (id, source, started_at) SELECT 's' || i, 'cli', i FROM n",
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + MESSAGES + ")"
                        + " INSERT INTO messages (id, session_id, role, content, timestamp) SELECT i, 's' || (1 + i % "
                        + SESSIONS + "), 'user', substr('zanzibar ' || replace(hex(zeroblob(" + CHARACTERS
                        + " / 25)), '00', 'abcdefghijklmnopqrstuvwx '), 1, " + CHARACTERS + "), i FROM n",
                "COMMIT");
        try (Storage storage = Stores.atHome(file)) {
            for (int from = 0; from < LANES; from += LANES_AT_ONCE) {
                Stores.commit(
                        storage,
                        IntStream.range(from, from + LANES_AT_ONCE)
                                .mapToObj(SmallHeapTest::lane)
                                .toArray(Change[]::new));
            }
        }
        assertThat(Files.size(folder.resolve("sessions").resolve("sessions.json")))
                .isGreaterThan(20_000_000);
        return file;
    }

    private static Change lane(int number) {
        SessionSource source = SessionSource.builder(Platform.TELEGRAM, String.valueOf(number))
                .chatName("a chat with a name that is as long as names of chats are, number " + number)
                .chatType(ChatType.DM)
                .userId("7")
                .build();
        return new Change.PutLane(new Lane(
                SessionEntry.begin(
                        SessionKey.of("agent:main:telegram:dm:" + number),
                        SessionId.of("s" + SESSIONS / 2),
                        source,
                        Openings.NOW,
                        Beginning.ordinary()),
                1));
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
}
