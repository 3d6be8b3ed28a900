package dev.parley.contracts.port;

import dev.parley.application.actor.Timing;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.gateway.StoredCursors;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.MediaStore;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.contracts.storage.MemoryHarness;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Role;
import dev.parley.testing.MemoryMarkers;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** One life of a gateway's process over a store that outlives it, with agents that repeat what they are told. */
final class NetworkLife {
    private static final Pattern WRITTEN = Pattern.compile("m[0-9]+");

    private final HurriedTime time;
    private final Storage storage;
    private volatile boolean dead;
    /** What is handed to a process that is gone is not done, and nobody is told. */
    private final ExecutorService threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new ThreadPoolExecutor.DiscardPolicy());

    private final ChatPlatform platform;
    private final Gateway gateway;

    NetworkLife(
            MemoryHarness store,
            MemoryMarkers markers,
            NetworkPlatformContract.NetworkUnderTest network,
            HurriedTime time,
            Consumer<String> said) {
        this.time = time;
        Consumer<String> told = line -> {
            if (!dead) {
                said.accept(line);
            }
        };
        storage = store.open(StorageSettings.Mode.READ_WRITE);
        NetworkPlatformContract.Configured configured = network.configured();
        GatewayEvents events = event -> told.accept(event.toString());
        GatewayInspection nothing = (GatewayInspection) Proxy.newProxyInstance(
                GatewayInspection.class.getClassLoader(), new Class<?>[] {GatewayInspection.class}, (p, m, a) -> {
                    throw new AssertionError("not asked for here: " + m.getName());
                });
        platform = network.platform(new ProviderSettings(
                        "platforms.test",
                        configured.values(),
                        configured.environment(),
                        configured.home(),
                        time,
                        time,
                        time,
                        threads,
                        told,
                        nothing)
                .keeping(new StoredCursors(storage, new Timing(time, time, time), threads, events), MediaStore.NONE));
        gateway = Gateway.builder()
                .storage(storage)
                .agents(new Parrots())
                .platform(platform)
                .clock(time)
                .timers(time)
                .ids(time)
                .executor(threads)
                .markers(markers)
                .events(events)
                .build();
        gateway.start().toCompletableFuture().join();
    }

    boolean recognisesRepeats() {
        return platform.traits().recognisesRepeats();
    }

    /** The process dies: nothing it still does reaches the store. */
    void kill() {
        dead = true;
        storage.close();
        platform.stop();
        threads.shutdownNow();
    }

    /** The process is asked to end. */
    void stop() throws Exception {
        gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().get(60, TimeUnit.SECONDS);
        dead = true;
        storage.close();
        threads.shutdownNow();
    }

    /** Repeats the input; after a turn that was cut off also what was written last, for it may not have been answered. */
    private final class Parrots implements AgentFactory {
        @Override
        public String signature(AgentSpec spec) {
            return "parrot";
        }

        @Override
        public String model(AgentSpec spec) {
            return "parrot";
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return 0;
        }

        @Override
        public Agent create(AgentSpec spec) {
            return new Agent() {
                @Override
                public AgentRun start(AgentTurn turn, AgentEvents events) {
                    String text = answer(turn);
                    threads.execute(() -> events.answered(AgentAnswer.text(text)));
                    return new Run(time.instant());
                }

                @Override
                public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
                    throw new AssertionError("nothing is summarised here");
                }

                @Override
                public void release() {}

                @Override
                public void close() {}
            };
        }
    }

    private static String answer(AgentTurn turn) {
        Set<String> words = new LinkedHashSet<>();
        int behindTheLastAnswer = 0;
        for (int i = 0; i < turn.history().size(); i++) {
            if (turn.history().get(i).role().equals(Role.ASSISTANT)) {
                behindTheLastAnswer = i + 1;
            }
        }
        turn.history().stream().skip(behindTheLastAnswer).forEach(message -> collect(message, words));
        collect(turn.input(), words);
        return words.isEmpty() ? "nothing to repeat" : String.join(" ", words);
    }

    private static void collect(Message message, Set<String> words) {
        WRITTEN.matcher(message.content().plainText())
                .results()
                .map(MatchResult::group)
                .forEach(words::add);
    }

    private record Run(Instant lastActivity) implements AgentRun {
        @Override
        public void interrupt(String reason) {
            // It ends at once anyway.
        }

        @Override
        public boolean steer(String text) {
            return false;
        }

        @Override
        public Optional<String> activity() {
            return Optional.empty();
        }
    }
}
