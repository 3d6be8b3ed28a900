package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.gateway.Gateway;
import dev.parley.application.gateway.ScheduledTimers;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a plug-in throws, its lane goes on, its people are told, and the operator sees why. */
class HostilePlugInsTest {
    private static Error bad() {
        return new NoSuchMethodError("of another release");
    }

    private final Bench bench = new Bench();

    /** Agents as scripted, but for what a test replaces. */
    private final class Dressed implements AgentFactory {
        private final Function<Agent, Agent> dress;
        private int left;

        Dressed(int times, Function<Agent, Agent> dress) {
            this.left = times;
            this.dress = dress;
        }

        @Override
        public String signature(AgentSpec spec) {
            return bench.agents.signature(spec);
        }

        @Override
        public Agent create(AgentSpec spec) {
            Agent real = bench.agents.create(spec);
            return left-- > 0 ? dress.apply(real) : real;
        }

        @Override
        public String model(AgentSpec spec) {
            throw bad();
        }

        @Override
        public long contextLength(AgentSpec spec) {
            throw bad();
        }
    }

    /** An agent that fails at everything but what it is told not to. */
    private record Failing(Agent real, boolean starts) implements Agent {
        @Override
        public AgentRun start(AgentTurn turn, AgentEvents events) {
            if (starts) {
                return real.start(turn, events);
            }
            throw bad();
        }

        @Override
        public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
            throw bad();
        }

        @Override
        public void release() {
            throw bad();
        }

