package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution with its WhatsApp bridge, a process in Node.js, and a Baileys whose server is a directory. */
class WhatsAppProcessIT {
    private static final Path LIB = Path.of(System.getProperty("parley.lib"));
    private static final Path FAKE = Path.of("..", "adapters", "whatsapp", "bridge", "test", "fake");
    private static final String ADA = "491511@s.whatsapp.net";
    private static final String GROUP = "120363000000000000@g.us";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path directory;

    private Path home;
    private Path server;
    private Path bridge;
    private int files;

    @BeforeAll
    static void node() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "node"))),
                "needs Node.js 20 or later");
    }

    @BeforeEach
    void aHome() throws Exception {
        home = Files.createDirectory(directory.resolve("home"));
        server = Files.createDirectories(directory.resolve("server"));
        Files.createDirectory(server.resolve("in"));
        bridge = directory.resolve("bridge");
        copy(LIB.resolveSibling("bridges").resolve("whatsapp"), bridge);
        configure("bridge: " + bridge);
    }

    private void configure(String more) throws IOException {
        Files.writeString(home.resolve("parley.yaml"), """
                platforms:
                  http:
                    port: 0
                  whatsapp:
                    enabled: true
                    allow: ["491511"]
                    %s
                """.formatted(more));
    }

    private ParleyProcess gateway() throws Exception {
        ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("TEST_WHATSAPP", server.toString()));
        gateway.ready();
        return gateway;
    }

    @Test
    void whateverKillsItEachMessageIsAnsweredInItsChatInOrder() throws Exception {
        copy(FAKE, bridge.resolve("node_modules"));
        int kills = 2;
        int written = 0;
        for (int i = 0; i < kills; i++) {
            write(written, written + 4);
            written += 4;
            try (ParleyProcess gateway = gateway()) {
                int enough = shown(ADA).size() + 1;
                gateway.until("an answer came", () -> shown(ADA).size() >= enough);
                write(written, written + 4);
                written += 4;
                gateway.kill();
            }
        }
        int last = written;
        try (ParleyProcess gateway = gateway()) {
            gateway.until(
                    "all is taken",
                    () -> count(server.resolve("in")) == 0 && count(home.resolve("platforms/whatsapp/spool")) == 0);
            write("the end");
            gateway.until(
                    "the last answers came",
                    () -> Stream.of(ADA, GROUP)
                            .allMatch(chat -> shown(chat).stream().anyMatch(text -> text.contains("the end"))));
            assertThat(gateway.terminate()).isZero();
        }
        assertThat(bridges()).as("bridges that outlived their gateways").isEmpty();

        List<String> expected = IntStream.range(0, last).mapToObj(i -> "m" + i).toList();
        for (String chat : List.of(ADA, GROUP)) {
            List<String> answered = shown(chat).stream()
                    .flatMap(text -> Stream.of(text.split("\\s+")))
                    .filter(word -> word.matches("m[0-9]+"))
                    .toList();
            assertThat(expected)
                    .as("the order in %s", chat)
                    .containsSubsequence(answered.stream().distinct().toList());
        }
        List<String> stored = stored();
        assertThat(expected)
                .as("each message is stored once for each of the two chats")
                .allSatisfy(
                        text -> assertThat(Collections.frequency(stored, text)).isEqualTo(2));
        assertThat(lines("sent.jsonl").stream().map(each -> each.path("id").asText()))
                .doesNotHaveDuplicates();
    }

    @Test
    void withoutItsPackagesOneLineSaysHowToFetchThem() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("TEST_WHATSAPP", server.toString()))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("run: npm ci --omit=dev --prefix " + bridge))
                    .hasSize(1);
        }
        // The usual place is that of the distribution.
        configure("markdown: true");
        assertThat(ParleyProcess.run(home, "", "config", "check").out())
                .contains("run: npm ci --omit=dev --prefix "
                        + LIB.resolveSibling("bridges").resolve("whatsapp").toRealPath());
    }

    private Stream<ProcessHandle> bridges() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .orElse("")
                        .contains(bridge.resolve("bridge.js").toString()));
    }

    private void write(int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            write("m" + i);
        }
    }

    private void write(String text) throws IOException {
        for (String chat : List.of(ADA, GROUP)) {
            ObjectNode message = JSON.createObjectNode().put("pushName", "Ada").put("late", true);
            ObjectNode key = message.putObject("key")
                    .put("remoteJid", chat)
                    .put("id", "I" + files)
                    .put("fromMe", false);
            if (chat.equals(GROUP)) {
                key.put("participant", ADA);
            }
            message.put("messageTimestamp", 1_900_000_000L);
            message.putObject("message").put("conversation", text);
            Path beside = Files.writeString(server.resolve("next"), message.toString());
            Files.move(
                    beside,
                    server.resolve("in").resolve(String.format("%08d.json", files++)),
                    StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private List<String> shown(String chat) {
        return lines("sent.jsonl").stream()
                .filter(each -> each.path("jid").asText().equals(chat))
                .map(each -> each.path("content").path("text").asText())
                .toList();
    }

    private List<JsonNode> lines(String name) {
        try {
            Path file = server.resolve(name);
            String text = Files.exists(file) ? Files.readString(file) : "";
            List<JsonNode> lines = new ArrayList<>();
            // A line that is being written is not there yet.
            for (String line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                lines.add(JSON.readTree(line));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what people wrote, word by word, as often as it is stored. */
    private List<String> stored() throws Exception {
        List<String> stored = new ArrayList<>();
        for (String line :
                ParleyProcess.run(home, "", "sessions", "export").out().lines().toList()) {
            for (JsonNode message : JSON.readTree(line).findParents("role")) {
                if (message.path("role").asText().equals("user")) {
                    stored.addAll(List.of(message.path("content").asText().split("\\s+")));
                }
            }
        }
        return stored;
    }

    private static long count(Path place) {
        try (Stream<Path> list = Files.list(place)) {
            return list.count();
        } catch (IOException e) {
            return -1;
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
