package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.ability.Reacting.Mark;
import dev.parley.application.actor.SerialTasks;
import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.guard.GuardedEvents;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.AgentTurn;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Authorization;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.settings.Showing;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.StorageParts;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Address;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a plug-in hangs at, its lane goes on, its people are told in time, and the operator sees where. */
@Timeout(60)
class HangingPlugInsTest {
    private static final String LATE = "Sorry, that did not work: The agent did not begin within 30 seconds.";

    private final Bench bench = new Bench();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private int hangs = 1;
    private CompletableFuture<Void> held = CompletableFuture.completedFuture(null);

    @AfterEach
    void letGo() {
        released.countDown();
        held.join();
    }

    /** Holds the thread of the first that comes here until the test is over. */
    private void hang() {
        if (hangs-- > 0) {
            entered.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs what is due on another thread until that hangs. */
    private void runUntilItHangs() throws InterruptedException {
        held = CompletableFuture.runAsync(bench::settle);
        entered.await();
    }

    private void saySoThatItHangs(String text) throws InterruptedException {
        var unused =
                bench.running().receive(new Received(ALICE, text, List.of(), Optional.of(text)), AnswerListener.NONE);
        runUntilItHangs();
    }

    /** Scripted agents that hang where a test says. */
    private class Hanging implements AgentFactory {
        private final boolean making;
        private final boolean summarising;

        Hanging(boolean making, boolean summarising) {
            this.making = making;
            this.summarising = summarising;
        }

        @Override
        public String signature(AgentSpec spec) {
            return bench.agents.signature(spec);
        }

        @Override
        public Agent create(AgentSpec spec) {
            if (making) {
                hang();
            }
            Agent real = bench.agents.create(spec);
            return new Agent() {
                @Override
                public AgentRun start(AgentTurn turn, AgentEvents events) {
                    if (!summarising) {
                        hang();
                    }
                    return real.start(turn, events);
                }

                @Override
                public AgentRun summarise(List<Message> history, Optional<String> focus, SummaryListener done) {
                    hang();
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
            };
        }

        @Override
        public String model(AgentSpec spec) {
            return bench.agents.model(spec);
        }

        @Override
        public long contextLength(AgentSpec spec) {
            return bench.agents.contextLength(spec);
        }
    }

    /** How the runs of an agent behave. */
    private UnaryOperator<AgentRun> running = UnaryOperator.identity();

    /** Scripted agents whose runs behave as a test says. */
    private final class HangingRuns extends Hanging {
        HangingRuns() {
            super(false, false);
        }

        @Override
        public Agent create(AgentSpec spec) {
            Agent real = bench.agents.create(spec);
            return new Agent() {
                @Override
                public AgentRun start(AgentTurn turn, AgentEvents events) {
                    return running.apply(real.start(turn, events));
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
            };
        }
    }

    /** A run that passes on what it is asked. */
    private static class Asked implements AgentRun {
        private final AgentRun real;

        Asked(AgentRun real) {
            this.real = real;
        }

        @Override
        public void interrupt(String reason) {
            real.interrupt(reason);
        }

        @Override
        public boolean steer(String text) {
            return real.steer(text);
        }

        @Override
        public Instant lastActivity() {
            return real.lastActivity();
        }

        @Override
        public boolean approve(AgentQuestion.Approval decision) {
            return real.approve(decision);
        }

        @Override
        public boolean clarify(String answer) {
            return real.clarify(answer);
        }

        @Override
        public Optional<Engagement> engagement() {
            return real.engagement();
        }

        @Override
        public Optional<String> activity() {
            return real.activity();
        }
    }

    private void operatorSees(String cause) {
        assertThat(bench.trouble())
                .anyMatch(t -> t.cause()
                        .filter(c -> String.valueOf(c.getMessage()).contains(cause))
                        .isPresent());
    }

    @Test
    void anAnswerDoesNotWaitForAPlatformThatHangsAtShowingThatSomebodyWrites() throws InterruptedException {
        AblePlatform telegram = new AblePlatform(bench.telegram) {
            @Override
            public void typing(Address where, boolean on) {
                hang();
                super.typing(where, on);
            }
        };
        bench.dressed = unused -> telegram;
        bench.script(ScriptedTurn.reply("hello")).start();
        saySoThatItHangs("hi");
        bench.settle();
        assertThat(telegram.texts()).containsExactly("hello");
        assertThat(telegram.typing).isEmpty();

        released.countDown();
        held.join();
        bench.settle();
        assertThat(telegram.typing).containsExactly("1 on", "1 off");
    }

    @Test
    void anAnswerDoesNotWaitForAPlatformThatHangsAtMarkingAMessage() throws InterruptedException {
        AblePlatform telegram = new AblePlatform(bench.telegram) {
            @Override
            public void react(Address where, String messageId, Mark mark) {
                hang();
                super.react(where, messageId, mark);
            }
        };
        bench.dressed = unused -> telegram;
        Showing marksOnly = new Showing(false, Showing.Previews.NEVER, true);
        bench.with(s -> s.withShowing(Map.of(Platform.TELEGRAM, marksOnly)))
                .script(ScriptedTurn.reply("hello"))
                .start();
        saySoThatItHangs("hi");
        bench.settle();
        assertThat(telegram.texts()).containsExactly("hello");
        assertThat(telegram.marks).isEmpty();

        released.countDown();
        held.join();
        bench.settle();
        assertThat(telegram.marks).hasSize(2);
    }

    @Test
    void anAgentThatHangsAtItsStartEndsThatTurnInTimeAndHoldsNobody() throws Exception {
        bench.factory = new Hanging(false, false);
        bench.start();
        saySoThatItHangs("one");
        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
        bench.pass(Duration.ofSeconds(29));
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.seen(ALICE)).containsExactly(LATE);
        operatorSees("did not begin within 30 seconds");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly(LATE, "two");
    }

    @Test
    void anAgentThatBeginsTooLateIsAskedToEndAndItsAnswerGoesNowhere() throws Exception {
        bench.factory = new Hanging(false, false);
        bench.start();
        saySoThatItHangs("one");
        bench.pass(Duration.ofSeconds(30));
        released.countDown();
        held.join();
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.seen(ALICE)).containsExactly(LATE);
        assertThat(bench.running().lane(ALICES).orElseThrow().running()).isFalse();
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly(LATE, "two");
    }

    @Test
    void anAgentThatHangsWhileItIsMadeEndsThatTurnInTime() throws Exception {
        bench.factory = new Hanging(true, false);
        bench.start();
        saySoThatItHangs("one");
        bench.pass(Duration.ofSeconds(30));
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly(LATE, "two");
    }

    @Test
    void aHookThatHangsBeforeARunEndsThatTurnInTime() throws Exception {
        bench.hooked = real -> new LifecycleHooks() {
            @Override
            public List<Message> beforeRun(SessionKey lane, SessionId session, Message input) {
                hang();
                return List.of();
            }
        };
        bench.start();
        saySoThatItHangs("one");
        bench.pass(Duration.ofSeconds(30));
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly(LATE, "two");
    }

    /** Hooks that hang where a session begins, once, and are recorded like others. */
    private LifecycleHooks hangingWhereASessionBegins(LifecycleHooks real) {
        return new LifecycleHooks() {
            @Override
            public void sessionStarted(SessionKey lane, SessionId session) {
                hang();
                real.sessionStarted(lane, session);
            }

            @Override
            public void sessionReset(SessionKey lane, SessionId session) {
                real.sessionReset(lane, session);
            }
        };
    }

    @Test
    void aHookThatHangsKeepsNoOtherLanesHooksWaiting() throws Exception {
        bench.hooked = this::hangingWhereASessionBegins;
        bench.start();
        saySoThatItHangs("one");
        bench.say(BOB, "hello");
        assertThat(bench.hooks.calls()).singleElement().asString().startsWith("started");
    }

    @Test
    void aHookThatHangsIsToldOnceAndTheNextOfItsLaneFollows() throws Exception {
        bench.hooked = this::hangingWhereASessionBegins;
        bench.start();
        saySoThatItHangs("one");
        bench.say(ALICE, "/new");
        assertThat(bench.hooks.calls()).isEmpty();
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.hooks.calls()).first().asString().startsWith("reset");
        operatorSees("The call has not returned within 1 minute.");
        bench.pass(Duration.ofHours(1));
        assertThat(bench.trouble()).hasSize(1);
    }

    @Test
    void aHookThatHangsWhileASessionIsFinalisedHoldsNoLaneAndIsTriedAgain() throws Exception {
        bench.hooked = real -> new LifecycleHooks() {
            @Override
            public void sessionFinalized(SessionKey lane, SessionId session, Optional<SessionId> next, String reason) {
                hang();
                real.sessionFinalized(lane, session, next, reason);
            }
        };
        bench.start();
        bench.say(ALICE, "one");
        held = CompletableFuture.runAsync(() -> bench.pass(Duration.ofDays(2)));
        entered.await();
        bench.say(ALICE, "two");
        bench.say(BOB, "hello");
        assertThat(bench.seen(ALICE)).containsExactly("one", "two");
        assertThat(bench.seen(BOB)).containsExactly("hello");
        released.countDown();
        held.join();
        bench.pass(Duration.ofDays(2));
        assertThat(bench.entry(ALICES).expiryFinalized()).isTrue();
    }

    @Test
    void anAgentThatHangsWhileItIsLetGoOfIsTold() throws Exception {
        bench.factory = new Hanging(false, false) {
            @Override
            public Agent create(AgentSpec spec) {
                Agent real = bench.agents.create(spec);
                return new Agent() {
                    @Override
                    public AgentRun start(AgentTurn turn, AgentEvents events) {
                        return real.start(turn, events);
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
                        hang();
                    }
                };
            }
        };
        bench.start();
        bench.say(ALICE, "one");
        saySoThatItHangs("/new");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.trouble())
                .filteredOn(t -> t.lane().equals(Optional.of(ALICES)))
                .extracting(t -> t.what())
                .containsExactly("An agent could not be closed.");
        operatorSees("The call has not returned within 30 seconds.");
    }

