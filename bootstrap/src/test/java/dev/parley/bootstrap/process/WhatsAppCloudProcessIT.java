package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.fakes.whatsapp.FakeWhatsApp;
import dev.parley.fakes.whatsapp.Shown;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as a WhatsApp number: killed and started again, with nothing but its lines of configuration. */
class WhatsAppCloudProcessIT {
    private static final String TOKEN = "a-token-of-whatsapp";
    private static final String SECRET = "a-secret-of-the-app";
    private static final String VERIFY = "a-verify-word";
    private static final String NUMBER = "106540352242922";
    private static final String ADA = "491510000001";
    private static final String BOB = "491510000002";

    @TempDir
    Path directory;

    private final FakeWhatsApp whatsapp = new FakeWhatsApp(TOKEN, SECRET, NUMBER, InstantSource.system());
    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        whatsapp.person(ADA, "Ada");
        whatsapp.person(BOB, "Bob");
        whatsapp.postInOrder();
        whatsapp.tellStatuses();
        home = Files.createDirectory(directory.resolve("home"));
        configure("allow: [\"" + ADA + "\", \"" + BOB + "\"]");
    }

    @AfterEach
    void close() {
        whatsapp.close();
    }

    private void configure(String more) throws IOException {
        Files.writeString(home.resolve("parley.yaml"), """
                platforms:
                  http:
                    enabled: false
                  whatsapp_cloud:
                    enabled: true
                    base_url: %s
                    phone_number_id: "%s"
                    port: 0
                    %s
                """.formatted(whatsapp.address(), NUMBER, more));
    }

    private static Map<String, String> environment(String token) {
        return Map.of(
                "PARLEY_LOG",
                "DEBUG",
                "WHATSAPP_CLOUD_ACCESS_TOKEN",
                token,
                "WHATSAPP_CLOUD_APP_SECRET",
                SECRET,
                "WHATSAPP_CLOUD_VERIFY_TOKEN",
                VERIFY);
    }

    /** Starts a gateway, which prints where its webhook is once it is ready. */
    private ParleyProcess gateway() throws Exception {
        ParleyProcess gateway = ParleyProcess.gateway(home, environment(TOKEN));
        String address = gateway.ready();
        assertThat(address).endsWith("/webhook");
        whatsapp.webhook(URI.create(address));
        return gateway;
    }

    @Test
    void whateverKillsItEachMessageIsAnsweredInItsChatInOrder() throws Exception {
        write(0, 4);
        try (ParleyProcess gateway = gateway()) {
            write(4, 8);
            gateway.until("an answer came", () -> !answered(ADA).isEmpty());
            gateway.kill();
        }
        write(8, 12);
        try (ParleyProcess gateway = gateway()) {
            gateway.until("everything is settled", () -> whatsapp.unsettled() == 0);
            whatsapp.write(ADA, "the end");
            whatsapp.write(BOB, "the end");
            gateway.until(
                    "the last answers came",
                    () -> Stream.of(ADA, BOB)
                            .allMatch(chat -> shown(chat).stream().anyMatch(text -> text.contains("the end"))));
            assertThat(gateway.terminate()).isZero();
        }

        for (String chat : List.of(ADA, BOB)) {
            List<String> first = answered(chat).stream().distinct().toList();
            assertThat(IntStream.range(0, 12).mapToObj(i -> "m" + i))
                    .as("the order in %s", chat)
                    .containsSubsequence(first);
            assertThat(first).contains("m11");
        }
    }

    @Test
    void aWrongTokenStopsTheStartWithOneLine() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home, environment("another-secret"))) {
            assertThat(gateway.exit()).isEqualTo(2);
            assertThat(gateway.errors().lines())
                    .filteredOn(line -> line.contains("WHATSAPP_CLOUD_ACCESS_TOKEN"))
                    .hasSize(1);
            assertThat(gateway.errors()).doesNotContain("another-secret");
        }
    }

    @Test
    void itStartsWithoutMetaAndAnswersLaterAndItsSecretsAreNowhereButInTheEnvironment() throws Exception {
        whatsapp.stop();
        String commandLine;
        String log;
        try (ParleyProcess gateway = gateway()) {
            whatsapp.start();
            whatsapp.write(ADA, "early");
            gateway.until("it is answered", () -> shown(ADA).contains("early"));
            commandLine = ProcessHandle.of(gateway.pid())
                    .orElseThrow()
                    .info()
                    .commandLine()
                    .orElse("");
            assertThat(gateway.terminate()).isZero();
            log = gateway.errors();
        }

        assertThat(commandLine).doesNotContain(TOKEN, SECRET, VERIFY);
        assertThat(log).isNotEmpty().doesNotContain(TOKEN, SECRET, VERIFY);
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(TOKEN, SECRET, VERIFY);
            }
        }
    }

    private void write(int from, int to) {
        for (int i = from; i < to; i++) {
            whatsapp.write(ADA, "m" + i);
            whatsapp.write(BOB, "m" + i);
        }
    }

    private List<String> shown(String chat) {
        return whatsapp.shown(chat).stream().map(Shown::text).toList();
    }

    private List<String> answered(String chat) {
        return shown(chat).stream()
                .flatMap(text -> Stream.of(text.split("\\s+")))
                .filter(word -> word.matches("m[0-9]+"))
                .toList();
    }
}
