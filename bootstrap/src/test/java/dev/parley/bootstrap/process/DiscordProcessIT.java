package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.fakes.discord.FakeDiscord;
import dev.parley.fakes.discord.Shown;
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

/** The distribution as a Discord bot: killed, cut off and started again, with nothing but its lines of configuration. */
class DiscordProcessIT {
    private static final String TOKEN = "a-secret-of-discord";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path directory;

    private final FakeDiscord discord = new FakeDiscord(TOKEN, InstantSource.system());
    private final String ada = discord.person("ada");
    private final String direct = discord.directChat(ada);
    private final String channel = discord.channel(discord.guild("Parley"), "general");
    private final String thread = discord.thread(channel, ada, "a thread");
    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        home = Files.createDirectory(directory.resolve("home"));
        configure("allow: [\"" + ada + "\"]");
    }

    @AfterEach
    void close() {
        discord.close();
    }

    private void configure(String more) throws IOException {
        Files.writeString(home.resolve("parley.yaml"), """
                platforms:
                  http:
                    port: 0
                  discord:
                    enabled: true
                    base_url: %s
                    %s
                """.formatted(discord.address(), more));
    }

    private ParleyProcess gateway() throws Exception {
        ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("PARLEY_LOG", "DEBUG", "DISCORD_BOT_TOKEN", TOKEN));
        gateway.ready();
        return gateway;
    }

    @Test
    void whateverKillsItEachMessageIsAnsweredOnceInItsChannelAndThreadInOrder() throws Exception {
        Random chance = new Random(13);
        try (ParleyProcess gateway = gateway()) {
            gateway.until("it is there", () -> discord.connections() == 1);
            discord.write(thread, ada, "<@" + FakeDiscord.BOT + "> hello");
            discord.write(direct, ada, "hello");
            gateway.until(
                    "it is known",
                    () -> !shown(thread).isEmpty() && !shown(direct).isEmpty());
            String command = discord.command(direct, ada, "status", "");
            gateway.until(
                    "the command is answered where Discord said that an answer comes",
                    () -> discord.isAnswered(command)
                            && shown(direct).size() == 2
                            && shown(direct).get(1).startsWith("Session"));
            gateway.kill();
        }
        int kills = 2;
        int written = 0;
        for (int i = 0; i < kills; i++) {
            write(written, written + 5);
            if (i == 1) {
                discord.endSessions();
            }
            try (ParleyProcess gateway = gateway()) {
                write(written + 5, written + 10);
                written += 10;
                int enough = answered(direct).size() + 1 + chance.nextInt(4);
                gateway.until("some answers came", () -> answered(direct).size() >= enough);
                gateway.kill();
            }
        }
        String commandLine;
        String log;
        try (ParleyProcess gateway = gateway()) {
            gateway.until("it is there", () -> discord.connections() == 1);
            discord.write(direct, ada, "the end");
            discord.write(thread, ada, "the end");
            gateway.until(
                    "the last answers came",
                    () -> Stream.of(direct, thread)
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
        for (String chat : List.of(direct, thread)) {
            List<String> answered = answered(chat);
            assertThat(answered).as("answers in %s", chat).doesNotHaveDuplicates();
            assertThat(expected).as("the order in %s", chat).containsSubsequence(answered);
        }
        assertThat(shown(channel)).isEmpty();
        List<String> stored = stored();
        assertThat(expected)
                .as("each message is stored once for each of the two places")
                .allSatisfy(
                        text -> assertThat(Collections.frequency(stored, text)).isEqualTo(2));
        assertThat(commandLine).doesNotContain(TOKEN);
        assertThat(log).isNotEmpty().doesNotContain(TOKEN);
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(TOKEN);
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

    private void write(int from, int to) {
        for (int i = from; i < to; i++) {
            discord.write(direct, ada, "m" + i);
            discord.write(thread, ada, "m" + i);
        }
    }

    private List<String> answered(String chat) {
        return shown(chat).stream()
                .flatMap(text -> Stream.of(text.split("\\s+")))
                .filter(word -> word.matches("m[0-9]+"))
                .toList();
    }

    private List<String> shown(String chat) {
        return discord.shown(chat).stream().map(Shown::text).toList();
    }

    @Test
    void aWrongTokenAndAMissingIntentStopTheStartWithOneLine() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("DISCORD_BOT_TOKEN", "another-secret"))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("DISCORD_BOT_TOKEN"))
                    .hasSize(1);
            assertThat(gateway.errors()).doesNotContain("another-secret");
        }
        discord.refuseIntents(1 << 15);
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("DISCORD_BOT_TOKEN", TOKEN))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("Message Content Intent"))
                    .hasSize(1);
        }
    }
}