    @Test
    void anAgentThatHangsWhereItIsAskedToEndIsToldAndHoldsNobody() throws Exception {
        running = real -> new Asked(real) {
            @Override
            public void interrupt(String reason) {
                hang();
            }
        };
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofHours(1)));
        bench.factory = new HangingRuns();
        bench.start();
        bench.say(ALICE, "one");
        saySoThatItHangs("/stop");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.trouble()).extracting(t -> t.what()).contains("The running agent could not be asked to end.");
    }

    private static final String COMMAND_LATE =
            "The command /slow took too long and was given up; nothing was changed. The operator has been told.";

    /** A command that hangs. */
    private ChatCommand slow() {
        return new ChatCommand() {
            @Override
            public String name() {
                return "slow";
            }

            @Override
            public String usage() {
                return "/slow";
            }

            @Override
            public String summary() {
                return "Hangs.";
            }

            @Override
            public When when() {
                return When.ALWAYS;
            }

            @Override
            public CommandOutcome run(CommandContext context) {
                hang();
                return CommandOutcome.reply("done");
            }
        };
    }

    @Test
    void aCommandThatHangsIsAnsweredInTimeAndItsLaneGoesOn() throws Exception {
        bench.commands.add(slow());
        bench.start();
        CompletableFuture<Receipt> receipt = bench.running()
                .receive(new Received(ALICE, "/slow", List.of(), Optional.of("c")), AnswerListener.NONE)
                .toCompletableFuture();
        runUntilItHangs();
        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
        bench.pass(Duration.ofSeconds(30));
        assertThat(receipt).isCompletedWithValueMatching(Receipt.Admitted.class::isInstance);
        bench.say(ALICE, "one");
        assertThat(bench.seen(ALICE)).containsExactly(COMMAND_LATE, "one");
        assertThat(bench.trouble()).extracting(t -> t.what()).containsExactly("The command /slow does not decide.");
        released.countDown();
        held.join();
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.say(ALICE, "/slow", "c")).isInstanceOf(Receipt.Duplicate.class);
        assertThat(bench.seen(ALICE)).containsExactly(COMMAND_LATE, "one");
    }

    @Test
    void aMessageThatComesWhileACommandHangsIsAnsweredBehindIt() throws Exception {
        bench.commands.add(slow());
        bench.start();
        saySoThatItHangs("/slow");
        CompletableFuture<Receipt> receipt = bench.running()
                .receive(new Received(ALICE, "one", List.of(), Optional.of("1")), AnswerListener.NONE)
                .toCompletableFuture();
        bench.settle();
        assertThat(receipt).isNotDone();
        bench.pass(Duration.ofSeconds(30));
        assertThat(receipt).isDone();
        assertThat(bench.seen(ALICE)).containsExactly(COMMAND_LATE, "one");
    }

    @Test
    void anAuthorizationThatHangsWhereItIsAskedForAnAdminHoldsTheLaneForItsTimeOnly() throws Exception {
        bench.authorization = hangingAboutAdmins();
        bench.start();
        saySoThatItHangs("/status");
        bench.pass(Duration.ofSeconds(30));
        bench.say(ALICE, "one");
        assertThat(bench.seen(ALICE)).hasSize(2).last().isEqualTo("one");
        operatorSees("The call has not returned within 20 seconds.");
    }

    /** Lets everybody talk, and hangs where it is first asked for an admin. */
    private Authorization hangingAboutAdmins() {
        return new Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                return true;
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                hang();
                return false;
            }
        };
    }

    /** Lets everybody talk, and hangs about those whose message comes first. */
    private Authorization hangingOnce() {
        return new Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                hang();
                return true;
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                return false;
            }
        };
    }

    private CompletableFuture<Receipt> handIn(SessionSource source, String text) {
        return bench.running()
                .receive(new Received(source, text, List.of(), Optional.of(text)), AnswerListener.NONE)
                .toCompletableFuture();
    }

    @Test
    void anAuthorizationThatHangsHoldsNoPlatformAndNobodyElseAndLetsNobodyIn() throws Exception {
        bench.authorization = hangingOnce();
        bench.start();
        CompletableFuture<Receipt> first = handIn(ALICE, "one");
        runUntilItHangs();
        CompletableFuture<Receipt> second = handIn(ALICE, "two");
        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();

        bench.pass(Duration.ofSeconds(30));
        assertThat(first.join())
                .isInstanceOfSatisfying(
                        Receipt.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Receipt.Reason.NOT_ALLOWED));
        assertThat(second.join()).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.seen(ALICE)).containsExactly("two");
        operatorSees("The call has not returned within 20 seconds.");
    }

    @Test
    void whatComesOfAnAuthorizationAfterItsTimeLetsNobodyIn() throws Exception {
        bench.authorization = hangingOnce();
        bench.start();
        CompletableFuture<Receipt> late = handIn(ALICE, "one");
        runUntilItHangs();
        bench.pass(Duration.ofSeconds(30));
        released.countDown();
        held.join();
        bench.pass(Duration.ofMinutes(1));
        assertThat(late.join()).isInstanceOf(Receipt.Refused.class);
        assertThat(bench.seen(ALICE)).isEmpty();
    }

    @Test
    void aMessageThatCannotBeHandedOnBehindItsAuthorizationIsAnsweredAtOnce() {
        AtomicBoolean fails = new AtomicBoolean();
        bench.authorization = new Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                fails.set(source.equals(ALICE));
                return true;
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                return false;
            }
        };
        bench.executed = executor -> task -> {
            if (fails.getAndSet(false)) {
                throw new OutOfMemoryError("There are no more threads.");
            }
            executor.execute(task);
        };
        bench.start();
        CompletableFuture<Receipt> receipt = handIn(ALICE, "one");
        bench.settle();

        assertThat(receipt).isCompletedWithValueMatching(Receipt.Unavailable.class::isInstance);
        operatorSees("There are no more threads.");
        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
    }

    @Test
    void aStopDoesNotWaitForAnAuthorizationThatHangs() throws Exception {
        bench.authorization = hangingOnce();
        bench.start();
        CompletableFuture<Receipt> waiting = handIn(ALICE, "one");
        runUntilItHangs();
        CompletableFuture<ExitStatus> stopped =
                bench.running().stop(StopMode.SHUTDOWN).toCompletableFuture();
        bench.pass(Duration.ofMinutes(1));
        assertThat(stopped).isDone();
        assertThat(waiting.join()).isNotInstanceOf(Receipt.Admitted.class);
    }

    @Test
    void anAuthorizationThatHangsAtALaneToBeResumedDoesNotHoldTheStart() throws Exception {
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofMinutes(10))).start();
        bench.say(ALICE, "task");
        bench.crash();
        bench.authorization = hangingOnce();
        held = CompletableFuture.runAsync(bench::start);
        entered.await();

        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.turns(ALICES)).containsExactly("task");
    }

    @Test
    void oneOfSeveralHooksThatHangsKeepsNothingFromTheOthers() throws Exception {
        bench.hooked = recording -> LifecycleHooks.all(List.of(
                new LifecycleHooks() {
                    @Override
                    public void sessionStarted(SessionKey lane, SessionId session) {
                        hang();
                    }
                },
                recording));
        bench.start();
        saySoThatItHangs("one");
        bench.settle();
        assertThat(bench.hooks.calls()).anyMatch(call -> call.contains("started"));
    }

    @Test
    void aTextThatIsQueuedByACommandIsKeptWhileNobodySaysWhetherItsWriterIsAnAdmin() throws Exception {
        bench.authorization = hangingAboutAdmins();
        bench.start();
        saySoThatItHangs("/queue remember this");
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.turns(ALICES)).containsExactly("remember this");
        operatorSees("The call has not returned within 20 seconds.");
    }

    @Test
    void aCommandThatACrashCutOffAndThatHangsThenIsAnsweredInTimeAndItsLaneGoesOn() throws Exception {
        bench.commands.add(new Digest(
                (context, summary) -> CommandOutcome.reply("done"), (context, why) -> CommandOutcome.reply(why)));
        bench.start();
        bench.say(ALICE, "one");
        bench.agents.holdSummaries(true);
        bench.say(ALICE, "/digest");
        bench.crash();
        hangsWhenItRuns = true;
        held = CompletableFuture.runAsync(bench::start);
        entered.await();
        bench.pass(Duration.ofSeconds(30));
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE))
                .contains("The command /digest took too long and was given up; nothing was changed."
                        + " The operator has been told.")
                .last()
                .isEqualTo("two");
    }

    @Test
    void aCommandThatHangsOnceItsSummaryIsThereIsAnsweredInTimeAndItsLaneGoesOn() throws Exception {
        bench.commands.add(new Digest(
                (context, summary) -> {
                    hang();
                    return CommandOutcome.reply("done");
                },
                (context, why) -> CommandOutcome.reply(why)));
        bench.start();
        bench.say(ALICE, "one");
        saySoThatItHangs("/digest");
        bench.pass(Duration.ofSeconds(30));
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE))
                .containsExactly(
                        "one",
                        "The command /digest took too long and was given up; nothing was changed."
                                + " The operator has been told.",
                        "two");
    }

    private boolean hangsWhenItRuns;

    /** A command that goes on with a summary of the conversation. */
    private final class Digest implements ChatCommand {
        private final BiFunction<CommandContext, String, CommandOutcome> then;
        private final BiFunction<CommandContext, String, CommandOutcome> otherwise;

        Digest(
                BiFunction<CommandContext, String, CommandOutcome> then,
                BiFunction<CommandContext, String, CommandOutcome> otherwise) {
            this.then = then;
            this.otherwise = otherwise;
        }

        @Override
        public String name() {
            return "digest";
        }

        @Override
        public String usage() {
            return "/digest";
        }

        @Override
        public String summary() {
            return "Says what this was about.";
        }

        @Override
        public When when() {
            return When.IDLE;
        }

        @Override
        public CommandOutcome run(CommandContext context) {
            if (hangsWhenItRuns) {
                hang();
            }
            return CommandOutcome.reply("")
                    .summarising(new CommandOutcome.Summarise(
                            List.of(Message.builder(new MessageId("m"), Role.USER, Content.text("one"), Bench.BEGIN)
                                    .build()),
                            Optional.empty(),
                            then,
                            otherwise));
        }
    }

    private void startALongTurn(UnaryOperator<AgentRun> behaviour, ScriptedTurn turn) {
        running = behaviour;
        bench.script(turn.taking(Duration.ofMinutes(10)));
        bench.factory = new HangingRuns();
        bench.start();
        bench.say(ALICE, "one");
    }

    @Test
    void aRunThatHangsWhereItIsSteeredIsNotTakenToHaveHeardAndTheMessageIsAnsweredNext() throws Exception {
        startALongTurn(
                real -> new Asked(real) {
                    @Override
                    public boolean steer(String text) {
                        hang();
                        return true;
                    }
                },
                ScriptedTurn.reply("first"));
        saySoThatItHangs("/steer two");
        bench.pass(Duration.ofMinutes(11));
        assertThat(bench.seen(ALICE)).contains("first").last().isEqualTo("two");
        assertThat(bench.trouble())
                .extracting(t -> t.what())
                .containsExactly("The running agent did not take what it was told.");
    }

    @Test
    void aRunThatHangsWhereItIsLookedAtKeepsNoMessageFromBeingTaken() throws Exception {
        startALongTurn(
                real -> new Asked(real) {
                    @Override
                    public Instant lastActivity() {
                        hang();
                        return super.lastActivity();
                    }
                },
                ScriptedTurn.reply("first"));
        CompletableFuture<Receipt> receipt = bench.running()
                .receive(new Received(ALICE, "two", List.of(), Optional.of("2")), AnswerListener.NONE)
                .toCompletableFuture();
        runUntilItHangs();
        bench.pass(Duration.ofSeconds(30));
        assertThat(receipt).isCompletedWithValueMatching(Receipt.Admitted.class::isInstance);
        bench.pass(Duration.ofMinutes(10));
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
    }

    @Test
    void aRunThatHangsWhereItIsAnsweredIsTold() throws Exception {
        startALongTurn(
                real -> new Asked(real) {
                    @Override
                    public boolean approve(AgentQuestion.Approval decision) {
                        hang();
                        return true;
                    }
                },
                ScriptedTurn.reply("first").asking(AgentQuestion.Kind.APPROVAL, "May I?"));
        bench.pass(Duration.ofMinutes(10));
        saySoThatItHangs("yes");
        bench.pass(Duration.ofSeconds(30));
        bench.say(ALICE, "/status");
        assertThat(bench.seen(ALICE)).last().asString().contains("running");
        assertThat(bench.trouble())
                .extracting(t -> t.what())
                .containsExactly("The running agent did not take what it was told.");
    }

    @Test
    void anOperatorsOrderIsMetThoughTheAgentHangsWhereItIsAskedWhatItDoes() throws Exception {
        startALongTurn(
                real -> new Asked(real) {
                    @Override
                    public Optional<String> activity() {
                        hang();
                        return Optional.empty();
                    }
                },
                ScriptedTurn.reply("first"));
        CompletableFuture<Boolean> reset =
                CompletableFuture.supplyAsync(() -> bench.running().suspendLane(ALICES));
        while (entered.getCount() > 0) {
            if (held.isDone()) {
                held = CompletableFuture.runAsync(bench::settle);
            }
            Thread.onSpinWait();
        }
        bench.pass(Duration.ofSeconds(20));
        assertThat(bench.entry(ALICES).isSuspended()).isTrue();
        assertThat(reset.join()).isTrue();
    }

    @Test
    void whatWasHandedInBeforeAStopIsAnsweredAsWhatBecameOfIt() throws Exception {
        bench.commands.add(slow());
        bench.start();
        CompletableFuture<Receipt> receipt = bench.running()
                .receive(new Received(ALICE, "/slow", List.of(), Optional.of("c")), AnswerListener.NONE)
                .toCompletableFuture();
        runUntilItHangs();
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);
        assertThat(exit).isNotDone();
        released.countDown();
        held.join();
        bench.settle();

        assertThat(receipt).isCompletedWithValueMatching(Receipt.Admitted.class::isInstance);
        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
    }

    @Test
    void aStopWaitsForACommandThatHangsForAShortTimeOnly() throws Exception {
        bench.commands.add(slow());
        bench.start();
        CompletableFuture<Receipt> receipt = bench.running()
                .receive(new Received(ALICE, "/slow", List.of(), Optional.of("c")), AnswerListener.NONE)
                .toCompletableFuture();
        runUntilItHangs();
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);
        bench.pass(Duration.ofSeconds(5));
        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
        assertThat(receipt).isCompletedWithValueMatching(Receipt.Unavailable.class::isInstance);
    }

    @Test
    void aStopEndsThoughARunHangsWhereItIsSteeredAndTheTurnIsResumedAfterwards() throws Exception {
        startALongTurn(
                real -> new Asked(real) {
                    @Override
                    public boolean steer(String text) {
                        hang();
                        return true;
                    }
                },
                ScriptedTurn.reply("never"));
        saySoThatItHangs("/steer two");
        CompletableFuture<ExitStatus> exit =
                bench.running().stop(StopMode.RESTART).toCompletableFuture();
        bench.pass(Duration.ofMinutes(5));
        assertThat(exit).isDone();
        released.countDown();
        held.join();
        bench.crash();
        bench.factory = null;
        bench.start();
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.turns(ALICES)).hasSizeGreaterThan(1);
    }

    /** The same store, which hangs at one commit. */
    private void hangAtTheNextCommit(AtomicBoolean armed) {
        Ledger hanging = batch -> {
            if (armed.getAndSet(false)) {
                hang();
            }
            return bench.storage.ledger().commit(batch);
        };
        bench.opened = timers -> new ComposedStorage() {
            @Override
            public StorageParts parts() {
                return StorageParts.of(bench.storage).withLedger(hanging);
            }

            @Override
            public String location() {
                return "hanging";
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void aStoreThatHangsAtAMessageHoldsItsSenderForAMinuteAndNobodyElse() throws Exception {
        AtomicBoolean armed = new AtomicBoolean();
        hangAtTheNextCommit(armed);
        bench.start();
        armed.set(true);
        CompletableFuture<Receipt> receipt = bench.running()
                .receive(new Received(ALICE, "one", List.of(), Optional.of("1")), AnswerListener.NONE)
                .toCompletableFuture();
        runUntilItHangs();
        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
        bench.pass(Duration.ofMinutes(1));
        assertThat(receipt).isCompletedWithValueMatching(Receipt.Unavailable.class::isInstance);
        operatorSees("Nothing became of the message within 1 minute.");
        released.countDown();
        held.join();
        bench.settle();
        bench.say(ALICE, "one", "1");
        assertThat(bench.seen(ALICE)).containsExactly("one");
    }

    @Test
    void aLookUpOfBackgroundProcessesThatHangsHoldsTheLaneForItsTimeAndCountsAsAProcess() throws Exception {
        bench.start();
        bench.say(ALICE, "one");
        SessionId session = bench.entry(ALICES).sessionId();
        bench.halt(StopMode.RESTART);
        bench.crash();
        bench.watched = real -> lane -> {
            hang();
            return List.of();
        };
        bench.clock.move(Duration.ofDays(3));
        bench.start();
        CompletableFuture<Receipt> receipt = bench.running()
                .receive(new Received(ALICE, "two", List.of(), Optional.of("2")), AnswerListener.NONE)
                .toCompletableFuture();
        runUntilItHangs();
        assertThat(receipt).isCompletedWithValueMatching(Receipt.Admitted.class::isInstance);
        bench.say(BOB, "hello");
        bench.pass(Duration.ofSeconds(20));
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
        assertThat(bench.entry(ALICES).sessionId()).isEqualTo(session);
        operatorSees("The call has not returned within 20 seconds.");
    }

    @Test
    void aLookForExpiredSessionsThatHangsIsToldAndTheNextFollows() throws Exception {
        bench.watched = real -> lane -> {
            if (!bench.running().running().contains(lane)) {
                hang();
            }
            return List.of();
        };
        bench.start();
        bench.say(ALICE, "one");
        held = CompletableFuture.runAsync(() -> bench.pass(Duration.ofDays(2)));
        entered.await();
        bench.pass(Duration.ofDays(2));
        assertThat(bench.entry(ALICES).expiryFinalized()).isTrue();
        assertThat(bench.trouble())
                .extracting(t -> t.what())
                .containsExactly("A look for expired sessions has not ended; the next one follows.");
    }

    @Test
    void aListenerThatHangsHoldsNobodyAndTheOthersAreTold() throws Exception {
        List<GatewayEvent> heard = new CopyOnWriteArrayList<>();
        GatewayEvents slow = event -> {
            hang();
            heard.add(event);
        };
        bench.heard = recording -> GatewayEvents.all(List.of(slow, recording));
        held = CompletableFuture.runAsync(bench::start);
        entered.await();
        bench.settle();
        bench.say(ALICE, "one");
        bench.pass(Duration.ofSeconds(31));
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).containsExactly("one", "two");
        assertThat(bench.trouble())
                .singleElement()
                .satisfies(trouble -> assertThat(trouble.what()).contains("has not returned for 30 seconds"));
        released.countDown();
        held.join();
        bench.settle();
        assertThat(heard)
                .isEqualTo(bench.events.all().stream()
                        .filter(event -> !(event instanceof GatewayEvent.Trouble))
                        .toList());
    }

    @Test
    void aStopWaitsForAListenerThatHasNotBeenToldEverythingAndForOneThatHangsTenSeconds() throws Exception {
        GatewayEvents slow = event -> hang();
        bench.heard = recording -> GatewayEvents.all(List.of(slow, recording));
        held = CompletableFuture.runAsync(bench::start);
        entered.await();
        bench.settle();
        CompletableFuture<ExitStatus> exit =
                bench.running().stop(StopMode.SHUTDOWN).toCompletableFuture();
        bench.pass(Duration.ofSeconds(9));
        assertThat(exit).isNotDone();
        bench.pass(Duration.ofSeconds(1));
        assertThat(exit).isDone();
    }

    @Test
    void aListenerThatHangsForLongIsToldHowManyEventsItMissed() throws Exception {
        List<GatewayEvent> heard = new ArrayList<>();
        GatewayEvents slow = event -> {
            hang();
            heard.add(event);
        };
        GuardedEvents guarded =
                new GuardedEvents(slow, new SerialTasks(ForkJoinPool.commonPool(), e -> {}), bench.clock);
        GatewayEvent event = new GatewayEvent.Queued(ALICES, 1);
        for (int i = 0; i < 10_050; i++) {
            guarded.on(event);
        }
        entered.await();
        released.countDown();
        guarded.told().get();
        assertThat(heard).hasSize(10_001);
        assertThat(heard)
                .filteredOn(GatewayEvent.Trouble.class::isInstance)
                .singleElement()
                .asString()
                .contains("it was not told 50 events");
    }

    @Test
    void aTurnWhoseAgentHasNotBegunCanBeStopped() throws Exception {
        bench.factory = new Hanging(false, false);
        bench.start();
        saySoThatItHangs("one");
        bench.say(ALICE, "/stop");
        bench.say(ALICE, "two");
        assertThat(bench.seen(ALICE)).first().asString().startsWith("Stopped.");
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
    }

    @Test
    void aPlatformThatHangsAtItsStopKeepsNoGatewayFromEnding() throws Exception {
        bench.dressed = real -> new FailingPlatform(real, 0, new IllegalStateException()) {
            @Override
            public void stop() {
                hang();
                super.stop();
            }
        };
        bench.start();
        bench.say(ALICE, "one");
        CompletableFuture<ExitStatus> exit =
                bench.running().stop(StopMode.SHUTDOWN).toCompletableFuture();
        runUntilItHangs();
        bench.pass(Duration.ofSeconds(9));
        assertThat(exit).isNotDone();
        assertThat(bench.slack.isStarted()).isFalse();
        bench.pass(Duration.ofSeconds(1));
        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
        operatorSees("The platform telegram did not stop within 10 seconds.");
    }

    private void startWithATelegramThatHangsAtItsStart() throws InterruptedException {
        bench.dressed = real -> new FailingPlatform(real, 0, new IllegalStateException()) {
            @Override
            public void start(InboundListener listener) {
                hang();
                super.start(listener);
            }
        };
        held = CompletableFuture.runAsync(bench::start);
        entered.await();
    }

    private PlatformState telegram() {
        return bench.running().platforms().get(0);
    }

    @Test
    void aPlatformThatHangsAtItsStartHoldsTheGatewaysStartForThirtySecondsOnly() throws Exception {
        startWithATelegramThatHangsAtItsStart();
        bench.pass(Duration.ofSeconds(29));
        assertThat(bench.running().health().rows()).containsEntry("status", "starting");
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.running().health().rows())
                .containsEntry("status", "ok")
                .containsEntry("connected", "slack");
        assertThat(telegram().standing()).isEqualTo(PlatformState.Standing.CONNECTING);
        assertThat(telegram().error())
                .contains("Its start has not returned for 30 seconds; the others go on without it.");
        assertThat(telegram().advice()).isPresent();
        operatorSees("The platform telegram has not started within 30 seconds; the gateway goes on without it.");
        bench.pass(Duration.ofHours(1));
        assertThat(bench.trouble()).hasSize(1);
        SessionSource eve =
                SessionSource.builder(Platform.SLACK, "7").userId("7").build();
        bench.say(eve, "hello");
        assertThat(bench.seen(eve)).containsExactly("hello");
    }

    @Test
    void aPlatformWhoseStartReturnsLateIsUpFromThenOn() throws Exception {
        startWithATelegramThatHangsAtItsStart();
        bench.pass(Duration.ofMinutes(1));
        released.countDown();
        held.join();
        bench.settle();
        assertThat(telegram().standing()).isEqualTo(PlatformState.Standing.CONNECTED);
        assertThat(telegram().advice()).isEmpty();
        bench.say(ALICE, "hi");
        assertThat(bench.seen(ALICE)).containsExactly("hi");
        bench.halt(StopMode.SHUTDOWN);
        assertThat(bench.telegram.isStarted()).isFalse();
    }

    @Test
    void aGatewayThatIsStoppedWhileAPlatformHangsAtItsStartEndsAndStopsThePlatformOnceItIsUp() throws Exception {
        startWithATelegramThatHangsAtItsStart();
        CompletableFuture<ExitStatus> exit =
                bench.running().stop(StopMode.SHUTDOWN).toCompletableFuture();
        bench.pass(Duration.ofSeconds(10));
        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
        assertThat(bench.slack.isStarted()).isFalse();
        assertThatThrownBy(() -> bench.running().start().toCompletableFuture().join())
                .hasMessageContaining("The gateway was stopped before it had started.");
        released.countDown();
        held.join();
        bench.settle();
        assertThat(bench.telegram.isStarted()).isFalse();
    }

    @Test
    void aStartThatAWronglyConfiguredPlatformEndsDoesNotWaitForAnotherThatHangs() throws Exception {
        bench.slackDressed = real -> new FailingPlatform(real, 1, new InvalidRequest("slack.token is missing"));
        startWithATelegramThatHangsAtItsStart();
        bench.pass(Duration.ofSeconds(30));
        assertThatThrownBy(() -> bench.running().start().toCompletableFuture().join())
                .hasMessageContaining("slack.token is missing");
        released.countDown();
        held.join();
        bench.settle();
        assertThat(bench.telegram.isStarted()).isFalse();
    }

    @Test
    void aSummaryThatHangsAtItsBeginningIsGivenUpInTime() throws Exception {
        bench.factory = new Hanging(false, true);
        bench.start();
        for (int i = 0; i < 4; i++) {
            bench.say(ALICE, "m" + i);
        }
        saySoThatItHangs("/compress");
        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.seen(ALICE)).last().asString().contains("The agent did not begin within 30 seconds.");
        bench.say(ALICE, "after");
        assertThat(bench.seen(ALICE)).last().isEqualTo("after");
    }
}
