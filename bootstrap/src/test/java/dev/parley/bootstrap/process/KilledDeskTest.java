package dev.parley.bootstrap.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.Storage;
import dev.parley.domain.session.Lane;
import dev.parley.domain.transcript.Role;
import dev.parley.home.GatewayHome;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway of one's own, whose agents block and ask, keeps through kills what it accepted: each message once, in order, and to its end. */
class KilledDeskTest {
    private static final int KILLS = 2;
    private static final int MESSAGES = 9;
    private static final List<String> CHATS = List.of("a", "b", "c");
    private static final Pattern ID = Pattern.compile("m[abc]\\d+");

    @TempDir
    private Path home;

    private final Random chance = new Random(7);
    private final Map<String, List<String>> accepted = new TreeMap<>();
    private final Set<String> known = new TreeSet<>();
    private int said;

    /** A process, and what it has told. */
    private final class Desk implements AutoCloseable {
        private final Process process;
        private final PrintStream in;
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private final Thread reader;
        private final Set<String> ended = new TreeSet<>();
        private int answers;

        Desk() throws IOException {
            String path = Stream.of("java.class.path", "jdk.module.path")
                    .map(name -> System.getProperty(name, ""))
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(File.pathSeparator));
            String testClasses =
                    Path.of("target", "test-classes").toAbsolutePath().toString();
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            path + File.pathSeparator + testClasses,
                            KilledDesk.class.getName(),
                            home.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
            reader = new Thread(this::read);
            reader.start();
        }

        private void read() {
            try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
                out.lines().forEach(told::add);
            } catch (IOException | UncheckedIOException killed) {
                // What it told before is there.
            }
            told.add("over");
        }

        /** Answers its questions until it tells something that begins so. */
        String await(String beginning) throws InterruptedException {
            while (true) {
                String line = told.poll(120, TimeUnit.SECONDS);
                assertThat(line).as("waiting for %s", beginning).isNotNull();
                hear(line);
                if (line.startsWith(beginning) || line.equals("over")) {
                    return line;
                }
            }
        }

        private void hear(String line) {
            if (line.startsWith("accepted before m")) {
                known.add(line.substring("accepted before ".length()));
            } else if (line.startsWith("accepted m")) {
                String id = line.substring("accepted ".length());
                if (known.add(id)) {
                    accepted.computeIfAbsent(id.substring(1, 2), chat -> new ArrayList<>())
                            .add(id);
                }
            } else if (line.contains("This is the end.")) {
                ended.add(line.substring(0, "sent x".length()));
            } else if (line.startsWith("sent ") && line.contains("Delete everything?")) {
                in.println(line.charAt("sent ".length()) + " yes" + ++answers + "-" + process.pid() + " yes");
            }
        }

        void kill() throws InterruptedException {
            process.destroyForcibly();
            await("over");
            reader.join();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void whatWasAcceptedIsThereOnceInOrderAndEndedAfterKills() throws Exception {
        List<String> all = new ArrayList<>();
        for (int round = 0; round < KILLS; round++) {
            try (Desk desk = new Desk()) {
                desk.await("ready");
                for (int i = 0; i < MESSAGES; i++) {
                    String chat = CHATS.get(chance.nextInt(CHATS.size()));
                    String what = List.of("hello", "ask me", "wait for it").get(chance.nextInt(3));
                    String id = "m" + chat + ++said;
                    all.add(chat + " " + id + " " + id + " " + what);
                    desk.in.println(all.get(all.size() - 1));
                }
                int most = chance.nextInt(MESSAGES);
                for (int i = 0; i < most; i++) {
                    desk.await("accepted m");
                }
                desk.kill();
            }
        }
        try (Desk desk = new Desk()) {
            desk.await("ready");
            // As a platform does, what nobody acknowledged comes again.
            for (String line : all) {
                if (!known.contains(line.split(" ", 3)[1])) {
                    desk.in.println(line);
                }
            }
            while (known.size() < all.size()) {
                assertThat(desk.await("accepted ")).isNotEqualTo("over");
            }
            desk.in.println("go");
            for (String chat : CHATS) {
                desk.in.println(chat + " end-" + chat + " the end");
            }
            while (desk.ended.size() < CHATS.size()) {
                assertThat(desk.await("sent ")).isNotEqualTo("over");
            }
            desk.in.close();
            assertThat(desk.await("closed")).isEqualTo("closed");
        }
        judge();
    }

    private void judge() {
        try (GatewayHome held = GatewayHome.take(home, Clock.systemUTC(), warning -> {});
                Storage storage = held.open("sqlite:state.db")) {
            assertThat(storage.queue().admitted()).isEmpty();
            assertThat(storage.queue().claimed()).isEmpty();
            assertThat(storage.queue().undelivered()).isEmpty();
            Set<String> found = new TreeSet<>();
            List<Lane> lanes = new ArrayList<>();
            storage.lanes().forEach(lanes::add);
            assertThat(lanes).hasSize(CHATS.size());
            for (Lane lane : lanes) {
                List<String> stored = new ArrayList<>();
                storage.transcripts().load(lane.entry().sessionId()).stream()
                        .filter(each -> each.message().role().equals(Role.USER))
                        .forEach(each -> {
                            Matcher ids = ID.matcher(each.message().content().plainText());
                            while (ids.find()) {
                                stored.add(ids.group());
                            }
                        });
                assertThat(stored).doesNotHaveDuplicates();
                found.addAll(stored);
                assertThat(stored)
                        .as("the order of what was acknowledged")
                        .containsSubsequence(accepted.getOrDefault(stored.get(0).substring(1, 2), List.of()));
            }
            assertThat(found).isEqualTo(known);
        }
    }
}
