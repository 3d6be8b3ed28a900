package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.bootstrap.process.ParleyProcess.Ended;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gateway as a process of its own: over HTTP, in a terminal, killed and started again. */
class GatewayProcessIT {
    private static final String ANY_PORT = "platforms:\n  http:\n    port: 0\n";
    private static final String RESTORED = "This conversation was restored. What would you like to do next?";

    @TempDir
    Path directory;

    private Path home;

    @BeforeEach
    void aHome() throws Exception {
        home = Files.createDirectory(directory.resolve("home"));
        configure(ANY_PORT);
    }

    private void configure(String yaml) throws Exception {
        Files.writeString(home.resolve("parley.yaml"), yaml);
    }

    /** P7.1 to P7.29: a turn that SIGKILL cuts off is followed up once, in the same session. */
    @Test
    @DisplayName("A gateway killed in the middle of a turn finds the conversation whole and follows up once (P7)")
    void killedInTheMiddleOfATurnItFindsTheConversationWhole() throws Exception {
        final String session;
        configure(ANY_PORT + "agents:\n  echo:\n    delay: 0\n");
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(caller.say("c1", "before", "m0").body().path("reply").asText())
                    .isEqualTo("before");
            session = caller.lane("c1").path("session_id").asText();
            assertThat(gateway.terminate()).isZero();
        }
        configure(ANY_PORT + "agents:\n  echo:\n    delay: 1\n");
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            caller.sayUntilDelta("c1", "one two three four five six seven eight", "m1");
            gateway.kill();
        }
        configure(ANY_PORT);
        List<String> whole = List.of(
                "user: before",
                "assistant: before",
                "user: one two three four five six seven eight",
                "assistant: " + RESTORED);
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            gateway.until(
                    "the turn is followed up", () -> caller.transcript(session).size() >= whole.size());
            gateway.until(
                    "the mark is cleared",
                    () -> !caller.lane("c1").path("resume_pending").asBoolean());

            assertThat(caller.lane("c1").path("session_id").asText()).isEqualTo(session);
            assertThat(caller.transcript(session)).isEqualTo(whole);

            Caller.Answer again = caller.say("c1", "one two three four five six seven eight", "m1");
            assertThat(again.status()).isEqualTo(200);
            assertThat(again.body().path("duplicate").asBoolean()).isTrue();
            assertThat(caller.say("c1", "and on", "m2").body().path("reply").asText())
                    .isEqualTo("and on");
            List<String> sent = List.of("reply: before", "reply: " + RESTORED, "reply: and on");
            gateway.until("everything is sent", () -> caller.sent("c1").size() >= sent.size());
            assertThat(caller.sent("c1")).isEqualTo(sent);
            assertThat(gateway.terminate()).isZero();
        }
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            assertThat(caller.say("c1", "/status", "m3").status()).isEqualTo(200);
            assertThat(caller.lane("c1").path("session_id").asText()).isEqualTo(session);
            assertThat(caller.transcript(session))
                    .isEqualTo(Stream.concat(whole.stream(), Stream.of("user: and on", "assistant: and on"))
                            .toList());
        }
    }

    /** P7.36 and the exit codes: asked to stop, it ends well and says so to the next start. */
    @Test
    void askedToStopItEndsWithZeroAndLeavesTheMarkOfACleanShutdown() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            gateway.ready();
            assertThat(home.resolve(".clean_shutdown")).doesNotExist();
            assertThat(home.resolve("http-address")).exists();

            assertThat(gateway.terminate()).isZero();

            assertThat(home.resolve(".clean_shutdown")).exists();
            assertThat(home.resolve("http-address")).doesNotExist();
        }
    }

    @Test
    void aSecondGatewayOnTheSameHomeIsRefusedAndTheFirstGoesOn() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);

            Ended second = ParleyProcess.run(home, "", "gateway");

            assertThat(second.code()).isEqualTo(2);
            assertThat(second.out()).isEmpty();
            assertThat(second.err().lines()).singleElement().asString().contains("process " + gateway.pid());
            assertThat(caller.say("c1", "still there?", "m1")
                            .body()
                            .path("reply")
                            .asText())
                    .isEqualTo("still there?");
        }
    }

    @Test
    void aPipedChatTalksWithTheRunningGatewayAndWithoutOneInTheSameSession() throws Exception {
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            gateway.ready();
            Ended through = ParleyProcess.run(home, "through it\n", "chat", "--as", "pia");
            assertThat(through.out().lines()).containsExactly("through it");
            assertThat(through.code()).isZero();
            assertThat(gateway.terminate()).isZero();
        }
        Ended alone = ParleyProcess.run(home, "alone\nand again\n", "chat", "--as", "pia");

        assertThat(alone.out().lines()).containsExactly("alone", "and again");
        assertThat(alone.code()).isZero();
        Ended lanes = ParleyProcess.run(home, "", "sessions", "export");
        assertThat(lanes.out().lines()).hasSize(1);
        assertThat(lanes.out()).contains("through it", "alone", "and again");
    }

    /** A person's side of it: a pseudo-terminal, a typed line, Ctrl-D. */
    @Test
    void aPersonAtATerminalTypesALineAndLeavesWithCtrlD() throws Exception {
        Path script = Path.of("/usr/bin/script");
        assumeTrue(Files.isExecutable(script), "script(1) makes the pseudo-terminal");
        List<String> chat = ParleyProcess.command(
                List.of("-Dparley.terminal=true"), "--home", home.toString(), "chat", "--as", "pia");
        Process process = new ProcessBuilder(script.toString(), "-qefc", String.join(" ", chat), "/dev/null")
                .redirectErrorStream(true)
                .start();
        try {
            OutputStream keyboard = process.getOutputStream();
            Screen screen = new Screen(process.getInputStream());
            // The line editor asks for bracketed paste each time it begins to read.
            screen.readUntil("[?2004h", 1);
            type(keyboard, "periwinkle\r");
            screen.readUntil("[?2004h", 2);
            type(keyboard, "\u0004");
            assertThat(process.waitFor(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isZero();
            assertThat(screen.shown()).contains("You are pia", "periwinkle");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        Ended found = ParleyProcess.run(home, "", "sessions", "search", "periwinkle", "--sort", "oldest", "--json");
        assertThat(found.out()).contains("\"role\" : \"user\"", "\"role\" : \"assistant\"", ">>>periwinkle<<<");
    }

    private static void type(OutputStream keyboard, String keys) throws Exception {
        keyboard.write(keys.getBytes(StandardCharsets.US_ASCII));
        keyboard.flush();
    }

    /** What a terminal shows, as it comes. */
    private static final class Screen {
        private final InputStream from;
        private final StringBuilder shown = new StringBuilder();

        Screen(InputStream from) {
            this.from = from;
        }

        String shown() {
            return shown.toString();
        }

        void readUntil(String mark, int times) throws Exception {
            CompletableFuture.runAsync(() -> {
                        try {
                            while (shown.toString().split(java.util.regex.Pattern.quote(mark), -1).length <= times) {
                                int next = from.read();
                                if (next < 0) {
                                    throw new AssertionError("The terminal ended: " + shown);
                                }
                                shown.append((char) next);
                            }
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    })
                    .get(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Fifty lanes talk at once; the messages of each stay in order. */
    @Test
    void fiftyLanesTalkAtOnceWithoutAnErrorOrAMessageOutOfOrder() throws Exception {
        int lanes = 50;
        int each = 5;
        ExecutorService people = Executors.newFixedThreadPool(lanes);
        try (ParleyProcess gateway = ParleyProcess.gateway(home)) {
            Caller caller = new Caller(gateway.ready(), home);
            List<CompletableFuture<List<String>>> talks = new ArrayList<>();
            for (int lane = 0; lane < lanes; lane++) {
                String chat = "c" + lane;
                talks.add(CompletableFuture.supplyAsync(() -> talk(caller, chat, each), people));
            }
            for (int lane = 0; lane < lanes; lane++) {
                List<String> expected = talks.get(lane).get(ParleyProcess.PATIENCE_SECONDS, TimeUnit.SECONDS);
                String session = caller.lane("c" + lane).path("session_id").asText();
                assertThat(caller.transcript(session)).isEqualTo(expected);
            }
            assertThat(caller.get("/healthz").body().path("status").asText()).isEqualTo("ok");
            assertThat(gateway.errors()).doesNotContain("ERROR", "WARN", "warning");
            assertThat(gateway.terminate()).isZero();
        } finally {
            people.shutdownNow();
        }
    }

    private static List<String> talk(Caller caller, String chat, int messages) {
        List<String> expected = new ArrayList<>();
        for (int n = 0; n < messages; n++) {
            String text = chat + " says " + n;
            Caller.Answer answer = caller.say(chat, text, chat + "-" + n);
            assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
            assertThat(answer.body().path("reply").asText()).isEqualTo(text);
            expected.add("user: " + text);
            expected.add("assistant: " + text);
        }
        return expected;
    }

    @Test
    void aBrokenConfigurationIsOneLineWithItsPlace() throws Exception {
        configure("platforms: [\n");

        Ended ended = ParleyProcess.run(home, "", "gateway");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err().lines()).singleElement().asString().contains("parley.yaml:", "not YAML");
    }

    @Test
    void aBusyPortIsOneLineThatNamesTheKey() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            configure("platforms:\n  http:\n    port: " + taken.getLocalPort() + "\n");

            Ended ended = ParleyProcess.run(home, "", "gateway");

            assertThat(ended.code()).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err().lines())
                    .singleElement()
                    .asString()
                    .contains("platforms.http.port", Integer.toString(taken.getLocalPort()));
        }
    }

    /** A small disk of its own for the home, where this user may mount one. */
    @Test
    void onAFullDiskNothingThatWasAcceptedIsLost() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(succeeds("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk.toString()), "a tmpfs is mounted");
        try {
            Files.writeString(disk.resolve("parley.yaml"), ANY_PORT);
            List<String> accepted = new ArrayList<>();
            String session;
            try (ParleyProcess gateway = ParleyProcess.gateway(disk)) {
                Caller caller = new Caller(gateway.ready(), disk);
                assertThat(caller.say("c1", "before", "m0").status()).isEqualTo(200);
                accepted.add("before");
                session = caller.lane("c1").path("session_id").asText();
                Path ballast = disk.resolve("ballast");
                fill(ballast);
                Optional<Caller.Answer> refused = Optional.empty();
                for (int n = 1; n <= 40 && refused.isEmpty(); n++) {
                    String text = n + " " + "x".repeat(20_000);
                    Caller.Answer answer = caller.leave("c1", text, "m" + n);
                    if (answer.status() < 300) {
                        accepted.add(text);
                    } else {
                        refused = Optional.of(answer);
                    }
                }
                assertThat(refused).as("a message that is not taken").hasValueSatisfying(answer -> {
                    assertThat(answer.status()).isEqualTo(503);
                    assertThat(answer.body().path("error").asText())
                            .isNotEmpty()
                            .doesNotContain("\n");
                });
                gateway.kill();
                Files.delete(ballast);
            }
            try (ParleyProcess gateway = ParleyProcess.gateway(disk)) {
                Caller caller = new Caller(gateway.ready(), disk);
                gateway.until("everything accepted is there", () -> {
                    List<String> transcript = caller.transcript(session);
                    return accepted.stream()
                            .allMatch(text -> transcript.stream()
                                    .anyMatch(line -> line.startsWith("user: ") && line.contains(text)));
                });
            }
        } finally {
            assertThat(succeeds("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static void fill(Path file) throws Exception {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(block);
            }
        } catch (java.io.IOException full) {
            assertThat(file).exists();
        }
    }

    private static boolean succeeds(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (java.io.IOException noSuchCommand) {
            return false;
        }
    }

    @Test
    void aHomeThatCannotBeWrittenToIsOneLine() throws Exception {
        Path locked = Files.createDirectory(directory.resolve("locked"));
        assumeTrue(locked.toFile().setWritable(false) && !Files.isWritable(locked), "permissions hold for this user");

        Ended ended = ParleyProcess.run(locked, "", "gateway");

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err().lines()).singleElement().asString().contains(locked.toString(), "cannot be written to");
    }
}
