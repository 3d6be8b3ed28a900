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
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.replay.ScriptedAgents;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.StorageParts;
import dev.parley.contracts.hostile.HostilePlugIns;
import dev.parley.contracts.hostile.Mischief;
import dev.parley.contracts.hostile.Misdeed;
import dev.parley.domain.key.AliasLookup;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.TurnId;
import dev.parley.testing.RecordingPlatform;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a plug-in throws, its lane goes on, its people are told, and the operator sees why. */
class HostilePlugInsTest {
    private final Bench bench = new Bench();

    @Test
    void anAgentThatThrowsAnErrorAtItsStartEndsThatTurnAlone() {
        bench.factory = new HostilePlugIns(Mischief.first(1, "Agent.start", Misdeed.THROW_ERROR)).agents(bench.agents);
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

    /** Agents that cannot be made, for a reason that is not for people unless they say that it is. */
    private AgentFactory unmade(RuntimeException why) {
        return new AgentFactory() {
            @Override
            public String signature(AgentSpec spec) {
                return bench.agents.signature(spec);
            }

            @Override
            public Agent create(AgentSpec spec) {
                throw why;
            }

            @Override
            public String model(AgentSpec spec) {
                return bench.agents.model(spec);
            }

            @Override
            public long contextLength(AgentSpec spec) {
                return bench.agents.contextLength(spec);
            }
        };
    }

    @Test
    void whyAnAgentCouldNotBeginIsTheOperatorsToKnow() {
        StorageUnavailable why = new StorageUnavailable("The memory at desk:secret@10.0.0.7 is away.", null);
        bench.factory = unmade(why);
        bench.start();
        bench.say(ALICE, "one");
        assertThat(bench.seen(ALICE)).containsExactly("Sorry, that did not work: The agent could not begin.");
        assertThat(bench.memory.queue().turns(TurnQuery.first(1)).rows().toString())
                .doesNotContain("secret");
        assertThat(bench.trouble())
                .extracting(trouble -> trouble.cause().orElseThrow())
                .contains(why);
    }

    @Test
    void anAgentThatSaysWhatIsWrongWithWhatWasAskedIsHeard() {
        bench.factory = unmade(new InvalidRequest("The model gpt is not served here."));
        bench.start();
        bench.say(ALICE, "one");
        assertThat(bench.seen(ALICE)).containsExactly("Sorry, that did not work: The model gpt is not served here.");
    }

    @Test
    void whyASummaryCouldNotBeginIsTheOperatorsToKnow() {
        IllegalStateException why = new IllegalStateException("no thread for desk:secret@10.0.0.7");
        bench.executed = real -> task -> {
            boolean beginning = StackWalker.getInstance()
                    .walk(frames ->
                            frames.anyMatch(frame -> frame.getMethodName().equals("summarise")));
            if (beginning) {
                throw why;
            }
            real.execute(task);
        };
        bench.start();
        for (String text : List.of("one", "two", "three")) {
            bench.say(ALICE, text);
        }
        bench.say(ALICE, "/compress");
        assertThat(bench.seen(ALICE))
                .last()
                .asString()
                .startsWith("The conversation could not be compressed: The agent could not begin.");
        assertThat(bench.trouble())
                .extracting(trouble -> trouble.cause().orElseThrow())
                .contains(why);
    }

    @Test
    void anAgentThatThrowsAtASummaryLeavesTheConversationAsItIs() {
        bench.factory = new HostilePlugIns(Mischief.allBut(
                        Misdeed.THROW_ERROR, "AgentFactory.signature", "AgentFactory.create", "Agent.start"))
                .agents(bench.agents);
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
            bench.heard = new HostilePlugIns(Mischief.allBut(Misdeed.THROW_ERROR))::events;
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
        AnswerListener bad = new HostilePlugIns(Mischief.allBut(Misdeed.THROW_ERROR)).answers(new AnswerListener() {});
        bench.say(new Received(ALICE, "one", List.of(), Optional.of("1")), bad);
        bench.say(new Received(ALICE, "/status", List.of(), Optional.of("2")), bad);
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).contains("one", "two");
    }

