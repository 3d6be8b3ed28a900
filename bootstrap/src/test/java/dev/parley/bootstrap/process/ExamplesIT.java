package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bootstrap.process.ParleyProcess.Ended;
import dev.parley.fakes.telegram.FakeTelegram;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples build on their own, as somebody else's builds, and do what the guides say. The kit of contracts runs whole once, with
 * few seeds; {@code -Pthorough} runs all that each example brings.
 */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ExamplesIT {
    private static final boolean THOROUGH = Boolean.getBoolean("parley.thorough");
    private static final String ANY_PORT = "platforms:\n  http:\n    port: 0\n";
    /** The level power is passed where system calls can be traced. */
    private static final String PASSED =
            "\"passed\": \\[\"concurrent\", \"core\", \"durable\", (\"power\", )?\"privacy\", \"search\"\\]";

    private static NestedMaven maven;

    @TempDir
    Path home;

    @BeforeAll
    static void aRepository() throws IOException {
        maven = new NestedMaven();
    }

    @BeforeEach
    void configured() throws IOException {
        configure("batchlog:conversations.log");
    }

    private void configure(String storage) throws IOException {
        Files.writeString(home.resolve("parley.yaml"), ANY_PORT + "storage:\n  url: " + storage + "\n");
    }

    private void plug(Path jar) throws IOException {
        Files.copy(jar, Files.createDirectories(home.resolve("plugins")).resolve("batchlog.jar"));
    }

    private String done(String input, String... arguments) throws Exception {
        Ended ended = ParleyProcess.run(home, input, arguments);
        assertThat(ended.code()).as("%s: %s", List.of(arguments), ended.err()).isZero();
        return ended.out();
    }

    @Test
    void aBackendOfItsOwnIsCertifiedServesAGatewayThroughAKillAndIsCopiedToAndFrom() throws Exception {
        Path project = maven.example("outside-store");
        maven.verify(project, "-Dparley.contracts.seeds=" + (THOROUGH ? 6 : 2));

        assertThat(project.resolve("target/contract-report-org.example.batchlog.BatchLogContractTest.json"))
                .content()
                .contains("\"backend\": \"batchlog 1.0.0 (org.example.batchlog.BatchLogProvider)\"")
                .contains("\"kit\": \"" + System.getProperty("parley.version") + "\"")
                .containsPattern(PASSED)
                .contains(
                        "\"declared\": [\"DURABLE\", \"RANKED_SEARCH\", \"READ_BESIDE_WRITER\", \"SEARCH\", \"TITLES\"],"
                                + " \"lacking\": [\"JOURNAL\", \"SHARED\"]");

        plug(project.resolve("target/batchlog-1.0.0.jar"));
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(caller.say("demo", "Does the bridge hold?", "m1")
                            .body()
                            .path("reply")
                            .asText())
                    .isEqualTo("Does the bridge hold?");
            gateway.kill();
        }
        assertThat(done("", "sessions", "search", "bridge")).contains(">>>bridge<<<");
        assertThat(done(
                        "",
                        "storage",
                        "copy",
                        "--from",
                        "batchlog:conversations.log",
                        "--to",
                        "sqlite:copy.db",
                        "--verify"))
                .contains("verified: both are the same");
        assertThat(done("", "storage", "copy", "--from", "sqlite:copy.db", "--to", "batchlog:back.log", "--verify"))
                .contains("verified: both are the same");
        configure("batchlog:back.log");
        assertThat(done("", "sessions", "search", "bridge")).contains(">>>bridge<<<");
        assertThat(done("", "lanes", "list")).contains("agent:main:webhook:dm:demo");
    }

    @Test
    void theSameBackendPassesOnTheClassPathAndIsFoundWithoutAModuleDescriptor() throws Exception {
        Path project = maven.example("outside-store");
        maven.verify(project, "-Pclass-path", "-Dparley.contracts.seeds=2", THOROUGH ? "-Dgroups=" : "-Dgroups=core");

        assertThat(project.resolve("target/class-path/classes/module-info.class"))
                .doesNotExist();
        assertThat(project.resolve("target/contract-report-org.example.batchlog.BatchLogContractTest.json"))
                .content()
                .containsPattern(THOROUGH ? PASSED : "\"passed\": \\[\"core\"\\]");
        plug(project.resolve("target/class-path/batchlog-1.0.0.jar"));
        assertThat(done("hello\n", "chat", "--as", "ada")).contains("hello");
        assertThat(done("", "storage", "status")).contains("batchlog:" + home.resolve("conversations.log"));
    }

    @Test
    void aGatewayOfChosenModulesHoldsAConversationAndRemembersIt() throws Exception {
        Path project = maven.example("custom-gateway");
        maven.verify(project, THOROUGH ? "-Dtest=*Test" : "-Dtest=TallyTest,ChaosTest#*StorageThatFails");

        Ended first = desk(project, "one\ntwo\n");
        assertThat(first.err()).isEmpty();
        assertThat(first.code()).isZero();
        assertThat(first.out().lines()).containsExactly("I remember 0 messages.", "I remember 2 messages.");
        Ended second = desk(project, "three\n");
        assertThat(second.code()).isZero();
        assertThat(second.out().lines()).containsExactly("I remember 4 messages.");
    }

    @Test
    void aGatewayOfChosenModulesTakesLessThan150LinesAndNoGuice() throws IOException {
        Path sources = Path.of("..", "docs", "examples", "custom-gateway", "src", "main");
        long lines = 0;
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                List<String> read = Files.readAllLines(file);
                lines += read.size();
                assertThat(read).as(file.toString()).noneMatch(line -> line.contains("guice"));
            }
        }
        assertThat(lines).isBetween(50L, 149L);
    }

    @Test
    void anApplicationOfSpringBootTalksOverTelegramAndEndsWithItsAnswerGiven() throws Exception {
        Path project = maven.example("spring-boot");
        maven.verify(project);

        try (FakeTelegram telegram = new FakeTelegram("123:abc", "shop_bot", Clock.systemUTC())) {
            telegram.privateChat(7, "Ada");
            Path out = project.resolve("target/out");
            ProcessBuilder builder = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    project.resolve("target/shop-1.0.0.jar") + File.pathSeparator + project.resolve("target/lib/*"),
                    "org.example.shop.ShopApplication",
                    "--parley.home=" + home,
                    "--parley.platforms.telegram.base-url=" + telegram.address());
            builder.environment().put("TELEGRAM_BOT_TOKEN", "123:abc");
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            try {
                telegram.write(7, 7, "Is there a lamp?");
                assertThat(telegram.awaitShown(7, 1, Duration.ofSeconds(ParleyProcess.PATIENCE_SECONDS)))
                        .singleElement()
                        .satisfies(shown -> assertThat(shown.text()).isEqualTo("3 of lamp (0 messages before)"));
                process.destroy();
                assertThat(process.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .as("ended")
                        .isTrue();
                assertThat(process.exitValue()).isEqualTo(143);
                assertThat(home.resolve("state.db")).isRegularFile();
                assertThat(Files.readString(out)).doesNotContain("jOOQ", "Exception");
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private Ended desk(Path project, String input) throws Exception {
        Path in = Files.writeString(project.resolve("target/in"), input);
        Path out = project.resolve("target/out");
        Path err = project.resolve("target/err");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--module-path",
                        project.resolve("target/desk-1.0.0.jar") + File.pathSeparator + project.resolve("target/lib"),
                        "-m",
                        "org.example.desk/org.example.desk.Main",
                        home.toString())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("ended")
                    .isTrue();
            return new Ended(
                    process.exitValue(),
                    Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            process.destroyForcibly();
        }
    }
}
