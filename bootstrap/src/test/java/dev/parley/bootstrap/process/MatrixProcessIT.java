package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.fakes.matrix.FakeMatrix;
import dev.parley.fakes.matrix.Shown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as a bot in Matrix: killed, cut off and started again, with nothing but its six lines of configuration. */
class MatrixProcessIT {
    private static final String TOKEN = "syt_a-secret-of-matrix";

    @TempDir
    Path directory;

    private final FakeMatrix matrix = new FakeMatrix("parley.test", InstantSource.system());
    private final String bot = matrix.bot("parley", TOKEN);
    private final String ada = matrix.person("ada");
    private final String direct = matrix.directChat(ada, bot);
    private final String team = matrix.room(ada, "Team", bot);
    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        home = Files.createDirectory(directory.resolve("home"));
        configure("allow: [\"" + ada + "\"]");
    }

    @AfterEach
    void close() {
        matrix.close();
    }

    private void configure(String more) throws IOException {
        Files.writeString(home.resolve("parley.yaml"), """
                platforms:
                  http:
                    port: 0
                  matrix:
                    enabled: true
                    homeserver: %s
                    %s
                """.formatted(matrix.address(), more));
    }

    private ParleyProcess gateway() throws Exception {
        ParleyProcess gateway =
                ParleyProcess.gateway(home, Map.of("PARLEY_LOG", "DEBUG", "MATRIX_ACCESS_TOKEN", TOKEN));
        gateway.ready();
        return gateway;
    }

    @Test
    void whateverKillsItEachMessageIsAnsweredOnceInItsRoomAndThreadInOrder() throws Exception {
        Random chance = new Random(11);
        matrix.stop();
        String root = matrix.write(team, ada, "a thread begins");
        int kills = 2;
        int written = 0;
        for (int i = 0; i < kills; i++) {
            write(written, written + 5, root);
            try (ParleyProcess gateway = gateway()) {
                matrix.start();
                write(written + 5, written + 10, root);
                written += 10;
                int enough = answered(direct).size() + 1 + chance.nextInt(4);
                gateway.until("some answers came", () -> answered(direct).size() >= enough);
                gateway.kill();
            }
        }
        String commandLine;
        String log;
        try (ParleyProcess gateway = gateway()) {
            matrix.write(direct, ada, "the end");
            matrix.write(team, ada, threaded("parley: the end", root));
            gateway.until(
                    "the last answers came",
                    () -> Stream.of(direct, team)
                            .allMatch(room -> shown(room).stream().anyMatch(text -> text.contains("the end"))));
            commandLine = ProcessHandle.of(gateway.pid())
                    .orElseThrow()
                    .info()
                    .commandLine()
                    .orElse("");
            assertThat(gateway.terminate()).isZero();
            log = gateway.errors();
        }

        List<String> expected =
                IntStream.range(0, written).mapToObj(i -> "m" + i).toList();
        for (String room : List.of(direct, team)) {
            List<String> answered = answered(room);
            assertThat(expected)
                    .as("the order in %s", room)
                    .containsSubsequence(answered.stream().distinct().toList());
        }
        assertThat(matrix.shown(direct, bot))
                .allSatisfy(shown -> assertThat(shown.thread()).isEmpty());
        assertThat(matrix.shown(team, bot))
                .allSatisfy(shown -> assertThat(shown.thread()).contains(root));
        // Messages that waited together are stored as the lines of one.
        String exported = ParleyProcess.run(home, "", "sessions", "export").out();
        List<String> stored = List.of(exported.replace("\\n", " ").split("[^a-z0-9]+"));
        assertThat(stored).containsAll(expected);
        assertThat(commandLine).doesNotContain(TOKEN);
        assertThat(log).isNotEmpty().doesNotContain(TOKEN);
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(read(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(TOKEN);
            }
        }
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(int from, int to, String root) {
        for (int i = from; i < to; i++) {
            matrix.write(direct, ada, "m" + i);
            matrix.write(team, ada, threaded("parley: m" + i, root));
        }
    }

    private static ObjectNode threaded(String text, String root) {
        ObjectNode content = FakeMatrix.message(text);
        content.putObject("m.relates_to").put("rel_type", "m.thread").put("event_id", root);
        return content;
    }

    private List<String> answered(String room) {
        return shown(room).stream()
                .flatMap(text -> Stream.of(text.split("\\s+")))
                .filter(word -> word.matches("m[0-9]+"))
                .toList();
    }

    private List<String> shown(String room) {
        return matrix.shown(room, bot).stream().map(Shown::text).toList();
    }

    @Test
    void aWrongTokenAndAMissingListOfPeopleStopTheStartWithOneLine() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("MATRIX_ACCESS_TOKEN", "another-secret"))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("MATRIX_ACCESS_TOKEN"))
                    .hasSize(1);
            assertThat(gateway.errors()).doesNotContain("another-secret");
        }
        configure("markdown: true");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("MATRIX_ACCESS_TOKEN", TOKEN))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("say who may talk, with platforms.matrix.allow"))
                    .hasSize(1);
        }
    }
}
