package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Durable;
import dev.parley.contracts.level.NoSilencedTests;
import dev.parley.contracts.storage.MemoryHarness;
import dev.parley.domain.transcript.Role;
import dev.parley.testing.MemoryMarkers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A platform whose server is reached through a network: what people write is answered, in order, whatever the network, the server and
 * the gateway's process do. The gateway is the real one, over the reference store, in {@link HurriedTime}; chance is seeded. The system
 * properties {@code parley.network.lives} and {@code parley.network.messages} set how many processes there are, one after the other, and how
 * many messages are written in each chat during the life of one; usually 5 and 24.
 */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface NetworkPlatformContract {
    /** How many chats there are. */
    int CHATS = 4;

    /** Returns a server of the platform that holds nothing yet, and the network before it, which does not fail yet. */
    NetworkUnderTest network(HurriedTime time);

    /** A server of a platform, its people, and the network before it. */
    interface NetworkUnderTest extends AutoCloseable {
        /** Returns the platform as a new process has it: not started, and with no memory but what the settings hold. */
        ChatPlatform platform(ProviderSettings settings);

        /** Returns how the platform is configured, so that it reaches the server through the network. */
        Configured configured();

        /** Somebody writes in a chat, counted from 0; the server keeps it until it is told that it was received. */
        void write(int chat, String text);

        /** Returns what people see in a chat, in order. */
        List<String> shown(int chat);

        /** Returns how many messages the server was not told to be received. */
        int waiting();

        /** Plans what happens to each connection from now on, by its number. */
        void plan(LongFunction<Cut> cuts);

        /** Breaks all connections; the server keeps what it has and answers again at once. */
        void restartServer();

        /** Has the server refuse the next message to be shown, and ask for a pause. */
        void limit(Duration pause);

        /** Returns how often the server was asked to show a message, refused ones counted. */
        int attempts();

        @Override
        void close();
    }

    /**
     * How a platform is configured.
     *
     * @param home its home
     * @param values its settings
     * @param environment its environment
     * @param secrets what must not be shown anywhere
     */
    record Configured(Path home, Map<String, String> values, Map<String, String> environment, Set<String> secrets) {}

    /** What happens to a connection. */
    sealed interface Cut {
        /** Nothing. */
        record None() implements Cut {}

        /**
         * It breaks on the way there.
         *
         * @param bytes after so many bytes
         */
        record Request(long bytes) implements Cut {}

        /**
         * It breaks on the way back; the server has done what it was asked.
         *
         * @param bytes after so many bytes
         */
        record Answer(long bytes) implements Cut {}

        /**
         * It stays open and silent.
         *
         * @param bytes after so many bytes of the answer
         */
        record Silence(long bytes) implements Cut {}
    }

    @Durable
    default void nothingIsLostNorTakenTwiceOverManyCutsAndSomeKills() throws Exception {
        Random chance = new Random(4711);
        AtomicLong cuts = new AtomicLong();
        List<String> said = new CopyOnWriteArrayList<>();
        MemoryHarness store = new MemoryHarness("network");
        MemoryMarkers markers = new MemoryMarkers();
        int lives = Integer.getInteger("parley.network.lives", 5);
        int each = Integer.getInteger("parley.network.messages", 24);
        int written = 0;
        try (HurriedTime time = new HurriedTime();
                NetworkUnderTest network = network(time)) {
            network.plan(number -> cut(chance, cuts));
            for (int i = 0; i < lives; i++) {
                NetworkLife life = new NetworkLife(store, markers, network, time, said::add);
                int until = written + each;
                while (written < until) {
                    int text = written++;
                    IntStream.range(0, CHATS).forEach(chat -> network.write(chat, "m" + text));
                    long before = cuts.get();
                    await("the network does something", () -> cuts.get() > before + 3 || network.waiting() == 0);
                    if (chance.nextInt(6) == 0) {
                        network.restartServer();
                    }
                }
                if (i % 2 == 0) {
                    life.kill();
                } else {
                    life.stop();
                }
            }
            network.plan(number -> new Cut.None());
            NetworkLife last = new NetworkLife(store, markers, network, time, said::add);
            int all = written;
            await(() -> "all is received: " + tail(said), () -> network.waiting() == 0);
            await(
                    () -> "all is answered: " + answered(network, 0) + tail(said),
                    () -> IntStream.range(0, CHATS)
                            .allMatch(chat -> answered(network, chat).containsAll(expected(all))));
            boolean recognises = last.recognisesRepeats();
            last.stop();

            for (int chat = 0; chat < CHATS; chat++) {
                List<String> answers = answered(network, chat);
                assertThat(answers.stream().distinct().toList())
                        .as("the order of answers in chat %s", chat)
                        .isEqualTo(expected(all));
                if (recognises) {
                    assertThat(answers).doesNotHaveDuplicates();
                }
            }
            assertThat(cuts.get()).as("connections that were cut").isGreaterThan(all * 5 / 6);
            assertThat(taken(store))
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, CHATS)
                            .boxed()
                            .flatMap(chat -> expected(all).stream())
                            .toList());
            assertNoSecrets(network, said);
        }
    }

    @Durable
    default void aPauseThatTheServerAsksForIsKept() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        try (HurriedTime time = new HurriedTime();
                NetworkUnderTest network = network(time)) {
            NetworkLife life =
                    new NetworkLife(new MemoryHarness("pause"), new MemoryMarkers(), network, time, said::add);
            network.limit(Duration.ofSeconds(35));
            Instant written = time.instant();
            network.write(0, "m0");
            await("it is shown", () -> !network.shown(0).isEmpty());

            // The one that was refused, and the one after the pause: one before its end would have been refused too.
            assertThat(network.attempts()).isEqualTo(2);
            assertThat(Duration.between(written, time.instant())).isGreaterThan(Duration.ofSeconds(35));
            life.stop();
        }
    }

    @Durable
    default void aServerThatIsAwayAtTheStartIsReachedLater() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        try (HurriedTime time = new HurriedTime();
                NetworkUnderTest network = network(time)) {
            AtomicLong connections = new AtomicLong();
            network.plan(number -> {
                connections.incrementAndGet();
                return new Cut.Request(0);
            });
            network.write(0, "m0");
            NetworkLife life =
                    new NetworkLife(new MemoryHarness("away"), new MemoryMarkers(), network, time, said::add);
            await("it has tried", () -> connections.get() > 2);
            network.plan(number -> new Cut.None());

            await(
                    () -> "it is answered: " + network.shown(0) + tail(said),
                    () -> answered(network, 0).equals(List.of("m0")));
            life.stop();
            assertNoSecrets(network, said);
        }
    }

    private static Cut cut(Random chance, AtomicLong cuts) {
        synchronized (chance) {
            int kind = chance.nextInt(20);
            if (kind >= 14) {
                return new Cut.None();
            }
            cuts.incrementAndGet();
            long bytes = chance.nextInt(1_500);
            return kind < 6 ? new Cut.Request(bytes) : kind < 13 ? new Cut.Answer(bytes) : new Cut.Silence(bytes);
        }
    }

    private static List<String> expected(int written) {
        return IntStream.range(0, written).mapToObj(i -> "m" + i).toList();
    }

    private static List<String> answered(NetworkUnderTest network, int chat) {
        return network.shown(chat).stream()
                .flatMap(text -> Stream.of(text.split("\\s+")))
                .filter(word -> word.matches("m[0-9]+"))
                .toList();
    }

    /** Returns what people wrote, as often as it is stored. */
    private static List<String> taken(MemoryHarness store) throws Exception {
        List<String> taken = new ArrayList<>();
        try (Storage storage = store.open(StorageSettings.Mode.READ_ONLY)) {
            storage.lanes()
                    .forEach(lane -> storage.transcripts().load(lane.entry().sessionId()).stream()
                            .filter(stored -> stored.message().role().equals(Role.USER))
                            .flatMap(stored -> Stream.of(
                                    stored.message().content().plainText().split("\\s+")))
                            .filter(word -> word.matches("m[0-9]+"))
                            .forEach(taken::add));
        }
        return taken;
    }

    private static void assertNoSecrets(NetworkUnderTest network, List<String> said) {
        for (String secret : network.configured().secrets()) {
            assertThat(said).noneMatch(line -> line.contains(secret));
        }
    }

    private static List<String> tail(List<String> said) {
        return said.subList(Math.max(0, said.size() - 40), said.size());
    }

    private static void await(String what, BooleanSupplier holds) throws InterruptedException {
        await(() -> what, holds);
    }

    private static void await(Supplier<String> what, BooleanSupplier holds) throws InterruptedException {
        Object nobody = new Object();
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Not so: " + what.get());
            }
            synchronized (nobody) {
                nobody.wait(10);
            }
        }
    }
}
