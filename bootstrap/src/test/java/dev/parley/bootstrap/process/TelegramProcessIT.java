package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.parley.fakes.telegram.FakeTelegram;
import dev.parley.fakes.telegram.Shown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as a Telegram bot: killed, cut off and started again, with nothing but its six lines of configuration. */
class TelegramProcessIT {
    private static final String TOKEN = "4711:a-secret-of-telegram";
    private static final long ADA = 100;
    private static final long BOB = 101;
    private static final long FORUM = -1001234;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    Path directory;

    private final FakeTelegram telegram = new FakeTelegram(TOKEN, "parley_bot", InstantSource.system());
    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        telegram.privateChat(ADA, "Ada");
        telegram.privateChat(BOB, "Bob");
        telegram.group(FORUM, "Forum");
        telegram.topic(FORUM, 7, "Topic");
        home = Files.createDirectory(directory.resolve("home"));
        configure("allow: [\"100\", \"101\"]");
    }

    @AfterEach
    void close() {
        telegram.close();
    }

    private void configure(String more) throws IOException {
        Files.writeString(home.resolve("parley.yaml"), """
                platforms:
                  http:
                    port: 0
                  telegram:
                    enabled: true
                    base_url: %s
                    %s
                """.formatted(telegram.address(), more));
    }

    private ParleyProcess gateway() throws Exception {
        ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("PARLEY_LOG", "DEBUG", "TELEGRAM_BOT_TOKEN", TOKEN));
        gateway.ready();
        return gateway;
    }

    @Test
    void whateverKillsItEachMessageIsAnsweredInItsChatInOrder() throws Exception {
        Random chance = new Random(11);
        int kills = 4;
        int written = 0;
        for (int i = 0; i < kills; i++) {
            write(written, written + 5);
            try (ParleyProcess gateway = gateway()) {
                write(written + 5, written + 10);
                written += 10;
                int enough = answered(ADA).size() + 1 + chance.nextInt(4);
                gateway.until("some answers came", () -> answered(ADA).size() >= enough);
                gateway.kill();
            }
        }
        int last = written;
        try (ParleyProcess gateway = gateway()) {
            gateway.until("all is confirmed", () -> telegram.unconfirmed() == 0);
            telegram.write(ADA, ADA, "the end");
            telegram.write(BOB, BOB, "the end");
            telegram.write(
                    FORUM, ADA, "the end", m -> m.put("message_thread_id", 7).put("is_topic_message", true));
            gateway.until(
                    "the last answers came",
                    () -> Stream.of(ADA, BOB, FORUM)
                            .allMatch(chat -> shown(chat).stream().anyMatch(text -> text.contains("the end"))));
            assertThat(gateway.terminate()).isZero();
        }

        for (long chat : List.of(ADA, BOB, FORUM)) {
            List<String> answered = answered(chat);
            List<String> first = answered.stream().distinct().toList();
            List<String> expected =
                    IntStream.range(0, last).mapToObj(i -> "m" + i).toList();
            assertThat(expected).as("the order in %s", chat).containsSubsequence(first);
            assertThat(answered.size() - first.size())
                    .as("doubled in %s: at most the answer that was on its way at a kill: %s", chat, answered)
                    .isLessThanOrEqualTo(kills * 10);
            assertThat(gaps(expected, first))
                    .as("turns in %s that a kill cut off; the echo says only what came after: %s", chat, answered)
                    .isLessThanOrEqualTo(kills);
        }
        List<String> stored = stored();
        assertThat(IntStream.range(0, last).mapToObj(i -> "m" + i))
                .as("each message is stored once for each of the three chats")
                .allSatisfy(
                        text -> assertThat(Collections.frequency(stored, text)).isEqualTo(3));
        assertThat(telegram.shown(FORUM))
                .allSatisfy(shown -> assertThat(shown.thread()).contains(7L));
    }

    private void write(int from, int to) {
        for (int i = from; i < to; i++) {
            String text = "m" + i;
            telegram.write(ADA, ADA, text);
            telegram.write(BOB, BOB, text);
            telegram.write(FORUM, ADA, text, m -> m.put("message_thread_id", 7).put("is_topic_message", true));
        }
    }

    private static int gaps(List<String> expected, List<String> answered) {
        Set<String> there = new HashSet<>(answered);
        int gaps = 0;
        boolean before = true;
        for (String text : expected) {
            boolean now = there.contains(text);
            gaps += before && !now ? 1 : 0;
            before = now;
        }
        return gaps;
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

    /** Returns the messages that answers in a chat repeat; one that waited is answered together with others. */
    private List<String> answered(long chat) {
        return shown(chat).stream()
                .flatMap(text -> Stream.of(text.split("\\s+")))
                .filter(word -> word.matches("m[0-9]+"))
                .toList();
    }

    private List<String> shown(long chat) {
        return telegram.shown(chat).stream().map(Shown::text).toList();
    }

    @Test
    void itStartsWithoutTelegramAndConnectsLater() throws Exception {
        telegram.write(ADA, ADA, "early");
        telegram.stop();
        try (ParleyProcess gateway = gateway()) {
            telegram.start();
            gateway.until("it is answered", () -> shown(ADA).contains("early"));
            assertThat(gateway.terminate()).isZero();
        }
        assertThat(telegram.unconfirmed()).isZero();
    }

    @Test
    void theTokenIsNowhereButInTheEnvironment() throws Exception {
        telegram.write(ADA, ADA, "hello");
        String commandLine;
        String log;
        try (ParleyProcess gateway = gateway()) {
            gateway.until("it is answered", () -> shown(ADA).contains("hello"));
            telegram.fail("sendMessage", 401, "Unauthorized: " + TOKEN);
            telegram.write(ADA, ADA, "again");
            gateway.until("it is answered", () -> shown(ADA).contains("again"));
            telegram.stop();
            gateway.until("the outage is told", () -> errors(gateway).contains("telegram"));
            commandLine = ProcessHandle.of(gateway.pid())
                    .orElseThrow()
                    .info()
                    .commandLine()
                    .orElse("");
            gateway.terminate();
            log = gateway.errors();
        }

        String secret = TOKEN.substring(TOKEN.indexOf(':') + 1);
        assertThat(commandLine).doesNotContain(secret);
        assertThat(log).isNotEmpty().doesNotContain(secret);
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(secret);
            }
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
    void aWrongTokenStopsTheStartWithOneLine() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("TELEGRAM_BOT_TOKEN", "4711:another-secret"))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("TELEGRAM_BOT_TOKEN"))
                    .hasSize(1);
            assertThat(gateway.errors()).doesNotContain("another-secret");
        }
    }

    @Test
    void withoutSayingWhoMayTalkItDoesNotStart() throws Exception {
        configure("markdown: true");
        try (ParleyProcess gateway = ParleyProcess.gateway(home, Map.of("TELEGRAM_BOT_TOKEN", TOKEN))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("say who may talk, with platforms.telegram.allow"))
                    .hasSize(1);
        }
        assertThat(telegram.calls()).isEmpty();
    }
}