    @Test
    void hooksThatThrowErrorsStopNothingAndAreTold() {
        bench.hooked = new HostilePlugIns(Mischief.allBut(Misdeed.THROW_ERROR))::hooks;
        bench.start();
        bench.say(ALICE, "one");
        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.trouble())
                .extracting(GatewayEvent.Trouble::what)
                .contains("A hook failed.", "A hook failed; the turn runs without what it would have added.");
    }

    @Test
    void aCommandThatThrowsIsAnsweredAndTheMessageIsNotTakenAgain() {
        Mischief mischief = Mischief.allBut(
                Misdeed.THROW_ERROR,
                "ChatCommand.name",
                "ChatCommand.aliases",
                "ChatCommand.when",
                "ChatCommand.flags");
        bench.commands.add(new HostilePlugIns(mischief).command(new Bad()));
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

    /** A command that does nothing. */
    private static final class Bad implements ChatCommand {
        @Override
        public String name() {
            return "bad";
        }

        @Override
        public String usage() {
            return "/bad";
        }

        @Override
        public String summary() {
            return "Does nothing.";
        }

        @Override
        public When when() {
            return When.ALWAYS;
        }

        @Override
        public CommandOutcome run(CommandContext context) {
            return CommandOutcome.reply("done");
        }
    }

    @Test
    void aPlatformThatThrowsErrorsIsStartedAgainSentToAgainAndStopped() {
        bench.dressed = new HostilePlugIns(Mischief.of(
                Mischief.first(1, "ChatPlatform.start", Misdeed.THROW_ERROR),
                Mischief.first(1, "ChatPlatform.send", Misdeed.THROW_ERROR),
                Mischief.first(1, "ChatPlatform.stop", Misdeed.THROW_ERROR),
                Mischief.always("ChatPlatform.traits", Misdeed.THROW_ERROR)))::platform;
        bench.start();
        bench.pass(Duration.ofSeconds(5));
        bench.say(ALICE, "one");
        bench.pass(Duration.ofSeconds(5));
        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.stop(StopMode.SHUTDOWN).join().timedOut()).isFalse();
    }

    @Test
    void aPlatformIsAskedWhatItCanDoBeforeItIsStartedAndNeverAgain() {
        List<String> asked = new ArrayList<>();
        bench.dressed = real -> new FailingPlatform(real, 0, new IllegalStateException()) {
            @Override
            public <T> Optional<T> as(Class<T> ability) {
                asked.add(ability.getSimpleName());
                return super.as(ability);
            }

            @Override
            public boolean isShared() {
                asked.add("isShared");
                return super.isShared();
            }

            @Override
            public void start(InboundListener listener) {
                asked.clear();
                super.start(listener);
            }
        };
        bench.start();
        bench.say(ALICE, "one");
        bench.running().platforms();
        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "RETURN_NULL"})
    void aLookUpOfAliasesThatFailsCountsAsNoneAndIsTold(Misdeed misdeed) {
        SessionSource kim = SessionSource.builder(Platform.WHATSAPP, "49170")
                .userId("49170")
                .build();
        bench.aliases = new HostilePlugIns(Mischief.always("AliasLookup.aliasesOf", misdeed)).aliases(AliasLookup.NONE);
        bench.start();
        assertThat(bench.say(kim, "one")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.trouble())
                .extracting(GatewayEvent.Trouble::what)
                .contains("Nobody could say under which other names somebody is known; nobody is taken for them.");
    }

    @Test
    void aStartThatFailsSaysWhyAlsoWhereAPlatformDoesNotStop() {
        ChatPlatform odd = new HostilePlugIns(Mischief.first(1, "ChatPlatform.stop", Misdeed.THROW_ERROR))
                .platform(bench.telegram);
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
        HostilePlugIns hostile = new HostilePlugIns(Mischief.always("ChatPlatform.send", Misdeed.HANG));
        ExecutorService executor = Executors.newFixedThreadPool(4);
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        Gateway gateway = Gateway.builder()
                .storage(bench.memory)
                .agents(new ScriptedAgents(Clock.systemUTC(), new ScheduledTimers(scheduler, executor)))
                .platform(hostile.platform(bench.telegram))
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
            hostile.release();
            gateway.stop(StopMode.SHUTDOWN).toCompletableFuture().get();
            executor.shutdownNow();
            scheduler.shutdownNow();
        }
    }

    @Test
    void aTurnThatIsAnsweredTwiceHasOneAnswer() {
        bench.factory = new HostilePlugIns(Mischief.always("AgentEvents.answered", Misdeed.TWICE)).agents(bench.agents);
        bench.script(ScriptedTurn.reply("a")).start();
        bench.say(ALICE, "one");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly("a", "two");
    }

    @Test
    void anAgentThatDoesNotStopTalkingEndsThatTurnAlone() {
        HostilePlugIns hostile = new HostilePlugIns(Mischief.first(1, "AgentEvents.answered", Misdeed.ENDLESS));
        bench.factory = hostile.agents(bench.agents);
        bench.script(ScriptedTurn.reply("behind all that")).start();
        bench.say(ALICE, "one");
        bench.say(ALICE, "two");
        assertThat(hostile.done()).containsExactly("AgentEvents.answered ENDLESS");
        assertThat(bench.seen(ALICE))
                .containsExactly(
                        "Sorry, that did not work: The answer became longer than it may be, so the task was stopped."
                                + " Please ask for less at a time.",
                        "two");
        assertThat(bench.trouble())
                .extracting(GatewayEvent.Trouble::what)
                .containsExactly("The agent said more than the 4000000 characters that agent.max_answer_size allows,"
                        + " and was stopped.");
        assertThat(bench.transcript(ALICES)).containsExactly("user: one", "user: two", "assistant: two");
    }

    @Test
    void anAnswerThatComesAfterItsTurnWasGivenUpIsNotGiven() {
        List<Runnable> late = new ArrayList<>();
        bench.factory = new HostilePlugIns(Mischief.first(1, "AgentEvents.answered", Misdeed.LATE), late::add)
                .agents(bench.agents);
        bench.script(ScriptedTurn.reply("too late")).start();
        bench.say(ALICE, "one");
        bench.say(ALICE, "/stop");
        bench.pass(Duration.ofMinutes(5));
        late.forEach(Runnable::run);
        bench.settle();
        bench.say(ALICE, "two");
        assertThat(late).hasSize(1);
        assertThat(bench.seen(ALICE)).doesNotContain("too late").endsWith("two");
        assertThat(bench.transcript(ALICES)).doesNotContain("assistant: too late");
    }

    @Test
    void anAgentThatThrowsAfterItsRunBeganEndsThatTurnWithoutItsAnswer() {
        bench.factory =
                new HostilePlugIns(Mischief.first(1, "Agent.start", Misdeed.THROW_AFTERWARDS)).agents(bench.agents);
        bench.script(ScriptedTurn.reply("nobody asked")).start();
        bench.say(ALICE, "one");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly("Sorry, that did not work: The agent could not begin.", "two");
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "THROW_AFTERWARDS", "RETURN_NULL", "TWICE"})
    void aCommitThatMisbehavesAFewTimesLosesAndDoublesNothing(Misdeed misdeed) {
        bench.opened = timers -> new HostilePlugIns(Mischief.first(3, "Ledger.commit", misdeed)).storage(bench.storage);
        bench.start();
        for (int times = 0; bench.say(ALICE, "one", "1") instanceof Receipt.Unavailable; times++) {
            assertThat(times).as("handed in again").isLessThan(5);
            bench.pass(Duration.ofMinutes(1));
        }
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.transcript(ALICES)).containsExactly("user: one", "assistant: one");
    }

    @Test
    void aStoreThatThrowsErrorsAtEveryReadOfALaneIsToldAndKeepsNoOtherLaneWaiting() {
        HostilePlugIns hostile = new HostilePlugIns(Mischief.always("TurnQueue.lastOrdinal", Misdeed.THROW_ERROR));
        bench.opened = timers -> hostile.storage(bench.storage);
        bench.start();
        assertThat(bench.say(ALICE, "one")).isInstanceOf(Receipt.Unavailable.class);
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.trouble())
                .extracting(
                        trouble -> trouble.cause().map(Throwable::getMessage).orElse(""))
                .anyMatch(message -> message.contains("TurnQueue.lastOrdinal: java.lang.NoSuchMethodError at "));
        assertThat(bench.stop(StopMode.SHUTDOWN)).isDone();
    }

    @Test
    void whatAStoresFailureQuotesOfPeopleReachesNeitherThemNorTheLog() {
        Ledger quoting = batch -> {
            throw new IllegalStateException("near 'my secret'", new IllegalArgumentException("my secret"));
        };
        bench.opened = timers -> new ComposedStorage() {
            @Override
            public StorageParts parts() {
                return StorageParts.of(bench.storage).withLedger(quoting);
            }

            @Override
            public String location() {
                return "quoting";
            }

            @Override
            public void close() {}
        };
        bench.start();
        Receipt receipt = bench.say(ALICE, "my secret");
        assertThat(receipt.toString())
                .contains("The store quoting failed at Ledger.commit: java.lang.IllegalStateException at ")
                .doesNotContain("secret");
        for (GatewayEvent.Trouble trouble : bench.trouble()) {
            StringWriter written = new StringWriter();
            trouble.cause().orElseThrow().printStackTrace(new PrintWriter(written));
            assertThat(trouble.what() + written).doesNotContain("secret").contains("IllegalArgumentException");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "THROW_AFTERWARDS", "RETURN_NULL"})
    void timersThatRefuseAFewTimesKeepNothingFromBeingTriedAgain(Misdeed misdeed) {
        bench.timed = new HostilePlugIns(Mischief.first(8, "Timers.after", misdeed))::timers;
        bench.start();
        bench.telegram.behave(RecordingPlatform.Behaviour.FAIL);
        bench.say(ALICE, "one");
        bench.telegram.behave(RecordingPlatform.Behaviour.DELIVER);
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.seen(ALICE)).containsExactly("one");
    }

    @Test
    void aTimerThatGoesOffTwiceRepeatsACommitOnce() {
        bench.timed = new HostilePlugIns(Mischief.always("Runnable.run", Misdeed.TWICE))::timers;
        bench.start();
        bench.say(ALICE, "one");
        bench.storage.become(SwitchableStorage.State.SILENT);
        bench.running().receive(new Received(ALICE, "two", List.of(), Optional.of("2")), AnswerListener.NONE);
        bench.pass(Duration.ofSeconds(20));
        bench.storage.become(SwitchableStorage.State.AVAILABLE);
        bench.pass(Duration.ofMinutes(5));
        bench.say(ALICE, "two", "2");
        bench.say(ALICE, "three");
        assertThat(bench.seen(ALICE)).containsExactly("one", "two", "three");
    }

    @ParameterizedTest
    @EnumSource(
            value = Misdeed.class,
            names = {"THROW", "THROW_ERROR", "THROW_AFTERWARDS"})
    void markersThatFailKeepNoGatewayFromStopping(Misdeed misdeed) {
        bench.marked = new HostilePlugIns(Mischief.allBut(misdeed, "GatewayMarkers.isHeld"))::markers;
        bench.start();
        bench.say(ALICE, "one");
        assertThat(bench.stop(StopMode.SHUTDOWN)).isCompletedWithValueMatching(exit -> !exit.timedOut());
        assertThat(bench.trouble())
                .extracting(GatewayEvent.Trouble::what)
                .contains("The gateway's markers could not be written.");
    }

    @Test
    void anAuthorizationThatThrowsAnErrorRefuses() {
        bench.authorization = new HostilePlugIns(Mischief.first(1, "Authorization.mayTalk", Misdeed.THROW_ERROR))
                .authorization(bench.authorization);
        bench.start();
        assertThat(bench.say(ALICE, "one")).isInstanceOf(Receipt.Refused.class);
        assertThat(bench.say(ALICE, "two")).isInstanceOf(Receipt.Admitted.class);
    }

    /** Commits misbehave from the one that claims the first turn on, until the gateway repeats it no more. */
    private void startWithAStoreThatFailsAtTheClaim(Misdeed misdeed) {
        AtomicInteger commits = new AtomicInteger();
        bench.opened = timers -> new HostilePlugIns(call -> {
                    int commit = call.equals("Ledger.commit") ? commits.incrementAndGet() : 0;
                    return commit > 1 && commit <= 8 ? Optional.of(misdeed) : Optional.empty();
                })
                .storage(bench.storage);
        bench.start();
        bench.say(ALICE, "one");
        bench.pass(Duration.ofMinutes(5));
    }

    private List<Inbound.State> inputs() {
        List<Inbound.State> states = new ArrayList<>();
        bench.memory.queue().forEach(Instant.EPOCH, i -> states.add(i.state()), t -> {}, o -> {});
        return states;
    }

    @Test
    void aClaimThatWasStoredThoughTheStoreSaidOtherwiseEndsWithItsTurn() {
        startWithAStoreThatFailsAtTheClaim(Misdeed.THROW_AFTERWARDS);
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(inputs()).containsExactly(Inbound.State.DONE);
        assertThat(bench.transcript(ALICES)).first().isEqualTo("user: one");
        assertThat(bench.seen(ALICE))
                .containsExactly(
                        "Sorry, that did not work: Something went wrong inside the gateway. Please try again.");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
    }

    /** Commits misbehave from the {@code first} to the {@code last} one. */
    private void startWithAStoreThatFails(Misdeed misdeed, int first, int last) {
        AtomicInteger commits = new AtomicInteger();
        bench.opened = timers -> new HostilePlugIns(call -> {
                    int commit = call.equals("Ledger.commit") ? commits.incrementAndGet() : 0;
                    return commit >= first && commit <= last ? Optional.of(misdeed) : Optional.empty();
                })
                .storage(bench.storage);
        bench.start();
    }

    /** The first turn's commits are: admitted, claimed, ended, attempted, delivered. */
    static Stream<Arguments> faults() {
        return Stream.of(Misdeed.THROW, Misdeed.THROW_ERROR, Misdeed.THROW_AFTERWARDS, Misdeed.RETURN_NULL)
                .flatMap(misdeed -> IntStream.of(2, 3)
                        .boxed()
                        .flatMap(first -> IntStream.of(1, 7, 8, 14, 15, 28, 29, 40, 90)
                                .mapToObj(times -> Arguments.of(misdeed, first, times))));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aTurnThatTheStoreDoesNotLetEndEndsOnceTheStoreIsWholeAndNotOnlyWithTheNextStart(
            Misdeed misdeed, int first, int times) {
        startWithAStoreThatFails(misdeed, first, first + times - 1);
        bench.say(ALICE, "one");
        bench.pass(Duration.ofHours(3));
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.seen(ALICE)).hasSize(1);
        assertThat(inputs()).hasSize(1).doesNotContain(Inbound.State.ADMITTED, Inbound.State.CLAIMED);
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
        assertThat(bench.stop(StopMode.SHUTDOWN)).isDone();
        bench.crash();
        bench.start();
        assertThat(bench.seen(ALICE)).hasSize(2);
    }

    @Test
    void aTurnWhoseEndTheStoreRefusesIsEndedBeforeTheNextMessageRuns() {
        startWithAStoreThatFails(Misdeed.THROW, 3, 90);
        bench.say(ALICE, "one");
        for (int i = 0; i < 200; i++) {
            bench.say(ALICE, "again", "2");
            bench.pass(Duration.ofSeconds(5));
        }
        assertThat(bench.turns(ALICES)).containsExactly("one", "again");
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.seen(ALICE)).last().isEqualTo("again");
    }

    @Test
    void aClaimThatTheStoreNeverTakesLeavesTheQueueWithAnHonestAnswer() {
        startWithAStoreThatFailsAtTheClaim(Misdeed.THROW);
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(inputs()).containsExactly(Inbound.State.DROPPED);
        assertThat(bench.memory.lanes().find(ALICES)).isEmpty();
        assertThat(bench.seen(ALICE)).containsExactly("Something went wrong inside the gateway. Please try again.");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
    }
}
