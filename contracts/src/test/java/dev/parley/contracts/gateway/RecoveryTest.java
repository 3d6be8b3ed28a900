package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.Outcome;
import dev.parley.application.replay.ScriptedTurn.ToolUse;
import dev.parley.domain.context.HomeChannel;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Crashes, drains and what is done about them (P7). */
class RecoveryTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Bench bench = new Bench();

    private static ScriptedTurn slow(String reply) {
        return ScriptedTurn.reply(reply).taking(LONG);
    }

    private Optional<Standing.ResumePending> mark() {
        return bench.entry(Bench.ALICES).toBeResumed();
    }

    @Test
    @DisplayName("P7.22, P7.26: a turn cut off by a crash is resumed in its session, once")
    void aCrashedTurnIsResumed() {
        bench.script(slow("never"), ScriptedTurn.reply("welcome back")).start();
        bench.say(ALICE, "task");
        SessionId session = bench.entry(ALICES).sessionId();
        bench.pass(Duration.ofMinutes(1)).crash().start();

        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        assertThat(bench.notes(ALICES)).containsExactly("resume");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "resume S1");
        assertThat(bench.entry(ALICES).sessionId()).isEqualTo(session);
        assertThat(bench.seen(ALICE)).containsExactly("welcome back");
        assertThat(bench.transitions(ALICES))
                .containsExactly("created first_message", "marked restart_interrupted", "cleared restart_interrupted");
        assertThat(mark()).isEmpty();
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    @DisplayName(
            "P7.8, P7.21: a turn cut off longer ago than the window is marked, not resumed, and its next message gets no note")
    void workCutOffLongAgoIsNotResumedByItself() {
        bench.script(slow("never"), ScriptedTurn.reply("hello again")).start();
        bench.say(ALICE, "task");
        bench.crash().pass(Duration.ofHours(1).plusSeconds(1)).start();

        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(mark().flatMap(Standing.ResumePending::markedAt)).contains(Bench.BEGIN);
        bench.say(ALICE, "are you there?");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "resume S1");
        assertThat(bench.notes(ALICES)).isEmpty();
        assertThat(mark()).isEmpty();
    }

    @Test
    @DisplayName("P7.8: work counts as alive for as long as it stored something, however long ago it began")
    void workIsAliveWhileItStores() {
        ScriptedTurn working = slow("never")
                .taking(Duration.ofHours(3))
                .using(new ToolUse("search", "{}", "found"), new ToolUse("read", "{}", "text"));
        bench.with(s -> s.turns(t -> t.withTimeout(Duration.ZERO)))
                .script(working, ScriptedTurn.reply("back"))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofMinutes(130)).crash().pass(Duration.ofMinutes(50)).start();

        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        assertThat(bench.notes(ALICES)).containsExactly("resume");
    }

    @Test
    @DisplayName(
            "P7.10, P7.25: where markers cannot be written the gateway says so and goes on, starts and stops all the same")
    void markersThatCannotBeWrittenStopNothing() {
        bench.script(slow("never"), ScriptedTurn.reply("welcome back")).start();
        bench.say(ALICE, "task");
        bench.markers.full(true);
        bench.crash().start();

        assertThat(bench.seen(ALICE)).containsExactly("welcome back");
        assertThat(bench.trouble())
                .isNotEmpty()
                .allSatisfy(t -> assertThat(t.toString()).contains("markers could not be written"));
        assertThat(bench.markers.restartCounts()).isEmpty();
        assertThat(bench.stop(StopMode.SHUTDOWN))
                .isCompletedWithValueMatching(exit -> exit.mode() == StopMode.SHUTDOWN);
    }

    @Test
    @DisplayName("P7.7: a lane whose last turn had finished is left alone after a crash")
    void aFinishedLaneIsLeftAlone() {
        bench.start();
        bench.say(ALICE, "hello");
        bench.crash().start();

        assertThat(bench.turns(ALICES)).containsExactly("hello");
        assertThat(mark()).isEmpty();
    }

    @Test
    @DisplayName("14.17, P7.23: resume comes before what waits, and runs exactly once")
    void resumeComesBeforeWhatWaits() {
        bench.script(slow("never").ignoringInterrupts(), slow("back")).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue later");
        bench.crash().start();
        bench.say(ALICE, "inbound");
        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        bench.pass(LONG);
        assertThat(bench.turns(ALICES)).containsExactly("task", "", "inbound", "later");
        assertThat(bench.turns(ALICES).stream().filter(String::isEmpty)).hasSize(1);
    }

    @Test
    @DisplayName("P7.29: a long resumed turn blocks no other chat")
    void aLongResumedTurnBlocksNobody() {
        bench.script(slow("never").on(ALICES), slow("back").on(ALICES)).start();
        bench.say(ALICE, "task");
        bench.crash().start();
        bench.say(BOB, "hi");

        assertThat(bench.seen(BOB)).hasSize(1);
    }

    @Test
    @DisplayName("Accepted means kept: what waited in the queue runs after a crash")
    void theQueueSurvivesACrash() {
        bench.script(slow("x").ignoringInterrupts(), ScriptedTurn.reply("resumed"))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue one");
        bench.say(ALICE, "/queue two");
        bench.crash().start();

        assertThat(bench.turns(ALICES)).containsExactly("task", "", "one", "two");
    }

    @Test
    @DisplayName("14.2, P7.33, C10: the mark survives a failing and an empty turn and is cleared by a real answer")
    void theMarkIsClearedOnlyByARealAnswer() {
        bench.script(
                        slow("never"),
                        ScriptedTurn.ending(Outcome.FAIL),
                        ScriptedTurn.ending(Outcome.EMPTY),
                        ScriptedTurn.reply("real"))
                .start();
        bench.say(ALICE, "task");
        bench.crash().start();
        assertThat(mark()).isPresent();
        bench.say(ALICE, "second");
        assertThat(mark()).isPresent();
        assertThat(bench.notes(ALICES)).containsExactly("resume");
        bench.say(ALICE, "third");
        assertThat(mark()).isEmpty();
        bench.say(ALICE, "fourth");
        assertThat(bench.notes(ALICES)).isEmpty();
    }

    @Test
    @DisplayName("14.5, P7.12, P7.14, D1: the third crash in a turn suspends the lane; the next message begins anew")
    void threeCrashesSuspend() {
        bench.with(s -> s.recovery(r -> r.withBootLoopMax(0)))
                .script(slow("1"), slow("2"), slow("3"), ScriptedTurn.reply("fresh"))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofMinutes(1)).crash().start();
        assertThat(bench.markers.restartCounts()).containsEntry(ALICES, 1);
        bench.pass(Duration.ofMinutes(1)).crash().start();
        assertThat(bench.markers.restartCounts()).containsEntry(ALICES, 2);
        bench.pass(Duration.ofMinutes(1)).crash().start();

        assertThat(bench.entry(ALICES).isSuspended()).isTrue();
        assertThat(bench.markers.restartCounts()).isEmpty();
        assertThat(bench.transitions(ALICES)).endsWith("suspended stuck_loop");
        bench.say(ALICE, "hello?");
        assertThat(bench.decisions(ALICES)).endsWith("reset S2");
        assertThat(bench.notes(ALICES)).containsExactly("auto-reset");
    }

    @Test
    @DisplayName("14.5: three graceful restarts that each cut off the turn suspend the lane too")
    void threeTimedOutRestartsSuspend() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO)).recovery(r -> r.withBootLoopMax(0)))
                .script(slow("1"), slow("2"), slow("3"))
                .start();
        bench.say(ALICE, "task");
        for (int i = 1; i <= 3; i++) {
            assertThat(bench.stop(StopMode.RESTART).join()).isEqualTo(new ExitStatus(StopMode.RESTART, true));
            assertThat(bench.markers.restartCounts()).containsEntry(ALICES, i);
            bench.start();
        }
        assertThat(bench.entry(ALICES).isSuspended()).isTrue();
    }

    @Test
    @DisplayName("14.6, P7.13: a success between restarts clears the count")
    void aSuccessClearsTheCount() {
        bench.with(s -> s.recovery(r -> r.withBootLoopMax(0)))
                .script(slow("1"), slow("2"))
                .start();
        bench.say(ALICE, "task");
        bench.crash().start();
        assertThat(bench.markers.restartCounts()).containsEntry(ALICES, 1);
        bench.pass(LONG);
        assertThat(bench.seen(ALICE)).containsExactly("2");
        assertThat(bench.markers.restartCounts()).isEmpty();
    }

    @Test
    @DisplayName("D1: counts of lanes below the threshold stay when another is suspended")
    void otherCountsStay() {
        bench.start();
        bench.say(ALICE, "a");
        bench.say(BOB, "b");
        bench.crash();
        bench.markers.putRestartCounts(Map.of(ALICES, 3, BOBS, 2));
        bench.start();

        assertThat(bench.entry(ALICES).isSuspended()).isTrue();
        assertThat(bench.entry(BOBS).isSuspended()).isFalse();
        assertThat(bench.markers.restartCounts()).isEqualTo(Map.of(BOBS, 2));
    }

    @Test
    @DisplayName("P7.3: the stuck-loop pass runs after a clean exit too")
    void thePassRunsAfterACleanExit() {
        bench.start();
        bench.say(ALICE, "a");
        bench.halt(StopMode.SHUTDOWN);
        bench.markers.putRestartCounts(Map.of(ALICES, 5));
        bench.start();

        assertThat(bench.entry(ALICES).isSuspended()).isTrue();
    }

    @Test
    @DisplayName("P7.16, P7.21, D12: a stale mark is not resumed, but the next message still finds its session")
    void aStaleMarkIsNotResumed() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO)))
                .script(slow("1"))
                .start();
        bench.say(ALICE, "task");
        bench.halt(StopMode.RESTART);
        bench.clock.move(Duration.ofMinutes(61));
        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(mark()).isPresent();
        bench.say(ALICE, "hello");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "resume S1");
        assertThat(bench.notes(ALICES)).isEmpty();
    }

    @Test
    @DisplayName("D12: without a window any mark is fresh")
    void withoutAWindowEverythingIsFresh() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO)).recovery(r -> r.withFreshness(Duration.ZERO)))
                .script(slow("1"))
                .start();
        bench.say(ALICE, "task");
        bench.halt(StopMode.RESTART);
        bench.clock.move(Duration.ofDays(3));
        bench.start();

        assertThat(bench.turns(ALICES)).containsExactly("task", "");
    }

    @Test
    @DisplayName("P7.17: exactly as old as the window is fresh")
    void exactlyTheWindowIsFresh() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO)))
                .script(slow("1"))
                .start();
        bench.say(ALICE, "task");
        Instant marked = bench.clock.instant();
        bench.halt(StopMode.RESTART);
        bench.clock.set(marked.plus(Duration.ofHours(1)));
        bench.start();

        assertThat(bench.turns(ALICES)).containsExactly("task", "");
    }

    @Test
    @DisplayName("P7.25: the third start within a minute that has lanes to resume resumes none")
    void theBootLoopBreaker() {
        bench.with(s -> s.recovery(r -> r.withStuckLoopThreshold(100)))
                .script(slow("1"), slow("2"), slow("3"), slow("4"))
                .start();
        bench.say(ALICE, "task");
        bench.crash().start();
        bench.crash().start();
        bench.crash().start();

        assertThat(bench.turns(ALICES)).containsExactly("task", "", "");
        assertThat(mark()).isPresent();
    }

    @Test
    @DisplayName("14.16, P7.24: a lane is resumed when its platform connects, once")
    void resumeWaitsForThePlatform() {
        bench.script(slow("never")).start();
        bench.say(ALICE, "task");
        bench.crash();
        bench.telegram.disconnect();
        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("task");
        bench.telegram.connect();
        bench.settle();
        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        bench.telegram.disconnect();
        bench.telegram.connect();
        bench.settle();
        assertThat(bench.turns(ALICES)).containsExactly("task", "");
    }

    @Test
    @DisplayName("P7.21: an owner who may not talk any more is not resumed; a check that fails refuses")
    void authorisationFailsClosed() {
        bench.script(slow("never")).start();
        bench.say(ALICE, "task");
        bench.crash();
        bench.authorization = new dev.parley.application.port.Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                throw new IllegalStateException("The list of users cannot be read.");
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                return false;
            }
        };
        bench.start();

        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(mark()).isPresent();
    }

    @Test
    @DisplayName("P7.30: after a tool result that nobody answered the next message gets the tool-tail note")
    void theToolTailNote() {
        bench.script(slow("x").using(new ToolUse("write_file", "{}", "ok"))).start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofMinutes(3));
        bench.say(ALICE, "other");

        assertThat(bench.notes(ALICES)).containsExactly("tool-tail");
        assertThat(bench.transcript(ALICES)).contains("user: other");
        assertThat(bench.agents.turns().get(1).input().content().plainText())
                .startsWith("[System note")
                .endsWith("\n\nother");
    }

    // ------------------------------------------------------------------ drain

    @Test
    @DisplayName("P7.39, P7.41, P7.44: a drain that ends in time marks nothing and is clean")
    void aDrainInTimeIsClean() {
        bench.script(ScriptedTurn.reply("done").taking(Duration.ofMinutes(2))).start();
        bench.say(ALICE, "task");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        assertThat(exit).isNotDone();
        bench.pass(Duration.ofMinutes(2));

        assertThat(exit.join()).isEqualTo(new ExitStatus(StopMode.RESTART, false));
        assertThat(exit.join().code()).isEqualTo(75);
        assertThat(bench.seen(ALICE)).hasSize(2).endsWith("done");
        assertThat(mark()).isEmpty();
        assertThat(bench.markers.restartCounts()).isEmpty();
        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.markers.takeCleanShutdown()).isFalse();
    }

    @Test
    @DisplayName("14.3, P7.40: only lanes still running at the time-out are marked, with the reason of a restart")
    void onlyLanesStillRunningAreMarked() {
        bench.script(
                        slow("late").on(ALICES),
                        ScriptedTurn.reply("in time")
                                .taking(Duration.ofMinutes(1))
                                .on(BOBS))
                .start();
        bench.say(ALICE, "long");
        bench.say(BOB, "short");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        bench.pass(Duration.ofMinutes(3));

        assertThat(exit.join().timedOut()).isTrue();
        assertThat(mark()).hasValueSatisfying(m -> assertThat(m.reason()).contains(ResumeReason.RESTART_TIMEOUT));
        assertThat(bench.entry(BOBS).toBeResumed()).isEmpty();
        assertThat(bench.seen(BOB)).endsWith("in time");
        assertThat(bench.agents.interrupts()).containsExactly("Gateway restarting");
        assertThat(bench.markers.restartCounts()).isEqualTo(Map.of(ALICES, 1));
        assertThat(bench.markers.takeCleanShutdown()).isFalse();
        assertThat(bench.memory.queue().claimed()).isEmpty();
    }

    @Test
    @DisplayName("14.3: a shutdown marks with its own reason and exits with 0")
    void aShutdownHasItsOwnReason() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO)))
                .script(slow("late"))
                .start();
        bench.say(ALICE, "long");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);

        assertThat(exit.join().code()).isZero();
        assertThat(mark()).hasValueSatisfying(m -> assertThat(m.reason()).contains(ResumeReason.SHUTDOWN_TIMEOUT));
        assertThat(bench.agents.interrupts()).containsExactly("Gateway shutting down");
    }

    @Test
    @DisplayName("P7.37: the restart banner promises to try, the shutdown banner promises nothing")
    void bannersPromiseNoMoreThanIsKept() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO)))
                .script(slow("a"), slow("b"), slow("c"))
                .start();
        bench.say(ALICE, "long");
        bench.halt(StopMode.RESTART);
        assertThat(bench.seen(ALICE)).singleElement().asString().contains("I'll try to resume where you left off");
        bench.start();
        bench.halt(StopMode.SHUTDOWN);
        assertThat(bench.seen(ALICE))
                .last()
                .asString()
                .contains("will be interrupted")
                .doesNotContain("resume");
        assertThat(bench.telegram.delivered()).allMatch(o -> o.kind() == Outgoing.Kind.BANNER);
    }

    @Test
    @DisplayName("P7.38: idle lanes get no banner; home channels do, each chat once")
    void homeChannelsAreToldOnce() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO))
                        .delivery(d -> d.withHomeChannels(List.of(
                                new HomeChannel(Platform.TELEGRAM, "1", Optional.empty(), Optional.empty()),
                                new HomeChannel(Platform.SLACK, "C1", Optional.empty(), Optional.empty())))))
                .script(slow("a").on(ALICES))
                .start();
        bench.say(ALICE, "long");
        bench.say(BOB, "short");
        bench.halt(StopMode.RESTART);

        assertThat(bench.seen(ALICE)).hasSize(1);
        assertThat(bench.seen(BOB)).hasSize(1);
        assertThat(bench.slack.texts("C1")).containsExactly("The gateway is restarting.");
    }

    @Test
    @DisplayName("P7.38: a muted platform gets no banner")
    void mutedPlatformsGetNoBanner() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO))
                        .delivery(d -> d.withMuted(java.util.Set.of(Platform.TELEGRAM))))
                .script(slow("a"))
                .start();
        bench.say(ALICE, "long");
        bench.halt(StopMode.RESTART);

        assertThat(bench.seen(ALICE)).isEmpty();
    }

    @Test
    @DisplayName("D14, P7.46: what is written during the drain is kept, acknowledged, and runs after the restart")
    void messagesDuringTheDrainRunAfterIt() {
        bench.script(ScriptedTurn.reply("done").taking(Duration.ofMinutes(1)).on(ALICES))
                .start();
        bench.say(ALICE, "task");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        assertThat(bench.say(ALICE, "busy lane")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.say(BOB, "idle lane")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.agents.interrupts()).isEmpty();
        bench.pass(Duration.ofMinutes(1));
        assertThat(exit).isDone();
        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.turns(BOBS)).isEmpty();
        assertThat(bench.seen(BOB)).singleElement().asString().contains("kept");

        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("task", "busy lane");
        assertThat(bench.turns(BOBS)).containsExactly("idle lane");
        assertThat(bench.notes(ALICES)).isEmpty();
    }

    @Test
    @DisplayName("P7.46: commands still work during the drain")
    void commandsWorkDuringTheDrain() {
        bench.script(slow("x")).start();
        bench.say(ALICE, "task");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        bench.say(ALICE, "/stop");

        assertThat(bench.seen(ALICE)).last().asString().startsWith("Stopped.");
        assertThat(exit).isDone();
        assertThat(exit.join().timedOut()).isFalse();
    }

    @Test
    @DisplayName("P7.43: what an interrupted turn had done is in the transcript and seen by the resumed one")
    void theProgressOfAnInterruptedTurnIsKept() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ofSeconds(1))))
                .script(
                        slow("x").using(new ToolUse("write_file", "{}", "written"), new ToolUse("run", "{}", "ran")),
                        ScriptedTurn.reply("back"))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofSeconds(150));
        bench.halt(StopMode.RESTART);
        bench.pass(Duration.ofSeconds(10));
        bench.start();

        assertThat(bench.notes(ALICES)).containsExactly("resume");
        assertThat(bench.transcript(ALICES))
                .startsWith("user: task", "assistant: calls write_file", "tool: written", "assistant: calls run");
        assertThat(bench.agents.turns().get(1).history())
                .extracting(m -> m.role().name())
                .containsExactly("user", "assistant", "tool", "assistant", "tool");
    }

    @Test
    @DisplayName("P7.42: an agent that does not react to the drain's interrupt is left behind")
    void aDeafAgentDoesNotHoldUpTheStop() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ofSeconds(1))))
                .script(slow("x").ignoringInterrupts(), ScriptedTurn.reply("back"))
                .start();
        bench.say(ALICE, "task");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        bench.pass(Duration.ofSeconds(7));

        assertThat(exit.join().timedOut()).isTrue();
        assertThat(bench.memory.queue().claimed()).isEmpty();
        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        assertThat(bench.markers.restartCounts()).isEmpty();
    }

    @Test
    @DisplayName(
            "P7.33, P7.10: a turn that answers although the drain has cut it off has succeeded: it is not resumed, and its lane is not counted")
    void whatAnswersAfterTheDrainIsNotResumed() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ofSeconds(1))))
                .script(ScriptedTurn.reply("all done")
                        .taking(Duration.ofSeconds(3))
                        .ignoringInterrupts())
                .start();
        bench.say(ALICE, "task");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        bench.pass(Duration.ofSeconds(7));

        assertThat(exit.join()).isEqualTo(new ExitStatus(StopMode.RESTART, false));
        assertThat(bench.seen(ALICE)).endsWith("all done");
        assertThat(mark()).isEmpty();
        assertThat(bench.markers.restartCounts()).isEmpty();
        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("task");
    }

    @Test
    @DisplayName("P7.10: a summary that a stop cuts off is no turn, and counts for no loop of restarts")
    void aSummaryIsNotCountedAsATurn() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ofSeconds(1)))).start();
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");
        bench.agents.holdSummaries(true);
        bench.say(ALICE, "/compress");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        bench.pass(Duration.ofSeconds(7));

        assertThat(exit.join()).isEqualTo(new ExitStatus(StopMode.RESTART, false));
        assertThat(bench.markers.restartCounts()).isEmpty();
    }

    @Test
    @DisplayName("P7.33: a task that was cut off and stopped before it was resumed is resumed by no later start")
    void whatIsStoppedBeforeItIsResumedStaysStopped() {
        bench.script(slow("a"), slow("b"), slow("a again")).start();
        bench.say(ALICE, "task");
        bench.say(BOB, "task");
        bench.crash().with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1)))).start();
        bench.say(BOB, "/stop");
        bench.crash().with(s -> s.busy(b -> b.withMaxLanes(Optional.of(5)))).start();

        assertThat(bench.turns(ALICES)).containsExactly("task", "", "");
        assertThat(bench.turns(BOBS)).containsExactly("task");
        assertThat(bench.entry(BOBS).toBeResumed()).isEmpty();
        assertThat(bench.seen(BOB)).endsWith("No active task to stop; what waited in the queue was dropped.");
    }

    @Test
    @DisplayName("P7.36: a second stop waits for the first")
    void stopIsIdempotent() {
        bench.script(ScriptedTurn.reply("done").taking(Duration.ofMinutes(1))).start();
        bench.say(ALICE, "task");
        CompletableFuture<ExitStatus> first = bench.stop(StopMode.RESTART);
        CompletableFuture<ExitStatus> second = bench.stop(StopMode.SHUTDOWN);
        bench.pass(Duration.ofMinutes(1));

        assertThat(second.join()).isEqualTo(first.join()).isEqualTo(new ExitStatus(StopMode.RESTART, false));
        assertThat(bench.telegram.isStarted()).isFalse();
    }

    @Test
    @DisplayName("14.4: the marker is present after a clean stop and absent after a crash")
    void theMarkerTellsACleanStopFromACrash() {
        bench.start();
        bench.halt(StopMode.SHUTDOWN);
        assertThat(bench.markers.takeCleanShutdown()).isTrue();
        bench.start();
        bench.crash();
        assertThat(bench.markers.takeCleanShutdown()).isFalse();
    }

    @Test
    @DisplayName("14.1, G3.2: suspended wins over a mark and over the policy")
    void suspendedWins() {
        bench.with(s -> s.turns(t -> t.withDrain(Duration.ZERO)))
                .script(slow("x").spending(new TokenUsage(5, 5, 0, 0, 0)))
                .start();
        bench.say(ALICE, "task");
        bench.halt(StopMode.RESTART);
        bench.markers.putRestartCounts(Map.of(ALICES, 3));
        bench.clock.move(Duration.ofDays(3));
        bench.start();
        bench.say(ALICE, "hello");

        assertThat(bench.transitions(ALICES)).endsWith("suspended stuck_loop", "reset suspended");
        assertThat(bench.events.of(GatewayEvent.Decided.class)).hasSize(2);
    }

    @Test
    @DisplayName("P7.27, P7.29: messages that meet a resumed turn wait for it, unanswered, and do not interrupt it")
    void nobodyDisturbsAResumedTurn() {
        bench.script(
                        ScriptedTurn.reply("never").taking(Duration.ofMinutes(5)),
                        ScriptedTurn.reply("restored").taking(Duration.ofMinutes(1)))
                .start();
        bench.say(ALICE, "long task");
        bench.crash().start();
        bench.say(ALICE, "are you back?");
        bench.say(ALICE, "hello?");
        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.seen(ALICE)).startsWith("restored");
        assertThat(bench.turns(ALICES)).containsExactly("long task", "", "are you back?\nhello?");
        assertThat(bench.notes(ALICES)).isEmpty();
    }

    @Test
    @DisplayName("P7.38: two lanes in one chat get one banner")
    void oneBannerPerChat() {
        bench.script(
                        ScriptedTurn.reply("a").taking(Duration.ofMinutes(1)),
                        ScriptedTurn.reply("b").taking(Duration.ofMinutes(1)))
                .start();
        SessionSource ann = Bench.inGroup("-9", "1", "Ann");
        bench.say(ann, "one");
        bench.say(Bench.inGroup("-9", "2", "Ben"), "two");
        var unused = bench.stop(StopMode.SHUTDOWN);

        assertThat(bench.telegram.delivered()).extracting(Outgoing::kind).containsExactly(Outgoing.Kind.BANNER);
    }

    @Test
    @DisplayName("P7.38, P7.48: a restart asked for in a chat is nothing to the operator's chats, any other is")
    void theOperatorIsToldOfPlannedRestarts() {
        HomeChannel home = new HomeChannel(Platform.SLACK, "ops", Optional.empty(), Optional.empty());
        SessionSource ops = SessionSource.builder(Platform.SLACK, "ops").build();
        bench.with(s -> s.delivery(d -> d.withHomeChannels(List.of(home)))).start();
        bench.say(ALICE, "/restart");
        bench.crash().start();
        assertThat(bench.seen(ALICE)).containsExactly("The gateway is restarting.", "The gateway is back.");
        assertThat(bench.seen(ops)).isEmpty();

        bench.halt(StopMode.RESTART);
        bench.crash().start();
        assertThat(bench.seen(ops)).containsExactly("The gateway is restarting.", "The gateway is back.");
        bench.halt(StopMode.SHUTDOWN);
        bench.crash().start();
        assertThat(bench.seen(ops)).endsWith("The gateway is back.", "The gateway is shutting down.");
    }

    @Test
    @DisplayName("P7.48: a /restart without an id that comes in again just after the restart is ignored, once")
    void aRepeatedRestartIsIgnoredOnce() {
        Received restart = new Received(ALICE, "/restart", List.of(), Optional.empty());
        bench.start();
        bench.say(restart, AnswerListener.NONE);
        bench.crash().start();
        bench.pass(Duration.ofSeconds(59));
        bench.say(restart, AnswerListener.NONE);
        assertThat(bench.running().whenStopped().toCompletableFuture()).isNotDone();
        bench.say(restart, AnswerListener.NONE);
        assertThat(bench.running().whenStopped().toCompletableFuture()).isDone();

        bench.crash().start();
        bench.pass(Duration.ofSeconds(60));
        bench.say(restart, AnswerListener.NONE);
        assertThat(bench.running().whenStopped().toCompletableFuture()).isDone();
    }
}
