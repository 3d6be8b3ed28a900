package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.fakes.signal.FakeSignal;
import dev.parley.fakes.signal.Shown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as an account in Signal: killed together with its daemon, cut off and started again, with its six lines of configuration. */
class SignalProcessIT {
    private static final String ACCOUNT = "+15550100";
    private static final String ADA = "+15550101";
    private static final String BOB = "+15550102";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String TEAM = "dGVhbQ==";

    @TempDir
    Path directory;

    private final FakeSignal signal = new FakeSignal(ACCOUNT, InstantSource.system());
    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        signal.person(ADA, "6a5b8ed8-8f21-4b4a-9a3f-000000000001", "Ada");
        signal.person(BOB, "6a5b8ed8-8f21-4b4a-9a3f-000000000002", "Bob");
        signal.group(TEAM, "Team");
        home = Files.createDirectory(directory.resolve("home"));
        configure(ACCOUNT, "allow: [\"" + ADA + "\", \"" + BOB + "\"]");
    }

    @AfterEach
    void close() {
        signal.close();
    }

    private void configure(String account, String more) throws IOException {
        Files.writeString(home.resolve("parley.yaml"), """
                platforms:
                  http:
                    port: 0
                  signal:
                    enabled: true
                    base_url: %s
                    account: "%s"
                    %s
                """.formatted(signal.address(), account, more));
    }

    private ParleyProcess gateway() throws Exception {
        ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("PARLEY_LOG", "DEBUG"));
        gateway.ready();
        return gateway;
    }

    @Test
    void whateverKillsItEachMessageIsTakenOnceInItsChatInOrder() throws Exception {
        int kills = 2;
        int written = 0;
        for (int i = 0; i < kills; i++) {
            write(written, written + 5);
            try (ParleyProcess gateway = gateway()) {
                write(written + 5, written + 10);
                written += 10;
                int enough = answered(ADA).size() + 2;
                gateway.until("some answers came", () -> answered(ADA).size() >= enough);
                gateway.kill();
                signal.losePower();
            }
        }
        int last = written;
        try (ParleyProcess gateway = gateway()) {
            write(last, last + 1);
            gateway.until(
                    "the last answers came",
                    () -> Stream.of(ADA, BOB, "group:" + TEAM)
                            .allMatch(chat -> answered(chat).contains("m" + last)));
            assertThat(gateway.terminate()).isZero();
        }

        List<String> expected =
                IntStream.range(0, last + 1).mapToObj(i -> "m" + i).toList();
        for (String chat : List.of(ADA, BOB, "group:" + TEAM)) {
            assertThat(expected)
                    .as("the order in %s", chat)
                    .containsSubsequence(answered(chat).stream().distinct().toList());
        }
        List<String> stored = stored();
        assertThat(expected)
                .as("each message is stored once for each of the three chats")
                .allSatisfy(
                        text -> assertThat(stored.stream().filter(text::equals)).hasSize(3));
        assertThat(home.resolve("signal/spool-15550100.jsonl")).isEmptyFile();
    }

    private void write(int from, int to) {
        for (int i = from; i < to; i++) {
            signal.write(ADA, "m" + i);
            signal.write(BOB, "m" + i);
            signal.writeInGroup(TEAM, ADA, "m" + i);
        }
    }

    /** Returns the messages that answers in a chat repeat; one that waited is answered together with others. */
    private List<String> answered(String chat) {
        return signal.shown(chat).stream()
                .map(Shown::text)
                .flatMap(text -> Stream.of(text.split("\\s+")))
                .filter(word -> word.matches("m[0-9]+"))
                .toList();
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

    @Test
    void itStartsWithoutItsDaemonAndConnectsLater() throws Exception {
        signal.write(ADA, "early");
        signal.stop();
        try (ParleyProcess gateway = gateway()) {
            gateway.until("the outage is told", () -> errors(gateway).contains("signal-cli daemon --http"));
            signal.start();
            gateway.until(
                    "it is answered",
                    () -> signal.shown(ADA).stream()
                            .anyMatch(shown -> shown.text().equals("early")));
            assertThat(gateway.terminate()).isZero();
        }
    }

    private static String errors(ParleyProcess gateway) {
        try {
            return gateway.errors();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anAccountThatTheDaemonDoesNotHaveStopsTheStartWithOneLine() throws Exception {
        configure("+15550199", "pairing: true");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of())) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(
                            line -> line.contains("signal-cli does not have the account in platforms.signal.account"))
                    .hasSize(1);
        }
    }

    @Test
    void withoutSayingWhoMayTalkOrForWhichAccountItDoesNotStart() throws Exception {
        configure(ACCOUNT, "markdown: true");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of())) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("say who may talk, with platforms.signal.allow"))
                    .hasSize(1);
        }
        configure("somebody", "allow: [\"" + ADA + "\"]");
        String checked = ParleyProcess.run(home, "", "config", "check").out();
        assertThat(checked.lines())
                .filteredOn(line -> line.contains("platforms.signal.account is no telephone number"))
                .hasSize(1);
    }
}
