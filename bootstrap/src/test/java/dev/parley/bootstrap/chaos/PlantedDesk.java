package dev.parley.bootstrap.chaos;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.AgentProvider;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.home.GatewayHome;
import dev.parley.testing.memory.MemoryStorage;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A gateway of one's own over HTTP, right but for the bug that it is started with. Its arguments are its home, its store, where its model
 * listens, where its messages go, and the bug.
 */
final class PlantedDesk {
    private PlantedDesk() {}

    /** What somebody may do wrong who assembles a gateway. */
    enum Bug {
        /** Nothing is wrong, and its agent answers with what it is asked. */
        NONE,
        /** Batches are acknowledged as soon as a cache has them, and stored a moment later. */
        ACKNOWLEDGES_BEFORE_IT_STORES,
        /** A start puts the last message of each lane back into the queue, to be sure. */
        ANSWERS_AGAIN_AFTER_A_RESTART,
        /** The agent has the conversation from the process that heard it, and from nowhere else. */
        FORGETS_WHAT_WAS_SAID
    }

    public static void main(String[] arguments) {
        Bug bug = Bug.valueOf(arguments[4]);
        try (GatewayHome home = GatewayHome.take(Path.of(arguments[0]), Clock.systemUTC(), warning -> {});
                Storage storage = storage(bug, home, arguments[1])) {
            ChatPlatform http = ServiceLoader.load(PlatformProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(each -> each.section().equals("http"))
                    .findFirst()
                    .orElseThrow()
                    .create(home.platform("platforms.http")
                            .values(Map.of("port", "0", "callback_url", arguments[3]))
                            .build());
            AgentFactory agents = bug == Bug.NONE
                    ? agents("echo", home, Map.of())
                    : agents(
                            "openai",
                            home,
                            Map.of("base_url", arguments[2], "model", "desk", "timeout", "2", "retries", "0"));
            Gateway gateway = home.gateway()
                    .storage(storage)
                    .agents(bug == Bug.FORGETS_WHAT_WAS_SAID ? new Forgetful(agents) : agents)
                    .platform(http)
                    .settings(GatewaySettings.DEFAULT.withResetPolicies(
                            ResetPolicies.of(ResetPolicy.DEFAULT.withMode(ResetMode.NONE))))
                    .build();
            home.run(gateway, () -> System.out.println(http.address().orElseThrow()));
        }
    }

    private static AgentFactory agents(String name, GatewayHome home, Map<String, String> values) {
        return ServiceLoader.load(AgentProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .create(home.agent("agents." + name).values(values).build());
    }

    private static Storage storage(Bug bug, GatewayHome home, String path) {
        Storage sqlite = home.open("sqlite:" + path);
        switch (bug) {
            case ACKNOWLEDGES_BEFORE_IT_STORES -> {
                return new Cached(sqlite, home);
            }
            case ANSWERS_AGAIN_AFTER_A_RESTART -> {
                askAgain(sqlite, home);
                return sqlite;
            }
            case NONE, FORGETS_WHAT_WAS_SAID -> {
                return sqlite;
            }
        }
        throw new IllegalArgumentException(bug.name());
    }

    private static void askAgain(Storage stored, GatewayHome home) {
        Map<SessionKey, Inbound> last = new LinkedHashMap<>();
        stored.queue()
                .forEach(
                        Instant.EPOCH,
                        inbound -> {
                            if (inbound.kind() != Inbound.Kind.COMMAND && inbound.state() == Inbound.State.DONE) {
                                last.put(inbound.lane(), inbound);
                            }
                        },
                        turn -> {},
                        message -> {});
        String writer = home.ids().unique("again");
        long sequence = 0;
        for (Inbound each : last.values()) {
            Inbound again = Inbound.builder(
                            new InboundId(home.ids().unique("again")),
                            each.lane(),
                            stored.queue().lastOrdinal(each.lane()) + 1,
                            each.kind(),
                            each.source(),
                            each.text(),
                            each.receivedAt())
                    .build();
            stored.ledger()
                    .commit(new Batch(
                            new BatchId(writer, ++sequence), List.of(), List.of(new Change.PutInbound(again))));
        }
    }

    /** Everything is read from a cache and written to it; the store has it a moment later. */
    private static final class Cached implements ComposedStorage {
        private static final long MOMENT_MILLIS = 700;

        private final MemoryStorage cache = new MemoryStorage();
        private final Storage store;
        private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
        private final StorageParts parts;

        Cached(Storage store, GatewayHome home) {
            this.store = store;
            new StorageCopy(store, cache, home.clock(), home.ids()).copy(StorageCopy.Into.EMPTY, progress -> {});
            parts = StorageParts.of(cache).withLedger(this::commit);
        }

        private synchronized CommitResult commit(Batch batch) {
            CommitResult result = cache.ledger().commit(batch);
            var unused = later.schedule(() -> store.ledger().commit(batch), MOMENT_MILLIS, TimeUnit.MILLISECONDS);
            return result;
        }

        @Override
        public StorageParts parts() {
            return parts;
        }

        @Override
        public String location() {
            return store.location();
        }

        @Override
        public void close() {
            later.shutdown();
            try {
                later.awaitTermination(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            store.close();
        }
    }

    /** Agents to which a session begins with what this process hears of it. */
    private record Forgetful(AgentFactory agents) implements AgentFactory {
        private static final Set<SessionId> HEARD = ConcurrentHashMap.newKeySet();

        @Override
        public String signature(AgentSpec spec) {
            return agents.signature(spec);
        }

        @Override
        public Agent create(AgentSpec spec) {
            Agent agent = agents.create(spec);
            return new Agent() {
                @Override
                public AgentRun start(AgentTurn turn, AgentEvents events) {
                    boolean heard = !HEARD.add(turn.session());
                    return agent.start(
                            new AgentTurn(
                                    turn.turn(),
                                    turn.session(),
                                    turn.prompt(),
                                    heard ? turn.history() : List.of(),
                                    turn.input(),
                                    turn.injected(),
                                    turn.sender()),
                            events);
                }

                @Override
                public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
                    return agent.summarise(history, focus, done);
                }

                @Override
                public void release() {
                    agent.release();
                }

                @Override
                public void close() {
                    agent.close();
                }
            };
        }

        @Override
        public String model(AgentSpec spec) {
            return agents.model(spec);
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return agents.contextLength(spec);
        }
    }
}
