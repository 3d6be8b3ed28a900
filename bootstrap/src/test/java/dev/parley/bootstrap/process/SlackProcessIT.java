package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.fakes.slack.FakeSlack;
import dev.parley.fakes.slack.Shown;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as a Slack app: killed, cut off and started again, with nothing but its lines of configuration. */
class SlackProcessIT {
    private static final String BOT_TOKEN = "xoxb-a-secret-of-slack";
    private static final String APP_TOKEN = "xapp-a-secret-of-slack";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path directory;

    private final FakeSlack slack = new FakeSlack(BOT_TOKEN, APP_TOKEN, InstantSource.system());
    private final String ada = slack.person("ada");
    private final String direct = slack.directChat(ada);
    private final String team = slack.channel("team", ada);
    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        home = Files.createDirectory(directory.resolve("home"));
        configure("allow: [\"" + ada + "\"]");
    }

    @AfterEach
    void close() {
        slack.close();
    }

    private void configure(String more) throws IOException {
        Files.writeString(home.resolve("parley.yaml"), """
                platforms:
                  http:
                    port: 0
                  slack:
                    enabled: true
                    base_url: %s
                    %s
                """.formatted(slack.address(), more));
    }

    private ParleyProcess gateway() throws Exception {
        ParleyProcess gateway = ParleyProcess.gateway(
                home, Map.of("PARLEY_LOG", "DEBUG", "SLACK_BOT_TOKEN", BOT_TOKEN, "SLACK_APP_TOKEN", APP_TOKEN));
        gateway.ready();
        return gateway;
    }

    @Test
    void whateverKillsItEachMessageIsAnsweredOnceInItsConversationAndThreadInOrder() throws Exception {
        Random chance = new Random(11);
        String root;
        try (ParleyProcess gateway = gateway()) {
            root = slack.write(team, ada, "<@" + FakeSlack.BOT_USER + "> a thread begins");
            slack.write(direct, ada, "hello");
            gateway.until(
                    "it is known",
                    () -> !shown(team).isEmpty() && !shown(direct).isEmpty());
            gateway.kill();
        }
        int kills = 2;
        int written = 0;
        for (int i = 0; i < kills; i++) {
            write(written, written + 5, root);
            slack.giveUp();
            try (ParleyProcess gateway = gateway()) {
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
            slack.write(direct, ada, "the end");
            slack.reply(team, ada, "the end", root);
            gateway.until(
                    "the last answers came",
                    () -> Stream.of(direct, team)
                            .allMatch(chat -> shown(chat).stream().anyMatch(text -> text.contains("the end"))));
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
        for (String chat : List.of(direct, team)) {
            List<String> answered = answered(chat);
            assertThat(answered).as("answers in %s", chat).doesNotHaveDuplicates();
            assertThat(expected).as("the order in %s", chat).containsSubsequence(answered);
        }
        assertThat(slack.shown(direct))
                .allSatisfy(shown -> assertThat(shown.thread()).isEmpty());
        assertThat(slack.shown(team))
                .allSatisfy(shown -> assertThat(shown.thread()).contains(root));
        List<String> stored = stored();
        assertThat(expected)
                .as("each message is stored once for each of the two conversations")
                .allSatisfy(
                        text -> assertThat(Collections.frequency(stored, text)).isEqualTo(2));
        for (String token : List.of(BOT_TOKEN, APP_TOKEN)) {
            assertThat(commandLine).doesNotContain(token);
            assertThat(log).isNotEmpty().doesNotContain(token).doesNotContain("ticket=");
            try (Stream<Path> files = Files.walk(home)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                            .as(file.toString())
                            .doesNotContain(token);
                }
            }
        }
    }

    /** Returns what people wrote, word by word, as often as it is stored: messages that waited together are the lines of one. */
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

    private void write(int from, int to, String root) {
        for (int i = from; i < to; i++) {
            slack.write(direct, ada, "m" + i);
            slack.reply(team, ada, "m" + i, root);
        }
    }

    private List<String> answered(String chat) {
        return shown(chat).stream()
                .flatMap(text -> Stream.of(text.split("\\s+")))
                .filter(word -> word.matches("m[0-9]+"))
                .toList();
    }

    private List<String> shown(String chat) {
        return slack.shown(chat).stream().map(Shown::text).toList();
    }

    @Test
    void aWrongTokenAndAMissingListOfPeopleStopTheStartWithOneLine() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(
                home, Map.of("SLACK_BOT_TOKEN", "xoxb-another-secret", "SLACK_APP_TOKEN", APP_TOKEN))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("SLACK_BOT_TOKEN"))
                    .hasSize(1);
            assertThat(gateway.errors()).doesNotContain("another-secret");
        }
        configure("markdown: true");
        try (ParleyProcess gateway =
                ParleyProcess.gateway(home, Map.of("SLACK_BOT_TOKEN", BOT_TOKEN, "SLACK_APP_TOKEN", APP_TOKEN))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("say who may talk, with platforms.slack.allow"))
                    .hasSize(1);
        }
    }
}
