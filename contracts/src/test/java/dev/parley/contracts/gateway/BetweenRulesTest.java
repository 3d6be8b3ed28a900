package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.ExitStatus;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.Receipt;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where two rules meet: limits and commands, stops and questions, deliveries and busy lanes, holds and orders. */
class BetweenRulesTest {
    private static final SessionSource CAROL = Bench.inThread("-9", "5", "3", "Carol");
    private static final SessionSource DAN = Bench.inThread("-9", "5", "4", "Dan");

    private final Bench bench = new Bench();

    private static ScriptedTurn slow(String text) {
        return ScriptedTurn.reply(text).taking(Duration.ofMinutes(10));
    }

    private static ScriptedTurn asking(AgentQuestion.Kind kind) {
        return ScriptedTurn.reply("done").taking(Duration.ofSeconds(10)).asking(kind, "Really?");
    }

    private void nothingRuns() {
        assertThat(bench.running().running()).isEmpty();
        assertThat(bench.running().health().rows()).containsEntry("running", "0");
    }

    // limits and commands

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/new", "/reset", "/queue x", "/steer x", "/retry", "/undo", "/compress", "/resume", "/resume 1",
                        "/status",
                "/title t", "/branch", "/stop", "/unreset", "/usage", "/approve", "/deny", "/why", "/sessions", "/help",
                "/compress --preview", "/queue", "/nonsense"
            })
    void aCommandAtTheLimitTakesNoPlaceAndLeavesNone(String command) {
        bench.script(
                        ScriptedTurn.reply("a"),
                        ScriptedTurn.reply("b"),
                        ScriptedTurn.reply("c"),
                        ScriptedTurn.reply("d"),
                        slow("long"))
                .with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1))))
                .start();
        for (String text : new String[] {"1", "2", "3", "4"}) {
            bench.say(ALICE, text);
        }
        bench.say(BOB, "work");
        int turns = bench.turns(ALICES).size();
        bench.say(ALICE, command);
        assertThat(bench.turns(ALICES)).hasSize(turns);
        assertThat(bench.running().running()).containsExactly(BOBS);
        bench.pass(Duration.ofMinutes(11));
        nothingRuns();
        bench.say(ALICE, "hello");
        assertThat(bench.seen(ALICE)).last().isEqualTo("hello");
        nothingRuns();
    }

    @Test
    void aPlaceThatASummaryTakesIsFreeOnceItIsThere() {
        bench.with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1)))).start();
        for (String text : new String[] {"1", "2", "3", "4"}) {
            bench.say(ALICE, text);
        }
        bench.say(ALICE, "/compress");
        bench.pass(Duration.ofMinutes(1));
        nothingRuns();
        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
    }

    @Test
    void newOnARunningLaneFreesItsPlaceForAnother() {
        bench.script(slow("never").ignoringInterrupts())
                .with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1))))
                .start();
        bench.say(ALICE, "work");
        bench.say(ALICE, "/new");
        bench.say(BOB, "hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
    }

    // stops and questions

    @Test
    void anApprovalIsHeardWhileTheGatewayStopsSoThatItsTaskMayEnd() {
        bench.script(asking(AgentQuestion.Kind.APPROVAL))
                .with(s -> s.turns(t -> t.withDrain(Duration.ofMinutes(2))))
                .start();
        bench.say(ALICE, "work");
        bench.pass(Duration.ofSeconds(10));
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        bench.say(ALICE, "yes");
        bench.pass(Duration.ofMinutes(1));
        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
        assertThat(bench.seen(ALICE)).last().isEqualTo("done");
    }

    @Test
    void aClarificationIsHeardWhileTheGatewayStopsSoThatItsTaskMayEnd() {
        bench.script(asking(AgentQuestion.Kind.CLARIFICATION))
                .with(s -> s.turns(t -> t.withDrain(Duration.ofMinutes(2))))
                .start();
        bench.say(ALICE, "work");
        bench.pass(Duration.ofSeconds(10));
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.RESTART);
        bench.say(ALICE, "the blue one");
        bench.pass(Duration.ofMinutes(1));
        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
        assertThat(bench.seen(ALICE)).last().isEqualTo("done");
    }

    @Test
    void aQuestionThatADrainCutsOffIsAskedAgainByTheTurnThatResumes() {
        bench.script(asking(AgentQuestion.Kind.APPROVAL), ScriptedTurn.reply("resumed"))
                .with(s -> s.turns(t -> t.withDrain(Duration.ofSeconds(5))))
                .start();
        bench.say(ALICE, "work");
        bench.pass(Duration.ofSeconds(10));
        bench.halt(StopMode.RESTART);
        bench.crash();
        bench.start();
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.seen(ALICE)).last().isEqualTo("resumed");
        bench.say(ALICE, "yes");
        assertThat(bench.turns(ALICES)).last().isEqualTo("yes");
    }

    @Test
    void whatWaitsBehindAQuestionRunsOnceTheQuestionIsAnswered() {
        bench.script(asking(AgentQuestion.Kind.APPROVAL)).start();
        bench.say(ALICE, "work");
        bench.pass(Duration.ofSeconds(10));
        bench.say(ALICE, "/queue later");
        bench.say(ALICE, "yes");
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.turns(ALICES)).containsExactly("work", "later");
        assertThat(bench.seen(ALICE)).contains("done").last().isEqualTo("later");
    }

    @Test
    void stopWhileAQuestionIsPendingDropsWhatWaitsBehindIt() {
        bench.script(asking(AgentQuestion.Kind.CLARIFICATION)).start();
        bench.say(ALICE, "work");
        bench.pass(Duration.ofSeconds(10));
        bench.say(ALICE, "/queue later");
        bench.say(ALICE, "/stop");
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.turns(ALICES)).containsExactly("work");
        bench.say(ALICE, "the blue one");
        assertThat(bench.turns(ALICES)).containsExactly("work", "the blue one");
        nothingRuns();
    }

    @Test
    void anApprovalInAThreadIsItsOwnersAndNotAnothersWhoWritesThere() {
        bench.isolation = new Isolation(true, true);
        bench.script(asking(AgentQuestion.Kind.APPROVAL)).start();
        bench.say(CAROL, "work");
        bench.pass(Duration.ofSeconds(10));
        bench.say(DAN, "yes");
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.telegram.texts("-9")).contains("yes").doesNotContain("done");
        bench.say(CAROL, "yes");
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.telegram.texts("-9")).last().isEqualTo("done");
    }

    // threads and resets

    @Test
    void newInAThreadBeginsOnesOwnSessionAnewAndLeavesTheOthers() {
        bench.isolation = new Isolation(true, true);
        bench.start();
        bench.say(CAROL, "c");
        bench.say(DAN, "d");
        SessionId dans = bench.entry(bench.rules().keyOf(DAN)).sessionId();
        SessionId carols = bench.entry(bench.rules().keyOf(CAROL)).sessionId();
        bench.say(CAROL, "/new");
        assertThat(bench.entry(bench.rules().keyOf(DAN)).sessionId()).isEqualTo(dans);
        assertThat(bench.entry(bench.rules().keyOf(CAROL)).sessionId()).isNotEqualTo(carols);
    }

    // deliveries and busy lanes

    @ParameterizedTest
    @ValueSource(strings = {"INTERRUPT", "QUEUE", "STEER"})
    void aLaneWhosePlatformIsAwayWorksOnAndAllIsDeliveredInOrderWhenItIsBack(String mode) {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.valueOf(mode)))).start();
        bench.telegram.disconnect();
        for (String text : new String[] {"1", "2", "3", "4"}) {
            bench.say(ALICE, text);
            bench.pass(Duration.ofMinutes(2));
        }
        nothingRuns();
        assertThat(bench.turns(ALICES)).containsExactly("1", "2", "3", "4");
        bench.telegram.connect();
        bench.settle();
        assertThat(bench.seen(ALICE)).containsExactly("1", "2", "3", "4");
    }

    @Test
    void aCommandsReplyToAChatWhosePlatformIsAwayKeepsItsPlace() {
        bench.start();
        bench.say(ALICE, "1");
        bench.telegram.disconnect();
        bench.say(ALICE, "2");
        bench.say(ALICE, "/title Trip");
        bench.say(ALICE, "3");
        bench.telegram.connect();
        bench.settle();
        assertThat(bench.seen(ALICE)).hasSize(4).startsWith("1", "2").endsWith("3");
    }

    @Test
    void aStopDoesNotWaitForAPlatformThatIsAway() {
        bench.start();
        bench.telegram.disconnect();
        bench.say(ALICE, "1");
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);
        bench.pass(Duration.ofSeconds(10));
        assertThat(exit).isCompletedWithValueMatching(status -> !status.timedOut());
        bench.crash();
        bench.telegram.connect();
        bench.start();
        assertThat(bench.seen(ALICE)).containsExactly("1");
    }

    // storage

    @Test
    void aStopThatTheStoreRefusesStopsNothingAndMayBeSentAgain() {
        bench.script(slow("never")).start();
        bench.say(ALICE, "work");
        bench.storage.become(SwitchableStorage.State.UNAVAILABLE);
        assertThat(bench.say(ALICE, "/stop", "s")).isInstanceOf(Receipt.Unavailable.class);
        bench.storage.become(SwitchableStorage.State.AVAILABLE);
        assertThat(bench.say(ALICE, "/stop", "s")).isInstanceOf(Receipt.Admitted.class);
        nothingRuns();
        assertThat(bench.entry(ALICES).isSuspended()).isTrue();
    }

    @Test
    void anAnswerThatComesWhileTheStoreIsAwayIsKeptAndTheLaneGoesOn() {
        bench.script(ScriptedTurn.reply("answer").taking(Duration.ofSeconds(10)))
                .start();
        bench.say(ALICE, "work");
        bench.storage.become(SwitchableStorage.State.UNAVAILABLE);
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.storage.become(SwitchableStorage.State.AVAILABLE);
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.seen(ALICE)).containsExactly("answer");
        bench.say(ALICE, "more");
        assertThat(bench.seen(ALICE)).last().isEqualTo("more");
    }

    // summaries

    @ParameterizedTest
    @ValueSource(strings = {"/stop", "/new", "/reset"})
    void aCommandThatEndsASummaryLeavesTheLaneFreeForTheNextMessage(String command) {
        bench.agents.thenSummarise(Optional.of("short"), Duration.ofMinutes(5));
        bench.start();
        for (String text : new String[] {"1", "2", "3", "4"}) {
            bench.say(ALICE, text);
        }
        bench.say(ALICE, "/compress");
        bench.say(ALICE, command);
        nothingRuns();
        bench.say(ALICE, "hello");
        assertThat(bench.seen(ALICE)).last().isEqualTo("hello");
        bench.pass(Duration.ofMinutes(10));
        nothingRuns();
        assertThat(bench.memory.queue().admitted()).extracting(Inbound::text).isEmpty();
    }

    // holds

    private void hold(boolean held) {
        bench.markers.hold(held);
        bench.pass(Duration.ofSeconds(5));
    }

    private void startWithHolds() {
        bench.with(s -> s.operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1))))
                .start();
    }

    @Test
    void anApprovalIsHeardWhileTurnsAreHeldBackSoThatTheRunningTaskEnds() {
        bench.script(asking(AgentQuestion.Kind.APPROVAL));
        startWithHolds();
        bench.say(ALICE, "work");
        bench.pass(Duration.ofSeconds(10));
        hold(true);
        bench.say(ALICE, "yes");
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.seen(ALICE)).last().isEqualTo("done");
        nothingRuns();
    }

    @Test
    void whatIsQueuedRetriedAndSaidWhileTurnsAreHeldBackRunsAfterwardsOnceAndInOrder() {
        startWithHolds();
        bench.say(ALICE, "one");
        hold(true);
        bench.say(ALICE, "/queue two");
        bench.say(ALICE, "three");
        bench.say(ALICE, "/retry");
        bench.say(BOB, "hello");
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.turns(ALICES)).containsExactly("one");
        nothingRuns();
        hold(false);
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.turns(BOBS)).containsExactly("hello");
        assertThat(bench.turns(ALICES)).containsExactly("one", "one", "three", "two");
        assertThat(bench.memory.queue().admitted()).isEmpty();
        nothingRuns();
    }

    @Test
    void newWhileTurnsAreHeldBackBeginsAnewAndDropsWhatWaited() {
        startWithHolds();
        bench.say(ALICE, "one");
        SessionId before = bench.entry(ALICES).sessionId();
        hold(true);
        bench.say(ALICE, "two");
        bench.say(ALICE, "/new");
        assertThat(bench.entry(ALICES).sessionId()).isNotEqualTo(before);
        hold(false);
        assertThat(bench.turns(ALICES)).containsExactly("one");
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    void aStopWhileTurnsAreHeldBackKeepsWhatWaitsForTheNextStart() {
        startWithHolds();
        hold(true);
        bench.say(ALICE, "one");
        assertThat(bench.stop(StopMode.SHUTDOWN)).isCompletedWithValueMatching(status -> !status.timedOut());
        bench.crash();
        bench.markers.hold(false);
        bench.start();
        bench.pass(Duration.ofSeconds(5));
        assertThat(bench.seen(ALICE)).last().isEqualTo("one");
    }

    // limits and restarts

    @Test
    void whatSeveralLanesHadWaitingRunsAfterARestartThoughTheLimitIsOne() {
        bench.script(slow("a"), slow("b"))
                .with(s -> s.turns(t -> t.withDrain(Duration.ofSeconds(1))))
                .start();
        bench.say(ALICE, "a");
        bench.say(BOB, "b");
        bench.say(ALICE, "/queue more");
        bench.say(BOB, "/queue more");
        bench.halt(StopMode.RESTART);
        bench.crash();
        bench.with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1)))).start();
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.seen(ALICE)).last().isEqualTo("more");
        assertThat(bench.seen(BOB)).last().isEqualTo("more");
        assertThat(bench.memory.queue().admitted()).isEmpty();
        nothingRuns();
    }

    // time-outs and questions

    @Test
    void aQuestionThatNobodyCanBeAskedEndsWithItsTurnsTimeAndTheLaneGoesOn() {
        bench.script(asking(AgentQuestion.Kind.CLARIFICATION))
                .with(s -> s.turns(t -> t.withTimeout(Duration.ofMinutes(30))))
                .start();
        bench.telegram.disconnect();
        bench.say(ALICE, "work");
        bench.pass(Duration.ofMinutes(31));
        nothingRuns();
        bench.telegram.connect();
        bench.settle();
        bench.say(ALICE, "more");
        assertThat(bench.turns(ALICES)).containsExactly("work", "more");
        assertThat(bench.seen(ALICE))
                .noneMatch(text -> text.contains("Really?"))
                .last()
                .isEqualTo("more");
    }

    @Test
    void aQuestionIsAskedOnceItsPlatformIsBackWhileTheTurnStillWaitsForTheAnswer() {
        bench.script(asking(AgentQuestion.Kind.CLARIFICATION))
                .with(s -> s.turns(t -> t.withTimeout(Duration.ofMinutes(30))))
                .start();
        bench.telegram.disconnect();
        bench.say(ALICE, "work");
        bench.pass(Duration.ofMinutes(20));
        bench.telegram.connect();
        bench.settle();
        assertThat(bench.seen(ALICE)).singleElement().asString().startsWith("Really?");
        bench.say(ALICE, "the blue one");
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.seen(ALICE)).last().isEqualTo("done");
    }

    // expiry and commands

    @ParameterizedTest
    @ValueSource(strings = {"/retry", "/undo", "/compress", "/title Trip", "/branch side", "/usage", "/status", "/why"})
    void aCommandPastTheTimeOfTheSessionLeavesTheNextMessageItsFreshSession(String command) {
        bench.start();
        bench.say(ALICE, "one");
        SessionId before = bench.entry(ALICES).sessionId();
        bench.pass(Duration.ofDays(3));
        bench.say(ALICE, command);
        bench.pass(Duration.ofMinutes(1));
        bench.say(ALICE, "two");
        assertThat(bench.transcript(before)).doesNotContain("user: two");
        assertThat(bench.entry(ALICES).sessionId()).isNotEqualTo(before);
        nothingRuns();
    }

    // a store that does not let a turn end, and a stop

    @Test
    void aStopEndsThoughTheStoreDoesNotLetATurnEndAndTheNextStartSetsItRight() {
        bench.script(ScriptedTurn.reply("answer").taking(Duration.ofSeconds(10)))
                .with(s -> s.turns(t -> t.withDrain(Duration.ofSeconds(30))))
                .start();
        bench.say(ALICE, "work");
        bench.storage.become(SwitchableStorage.State.UNAVAILABLE);
        bench.pass(Duration.ofMinutes(1));
        CompletableFuture<ExitStatus> exit = bench.stop(StopMode.SHUTDOWN);
        bench.pass(Duration.ofMinutes(5));
        bench.storage.become(SwitchableStorage.State.AVAILABLE);
        bench.pass(Duration.ofMinutes(5));
        assertThat(exit).isDone();
        bench.crash();
        bench.start();
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.memory.queue().admitted()).isEmpty();
        bench.say(ALICE, "more");
        assertThat(bench.seen(ALICE)).last().isEqualTo("more");
    }
}
