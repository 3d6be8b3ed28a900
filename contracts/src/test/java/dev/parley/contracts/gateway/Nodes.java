package dev.parley.contracts.gateway;

import dev.parley.application.commands.BuiltInCommands;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.nodes.NodeSettings;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.application.spi.Storage;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.testing.MemoryMarkers;
import dev.parley.testing.RecordingEvents;
import dev.parley.testing.RecordingPlatform;
import dev.parley.testing.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Several gateways on one store and one clock: each may be paused, cut off from the store, killed and started again. */
final class Nodes {
    static final Duration LEASE = Duration.ofSeconds(5);

    final VirtualClock clock = new VirtualClock(Instant.parse("2026-03-10T12:00:00Z"));
    final MemoryStorage memory = MemoryStorage.shared(clock);
    private final SerialExecutor executor = new SerialExecutor();
    private final VirtualTimers timers = new VirtualTimers(clock, executor);
    private final SeededIds ids;
    private int messages;

    Nodes(long seed) {
        ids = new SeededIds(seed);
    }

    Node node(String name) {
        return new Node(name);
    }

    Nodes settle() {
        timers.runUntilIdle();
        return this;
    }

    Nodes pass(Duration time) {
        timers.advance(time);
        return this;
    }

    /** Asks something of a gateway; time passes while who asks waits, and not while the machine does something else. */
    boolean asked(Node node, Predicate<Gateway> question) {
        Gateway gateway = node.gateway();
        FutureTask<Boolean> answer = new FutureTask<>(() -> question.test(gateway));
        Thread asking = new Thread(answer);
        asking.setDaemon(true);
        asking.start();
        while (!answer.isDone()) {
            if (asking.getState() == Thread.State.WAITING) {
                pass(Duration.ofMillis(1));
            }
            Thread.onSpinWait();
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A platform that several gateways are connected as, or one only. */
    private record Connected(RecordingPlatform real, boolean isShared, Runnable starting, Consumer<Outgoing> sending)
            implements ChatPlatform {
        @Override
        public Platform name() {
            return real.name();
        }

        @Override
        public Traits traits() {
            return real.traits();
        }

        @Override
        public void start(InboundListener listener) {
            starting.run();
            real.start(listener);
        }

        @Override
        public void send(Outgoing message) {
            sending.accept(message);
            real.send(message);
        }

        @Override
        public void stop() {
            real.stop();
        }
    }

    /** Lets in whom a node lets in, without waiting for anything. */
    private record Door(Predicate<SessionSource> letIn) implements Authorization {
        @Override
        public boolean mayTalk(SessionSource source) {
            return letIn.test(source);
        }

        @Override
        public boolean neverBlocks() {
            return true;
        }

        @Override
        public boolean isAdmin(SessionSource source) {
            return false;
        }
    }

    /** One process after the other of one node. */
    final class Node {
        final String name;
        final RecordingEvents events = new RecordingEvents();
        final MemoryMarkers markers = new MemoryMarkers();
        final RecordingPlatform telegram = new RecordingPlatform(Platform.TELEGRAM);
        final SwitchableStorage storage = new SwitchableStorage(memory);
        final ScriptedAgents agents = new ScriptedAgents(clock, timers);
        boolean shared = true;
        Duration skew = Duration.ZERO;
        Map<String, String> agreed = Map.of();
        String place = "";

        /** Happens whenever a message is about to be sent. */
        Consumer<Outgoing> sending = message -> {};

        /** Who may talk. */
        Predicate<SessionSource> letIn = source -> true;

        /** Happens whenever the platform is about to start. */
        Runnable starting = () -> {};

        UnaryOperator<AgentFactory> watched = UnaryOperator.identity();
        UnaryOperator<Storage> reached = UnaryOperator.identity();
        GatewaySettings settings = GatewaySettings.DEFAULT
                .turns(t -> t.withWarning(Duration.ZERO))
                .turns(t -> t.withProgress(Duration.ZERO))
                .busy(b -> b.withFollowUpWindow(Duration.ZERO));
        CompletableFuture<Void> started = new CompletableFuture<>();
        private Optional<Gateway> gateway = Optional.empty();
        private Life process = new Life();

        /** What runs on behalf of one process: nothing while it is paused, nothing ever after its death. */
        private final class Life implements Executor, Timers {
            private final List<Runnable> held = new ArrayList<>();
            private boolean paused;
            private boolean dead;

            private void run(Runnable task) {
                if (paused) {
                    held.add(task);
                } else if (!dead) {
                    task.run();
                }
            }

            @Override
            public void execute(Runnable task) {
                executor.execute(() -> run(task));
            }

            @Override
            public Timer after(Duration delay, Runnable task) {
                return timers.after(delay, () -> run(task));
            }
        }

        private Node(String name) {
            this.name = name;
        }

        Node start() {
            process = new Life();
            agents.use(process);
            Gateway made = Gateway.builder()
                    .storage(reached.apply(storage))
                    .agents(watched.apply(agents))
                    .platform(new Connected(telegram, shared, () -> starting.run(), message -> sending.accept(message)))
                    .commands(BuiltInCommands.all())
                    .clock(() -> clock.instant().plus(skew))
                    .zone(ZoneOffset.UTC)
                    .timers(process)
                    .ids(ids)
                    .executor(process)
                    .markers(markers)
                    .events(events)
                    .authorization(new Door(source -> letIn.test(source)))
                    .settings(settings)
                    .node(
                            new NodeSettings(name, "1", place, new TreeMap<>(agreed), LEASE),
                            () -> Duration.between(Instant.EPOCH, clock.instant())
                                    .toNanos())
                    .build();
            gateway = Optional.of(made);
            started = made.start().toCompletableFuture();
            settle();
            return this;
        }

        Gateway gateway() {
            return gateway.orElseThrow();
        }

        Node script(ScriptedTurn... turns) {
            for (ScriptedTurn turn : turns) {
                agents.then(turn);
            }
            return this;
        }

        /** The process dies now. */
        void kill() {
            process.dead = true;
            gateway = Optional.empty();
            telegram.stop();
        }

        void pause() {
            process.paused = true;
        }

        void resume() {
            process.paused = false;
            process.held.forEach(executor::execute);
            process.held.clear();
            settle();
        }

        /** The node and the store do not reach each other. */
        void cutOff() {
            storage.become(SwitchableStorage.State.UNAVAILABLE);
        }

        void heal() {
            storage.become(SwitchableStorage.State.AVAILABLE);
        }

        CompletableFuture<?> stop(StopMode mode) {
            CompletableFuture<?> exit = gateway().stop(mode).toCompletableFuture();
            settle();
            return exit;
        }

        Receipt say(SessionSource from, String text) {
            return say(from, text, "m" + ++messages, AnswerListener.NONE).join();
        }

        CompletableFuture<Receipt> say(SessionSource from, String text, String id, AnswerListener listener) {
            CompletableFuture<Receipt> receipt = gateway()
                    .receive(new Received(from, text, List.of(), Optional.of(id)), listener)
                    .toCompletableFuture();
            settle();
            return receipt;
        }

        /** Hands a message in, before anything of it is looked at. */
        CompletableFuture<Receipt> hand(SessionSource from, String text, String id) {
            return gateway()
                    .receive(new Received(from, text, List.of(), Optional.of(id)), AnswerListener.NONE)
                    .toCompletableFuture();
        }

        List<String> seen(SessionSource chat) {
            return telegram.texts(chat.chatId());
        }
    }
}