        @Override
        public void close() {
            throw bad();
        }
    }

    @Test
    void anAgentThatThrowsAnErrorAtItsStartEndsThatTurnAlone() {
        bench.factory = new Dressed(1, real -> new Failing(real, false));
        bench.start();
        bench.say(ALICE, "one");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly("Sorry, that did not work: The agent could not begin.", "two");
        assertThat(bench.trouble())
                .anyMatch(t -> t.cause()
                        .map(Throwable::getCause)
                        .filter(NoSuchMethodError.class::isInstance)
                        .isPresent());
        assertThat(bench.running().lane(ALICES).orElseThrow().running()).isFalse();
    }

    @Test
    void anAgentThatThrowsAtASummaryLeavesTheConversationAsItIs() {
        bench.factory = new Dressed(9, real -> new Failing(real, true));
        bench.start();
        for (int i = 0; i < 4; i++) {
            bench.say(ALICE, "m" + i);
        }
        bench.say(ALICE, "/compress");
        bench.say(ALICE, "after");
        assertThat(bench.seen(ALICE)).last().isEqualTo("after");
        assertThat(bench.transcript(ALICES)).hasSize(10);
    }

    @Test
    void aListenerThatThrowsAtEveryEventStopsNothing() {
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> {});
        try {
            bench.heard = real -> event -> {
                throw bad();
            };
            bench.start();
            bench.say(ALICE, "one");
            bench.say(ALICE, "/new");
            bench.say(ALICE, "two");
            assertThat(bench.seen(ALICE)).contains("one", "two");
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
    }

    @Test
    void aListenerThatWaitsForAnAnswerAndThrowsStopsNothing() {
        bench.start();
        AnswerListener bad = new AnswerListener() {
            @Override
            public void replied(Outgoing reply) {
                throw bad();
            }

            @Override
            public void finished(TurnId turn, String text) {
                throw bad();
            }

            @Override
            public void closed(String why) {
                throw bad();
            }
        };
        bench.say(new Received(ALICE, "one", List.of(), Optional.of("1")), bad);
        bench.say(new Received(ALICE, "/status", List.of(), Optional.of("2")), bad);
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).contains("one", "two");
    }

    @Test
    void hooksThatThrowErrorsStopNothingAndAreTold() {
        bench.hooked = real -> new LifecycleHooks() {
            @Override
            public void sessionStarted(SessionKey lane, SessionId session) {
                throw bad();
            }

            @Override
            public List<Message> beforeRun(SessionKey lane, SessionId session, Message input) {
                throw bad();
            }
        };
        bench.start();
        bench.say(ALICE, "one");
        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.trouble())
                .extracting(GatewayEvent.Trouble::what)
                .contains("A hook failed.", "A hook failed; the turn runs without what it would have added.");
    }

    @Test
    void aCommandThatThrowsIsAnsweredAndTheMessageIsNotTakenAgain() {
        bench.commands.add(new ChatCommand() {
            @Override
            public String name() {
                return "bad";
            }

            @Override
            public String usage() {
                throw bad();
            }

            @Override
            public String summary() {
                throw bad();
            }

            @Override
            public When when() {
                return When.ALWAYS;
            }

            @Override
            public CommandOutcome run(CommandContext context) {
                throw bad();
            }
        });
        bench.start();
        assertThat(bench.say(ALICE, "/bad", "x")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.say(ALICE, "/bad", "x")).isInstanceOf(Receipt.Duplicate.class);
        bench.say(ALICE, "/help");
        bench.say(ALICE, "one");
        assertThat(bench.seen(ALICE))
                .hasSize(3)
                .startsWith("The command /bad failed; nothing was changed. The operator has been told.")
                .endsWith("one");
    }

    /** A platform that does what a test says and is otherwise real. */
    private static final class Odd implements ChatPlatform {
        private final ChatPlatform real;
        private Runnable starting = () -> {};
        private Runnable sending = () -> {};
        private Runnable stopping = () -> {};

        Odd(ChatPlatform real) {
            this.real = real;
        }

        @Override
        public Platform name() {
            return real.name();
        }

        @Override
        public Traits traits() {
            throw bad();
        }

        @Override
        public void start(InboundListener listener) {
            starting.run();
            real.start(listener);
        }

        @Override
        public void send(Outgoing message) {
            sending.run();
            real.send(message);
        }

        @Override
        public void stop() {
            stopping.run();
            real.stop();
        }
    }

    private static Runnable once(Error error) {
        boolean[] done = {false};
        return () -> {
            if (!done[0]) {
                done[0] = true;
                throw error;
            }
        };
    }

    @Test
    void aPlatformThatThrowsErrorsIsStartedAgainSentToAgainAndStopped() {
        Odd odd = new Odd(bench.telegram);
        odd.starting = once(bad());
        odd.sending = once(bad());
        odd.stopping = once(bad());
        bench.dressed = real -> odd;
        bench.start();
        bench.pass(Duration.ofSeconds(5));
        bench.say(ALICE, "one");
        bench.pass(Duration.ofSeconds(5));
        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.stop(StopMode.SHUTDOWN).join().timedOut()).isFalse();
    }

    @Test
    void aStartThatFailsSaysWhyAlsoWhereAPlatformDoesNotStop() {
        Odd odd = new Odd(bench.telegram);
        odd.stopping = once(bad());
        Gateway gateway = Gateway.builder()
                .storage(bench.memory)
                .agents(bench.agents)
                .platforms(
                        List.of(odd, new FailingPlatform(bench.slack, 1, new InvalidRequest("slack.token is missing"))))
                .clock(bench.clock)
                .timers((delay, task) -> () -> {})
                .ids(bench.ids)
                .executor(Runnable::run)
                .build();
        assertThatThrownBy(() -> gateway.start().toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("slack.token is missing");
    }

    @Test
    void aPlaceAmongTheRunningLanesIsGivenBackWhereTheMessageCannotBeStored() {
        bench.with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1)))).start();
        bench.say(BOB, "hello");
        bench.storage.become(SwitchableStorage.State.UNAVAILABLE);
        assertThat(bench.say(ALICE, "one")).isInstanceOf(Receipt.Unavailable.class);
        bench.storage.become(SwitchableStorage.State.AVAILABLE);
        assertThat(bench.say(BOB, "two")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.turns(BOBS)).containsExactly("hello", "two");
    }

    @Test
    void anOperatorsRequestIsAnsweredAlsoWhereItsLaneWaitsForTheStore() {
        bench.start();
        bench.say(ALICE, "one");
        bench.storage.become(SwitchableStorage.State.UNAVAILABLE);
        CompletableFuture<Boolean> asked =
                CompletableFuture.supplyAsync(() -> bench.running().resetLane(ALICES));
        while (!asked.isDone()) {
            bench.pass(Duration.ofSeconds(1));
            Thread.onSpinWait();
        }
        assertThatThrownBy(asked::join).hasCauseInstanceOf(StorageUnavailable.class);
    }

    @Test
    void anOperatorsRequestToAGatewayThatHasStoppedFailsAtOnce() {
        bench.start();
        bench.say(ALICE, "one");
        Gateway gateway = bench.running();
        bench.halt(StopMode.SHUTDOWN);
        assertThatThrownBy(() -> gateway.suspendLane(ALICES)).isInstanceOf(StorageUnavailable.class);
    }

    @Test
    @Timeout(60)
    void aPlatformThatHangsHoldsNoLane() throws Exception {
        CountDownLatch released = new CountDownLatch(1);
        Odd odd = new Odd(bench.telegram);
        odd.sending = () -> {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        ExecutorService executor = Executors.newFixedThreadPool(4);
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        Gateway gateway = Gateway.builder()
                .storage(bench.memory)
                .agents(new ScriptedAgents(Clock.systemUTC(), new ScheduledTimers(scheduler, executor)))
                .platform(odd)
                .clock(Clock.systemUTC())
                .timers(new ScheduledTimers(scheduler, executor))
                .ids(bench.ids)
                .executor(executor)
                .events(bench.events)
                .build();
        try {
            gateway.start().toCompletableFuture().get();
            for (String text : List.of("one", "two", "three")) {
                CompletableFuture<String> answer = new CompletableFuture<>();
                gateway.receive(new Received(ALICE, text, List.of(), Optional.of(text)), new AnswerListener() {
                    @Override
                    public void finished(TurnId turn, String said) {
                        answer.complete(said);
                    }
                });
                assertThat(answer.get()).isEqualTo(text);
            }
        } finally {
            released.countDown();
            gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().get();
            executor.shutdownNow();
            scheduler.shutdownNow();
        }
    }

    @Test
    void aTurnThatIsAnsweredTwiceHasOneAnswer() {
        bench.factory = new Dressed(1, real -> new Twice(real));
        bench.script(ScriptedTurn.reply("a")).start();
        bench.say(ALICE, "one");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly("a", "two");
    }

    /** An agent that ends each turn twice. */
    private record Twice(Agent real) implements Agent {
        @Override
        public AgentRun start(AgentTurn turn, AgentEvents events) {
            return real.start(turn, new TwiceEvents(events));
        }

        @Override
        public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
            return real.summarise(history, focus, done);
        }

        @Override
        public void release() {
            real.release();
        }

        @Override
        public void close() {
            real.close();
        }
    }

    private record TwiceEvents(AgentEvents events) implements AgentEvents {
        @Override
        public void streamed(String delta) {
            events.streamed(delta);
        }

        @Override
        public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
            events.toolsCalled(content, calls, reasoning);
        }

        @Override
        public void toolAnswered(String callId, String tool, Content result) {
            events.toolAnswered(callId, tool, result);
        }

        @Override
        public void answered(AgentAnswer answer) {
            events.answered(answer);
            events.answered(answer);
        }

        @Override
        public void failed(AgentFailure failure) {
            events.failed(failure);
        }

        @Override
        public void interrupted(AgentAnswer partial) {
            events.interrupted(partial);
        }
    }
}
