package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentRun;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.ToolUse;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.settings.BusyMode;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The busy lane (Q8). */
class QueueTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Bench bench = new Bench();

    private static ScriptedTurn slow(String reply) {
        return ScriptedTurn.reply(reply).taking(LONG);
    }

    @Test
    @DisplayName("Q8.4: a second message during the first turn does not start a second run")
    void oneTurnAtATime() {
        bench.script(slow("one"))
                .with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .start();
        bench.say(ALICE, "first");
        bench.say(ALICE, "second");

        assertThat(bench.turns(ALICES)).containsExactly("first");
        assertThat(bench.memory.queue().claimed()).hasSize(1);
        bench.pass(LONG);
        assertThat(bench.turns(ALICES)).containsExactly("first", "second");
    }

    @Test
    @DisplayName("14.10: messages handed in at once on a new lane give one run and one session")
    void aRushOnANewLaneGivesOneRun() {
        bench.script(slow("one"))
                .with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .start();
        List<CompletableFuture<Receipt>> receipts = bench.rush(r -> {
            for (String text : List.of("a", "b", "c")) {
                r.add(bench.running()
                        .receive(new Received(ALICE, text, List.of(), Optional.of(text)), AnswerListener.NONE)
                        .toCompletableFuture());
            }
        });

        assertThat(receipts).allMatch(r -> r.join() instanceof Receipt.Admitted);
        assertThat(bench.turns(ALICES)).containsExactly("a");
        assertThat(bench.memory.sessions().count(Optional.empty())).isEqualTo(1);
    }

    @Test
    @DisplayName("Q8.10, Q8.13: in interrupt mode a message interrupts the run, whose reply is suppressed")
    void aMessageInterrupts() {
        bench.script(slow("never said")).start();
        bench.say(ALICE, "long task");
        bench.pass(Duration.ofSeconds(10));
        bench.say(ALICE, "stop that, do this");

        assertThat(bench.agents.interrupts()).containsExactly("stop that, do this");
        assertThat(bench.turns(ALICES)).containsExactly("long task", "stop that, do this");
        assertThat(bench.seen(ALICE)).hasSize(2).noneMatch(t -> t.contains("never said"));
        assertThat(bench.telegram.delivered().get(0).kind()).isEqualTo(Outgoing.Kind.ACK);
        assertThat(bench.transcript(ALICES)).startsWith("user: long task", "user: stop that, do this");
    }

    @Test
    @DisplayName("C11, Q8.15c, Q8.17: follow-ups of one sender are one item, by lines, without losing any")
    void followUpsMergeWithoutLoss() {
        bench.script(slow("x").ignoringInterrupts()).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "one");
        bench.say(ALICE, "two");
        bench.say(ALICE, "three");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "one\ntwo\nthree");
        assertThat(bench.transcript(ALICES)).contains("user: one\ntwo\nthree");
    }

    @Test
    @DisplayName("Q8.17: follow-ups of different senders are not merged, and their order stays")
    void differentSendersAreNotMerged() {
        SessionSource a = Bench.inThread("-9", "5", "1", "Alice");
        SessionSource b = Bench.inThread("-9", "5", "2", "Bob");
        SessionKey key = bench.rules().keyOf(a);
        bench.script(slow("x").ignoringInterrupts()).start();
        bench.say(a, "task");
        bench.say(a, "a1");
        bench.say(b, "b1");
        bench.say(a, "a2");
        bench.pass(LONG);

        assertThat(bench.turns(key)).containsExactly("[Alice] task", "[Alice] a1", "[Bob] b1", "[Alice] a2");
    }

    @Test
    @DisplayName("14.9, Q8.20, D2: ten /queue items run one by one and in order")
    void queuedItemsKeepTheirOrder() {
        bench.script(slow("x")).start();
        bench.say(ALICE, "task");
        List<String> expected = new ArrayList<>(List.of("task"));
        for (int i = 1; i <= 10; i++) {
            bench.say(ALICE, "/queue item " + i);
            expected.add("item " + i);
        }
        assertThat(bench.seen(ALICE)).hasSize(10).last().isEqualTo("Queued for the next turn. 10 are waiting.");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactlyElementsOf(expected);
    }

    @Test
    @DisplayName("Q8.21: the depth counts every item that waits")
    void theDepthIsToldWithEachItem() {
        bench.script(slow("x")).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue a");
        bench.say(ALICE, "/q b");

        assertThat(bench.events.of(GatewayEvent.Queued.class))
                .extracting(GatewayEvent.Queued::depth)
                .containsExactly(1, 2);
    }

    @Test
    @DisplayName("Commit rule 8: merged follow-ups run before /queue items")
    void followUpsRunBeforeQueueItems() {
        bench.script(slow("x").ignoringInterrupts()).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue later");
        bench.say(ALICE, "sooner");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "sooner", "later");
    }

    @Test
    @DisplayName("D7: /queue on an idle lane runs its text as a normal turn")
    void queueOnAnIdleLaneRunsItsText() {
        bench.start();
        bench.say(ALICE, "/queue do it");

        assertThat(bench.turns(ALICES)).containsExactly("do it");
        assertThat(bench.transcript(ALICES)).startsWith("user: do it");
    }

    @Test
    @DisplayName("Q8.24: /queue without a text says how it is used")
    void queueNeedsAText() {
        bench.start();
        bench.say(ALICE, "/queue");

        assertThat(bench.turns(ALICES)).isEmpty();
        assertThat(bench.seen(ALICE)).containsExactly("Usage: /queue TEXT");
    }

    @Test
    @DisplayName("D9, Q8.16: a photo never interrupts; its caption is merged")
    void photosNeverInterrupt() {
        bench.script(slow("x")).start();
        bench.say(ALICE, "task");
        bench.photo(ALICE, "see");
        bench.photo(ALICE, "see");

        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.pass(LONG);
        assertThat(bench.turns(ALICES)).hasSize(2);
        assertThat(bench.turns(ALICES).get(1)).startsWith("see\n[photo: ").contains("]\n[photo: ");
    }

    @Test
    @DisplayName("Q8.12: at most one acknowledgement per lane in thirty seconds")
    void acknowledgementsAreRare() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .script(slow("x"))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "a");
        bench.pass(Duration.ofSeconds(29));
        bench.say(ALICE, "b");
        assertThat(bench.seen(ALICE)).hasSize(1);
        bench.pass(Duration.ofSeconds(1));
        bench.say(ALICE, "c");
        assertThat(bench.seen(ALICE)).hasSize(2);
    }

    @Test
    @DisplayName("Q8.18: in queue mode text is one item within the debounce window and its own item outside")
    void queueModeMergesOnlyBursts() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .script(slow("x"))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "a");
        bench.pass(Duration.ofMillis(300));
        bench.say(ALICE, "b");
        bench.pass(Duration.ofMillis(400));
        bench.say(ALICE, "c");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "a\nb", "c");
    }

    @Test
    @DisplayName("Q8.18: a burst is one item for at most a second")
    void aBurstHasAnEnd() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .script(slow("x"))
                .start();
        bench.say(ALICE, "task");
        for (String text : List.of("a", "b", "c", "d", "e")) {
            bench.say(ALICE, text);
            bench.pass(Duration.ofMillis(300));
        }
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "a\nb\nc\nd", "e");
    }

    @Test
    @DisplayName("D8: queue mode drops nobody's message when several senders write")
    void everySenderIsKeptInQueueMode() {
        SessionSource a = Bench.inThread("-9", "5", "1", "A");
        SessionSource b = Bench.inThread("-9", "5", "2", "B");
        SessionSource c = Bench.inThread("-9", "5", "3", "C");
        SessionKey key = bench.rules().keyOf(a);
        bench.with(s -> s.busy(busy -> busy.withMode(BusyMode.QUEUE)))
                .script(slow("x"))
                .start();
        bench.say(a, "task");
        bench.say(a, "one");
        bench.say(b, "two");
        bench.say(c, "three");
        bench.pass(LONG);

        assertThat(bench.turns(key)).containsExactly("[A] task", "[A] one", "[B] two", "[C] three");
    }

    @Test
    @DisplayName("D17: a message over the cap is not taken, and its sender is told")
    void overTheCapIsToldHonestly() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)).busy(b -> b.withMaxPending(2)))
                .script(slow("x"))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "a");
        bench.pass(Duration.ofSeconds(2));
        bench.say(ALICE, "b");
        bench.pass(Duration.ofSeconds(2));
        bench.say(ALICE, "c");
        assertThat(bench.seen(ALICE)).last().asString().contains("not taken");
        assertThat(bench.events.of(GatewayEvent.Dropped.class)).hasSize(1);
        bench.say(ALICE, "/queue still allowed");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "a", "b", "still allowed");
    }

    @Test
    @DisplayName("Q8.11: in steer mode text goes to the running agent and is not queued")
    void steeredTextIsStoredInItsPlace() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.STEER)))
                .script(slow("done").using(new ToolUse("read_file", "{}", "content")))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofSeconds(1));
        bench.say(ALICE, "also this");
        assertThat(bench.agents.steered()).containsExactly("also this");
        assertThat(bench.seen(ALICE)).containsExactly("Passed on to the running task.");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.transcript(ALICES))
                .containsExactly(
                        "user: task",
                        "assistant: calls read_file",
                        "tool: content",
                        "user: also this",
                        "assistant: done");
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    @DisplayName("Q8.11: what the agent takes while running is not told as queued")
    void steeredTextIsNotQueued() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.STEER)))
                .script(slow("done"))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "also this");

        assertThat(bench.events.of(GatewayEvent.Queued.class)).isEmpty();
    }

    @Test
    @DisplayName("Z12.13: /steer hands its text to the running agent in every busy mode, and says so each time")
    void steerReachesTheRunningAgent() {
        bench.script(slow("done").using(new ToolUse("read_file", "{}", "content")))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/steer left");
        bench.say(ALICE, "/steer right");
        assertThat(bench.agents.steered()).containsExactly("left", "right");
        assertThat(bench.seen(ALICE))
                .containsExactly("Passed on to the running task.", "Passed on to the running task.");
        assertThat(bench.events.of(GatewayEvent.Queued.class)).isEmpty();
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.transcript(ALICES)).containsSubsequence("tool: content", "user: left", "user: right");
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    @DisplayName(
            "Q8.11: what follows on Telegram within three seconds is one thought with what began the turn and waits")
    void oneThoughtOnTelegram() {
        bench.with(s -> s.busy(b -> b.withFollowUpWindow(Duration.ofSeconds(3))))
                .script(slow("first"), slow("second"))
                .start();
        bench.say(ALICE, "part one");
        bench.pass(Duration.ofSeconds(3));
        bench.say(ALICE, "part two");
        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.pass(Duration.ofMillis(1));
        bench.say(ALICE, "now stop");

        assertThat(bench.agents.interrupts()).containsExactly("now stop");
        assertThat(bench.turns(ALICES)).containsExactly("part one", "part two\nnow stop");
    }

    @Test
    @DisplayName("Q8.11: elsewhere than on Telegram a message interrupts at once")
    void onlyTelegramCutsUpTexts() {
        SessionSource slack =
                SessionSource.builder(Platform.SLACK, "7").userId("7").build();
        bench.with(s -> s.busy(b -> b.withFollowUpWindow(Duration.ofSeconds(3))))
                .script(slow("first"))
                .start();
        bench.say(slack, "part one");
        bench.say(slack, "part two");

        assertThat(bench.agents.interrupts()).containsExactly("part two");
    }

    @Test
    @DisplayName("P7.49: while an operator holds new turns back, running ones end and what comes in waits")
    void newTurnsCanBeHeldBack() {
        bench.with(s -> s.operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1))))
                .script(slow("done"))
                .start();
        bench.say(ALICE, "task");
        bench.markers.hold(true);
        bench.pass(Duration.ofSeconds(1));
        bench.say(ALICE, "more");
        bench.say(BOB, "hello");
        bench.say(BOB, "/status");
        assertThat(bench.seen(BOB))
                .containsExactly(
                        "The gateway is being maintained. Your message is kept and will be answered afterwards.",
                        "No session yet: your first message begins one.");
        bench.pass(LONG);
        assertThat(bench.seen(ALICE)).endsWith("done");
        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.turns(BOBS)).isEmpty();

        bench.markers.hold(false);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.turns(ALICES)).containsExactly("task", "more");
        assertThat(bench.turns(BOBS)).containsExactly("hello");
    }

    @Test
    @DisplayName("P7.49: a hold outlives a restart, and a turn that resumes begins all the same")
    void aHoldDoesNotKeepFromResuming() {
        bench.with(s -> s.operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1))))
                .script(slow("never"))
                .start();
        bench.say(ALICE, "task");
        bench.crash();
        bench.markers.hold(true);
        bench.start();
        bench.say(ALICE, "more");

        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        bench.markers.hold(false);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.turns(ALICES)).containsExactly("task", "", "more");
    }

    @Test
    @DisplayName("Q8.27: text that was steered too late becomes the next turn")
    void lateSteeringBecomesATurn() {
        bench.script(slow("done")).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/steer also this");
        assertThat(bench.agents.steered()).containsExactly("also this");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "also this");
    }

    @Test
    @DisplayName("Z12.13: /steer hands its text to the running agent in every busy mode; it is stored in its place")
    void theSteerCommandReachesTheAgent() {
        bench.script(slow("done").using(new ToolUse("read_file", "{}", "content")))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/steer also this");
        assertThat(bench.agents.steered()).containsExactly("also this");
        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.seen(ALICE)).containsExactly("Passed on to the running task.");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.transcript(ALICES))
                .containsExactly(
                        "user: task",
                        "assistant: calls read_file",
                        "tool: content",
                        "user: also this",
                        "assistant: done");
    }

    @Test
    @DisplayName("Z12.13: /steer that the agent does not take waits for the next turn, and its sender is told")
    void refusedSteeringOfTheCommandWaits() {
        bench.script(slow("done").refusingToSteer()).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/steer also this");
        assertThat(bench.seen(ALICE)).containsExactly("Queued for the next turn.");
        bench.pass(LONG);
        assertThat(bench.turns(ALICES)).containsExactly("task", "also this");
    }

    @Test
    @DisplayName("Q8.11: rejected steering waits for the next turn")
    void rejectedSteeringIsQueued() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.STEER)))
                .script(slow("done").refusingToSteer())
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "also this");
        assertThat(bench.seen(ALICE)).containsExactly("Queued for the next turn.");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "also this");
    }

    @Test
    @DisplayName("Z12.13: /steer on an idle lane is a normal turn")
    void steerOnAnIdleLaneIsATurn() {
        bench.start();
        bench.say(ALICE, "/steer hello");

        assertThat(bench.turns(ALICES)).containsExactly("hello");
    }

    @Test
    @DisplayName("C4, D10: /stop ends the turn, empties the whole queue and suspends the lane")
    void stopClearsEverything() {
        bench.script(slow("late")).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue one");
        bench.say(ALICE, "/queue two");
        bench.say(ALICE, "/stop");

        assertThat(bench.entry(ALICES).isSuspended()).isTrue();
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.agents.interrupts()).containsExactly("Stop requested");
        bench.pass(LONG);
        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.seen(ALICE)).noneMatch("late"::equals);

        bench.say(ALICE, "again");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reset S2");
        assertThat(bench.notes(ALICES)).containsExactly("auto-reset");
        assertThat(bench.transitions(ALICES))
                .containsExactly("created first_message", "suspended stop", "reset suspended");
        assertThat(bench.seen(ALICE)).anyMatch(t -> t.contains("reset automatically"));
    }

    @Test
    @DisplayName("C4: /stop with nothing running does not suspend")
    void stopOnAnIdleLaneSuspendsNothing() {
        bench.start();
        bench.say(ALICE, "hello");
        bench.say(ALICE, "/stop");

        assertThat(bench.entry(ALICES).isSuspended()).isFalse();
        assertThat(bench.seen(ALICE)).last().isEqualTo("No active task to stop.");
    }

    @Test
    @DisplayName(
            "14.11, Q8.31, Q8.34: /new while busy: the late result is discarded, what follows runs in the new session")
    void newWhileBusyDiscardsTheLateResult() {
        bench.script(slow("late").ignoringInterrupts()).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue gone");
        bench.say(ALICE, "/new");
        bench.say(ALICE, "after");
        bench.pass(LONG);

        assertThat(bench.turns(ALICES)).containsExactly("task", "after");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reuse S2");
        assertThat(bench.seen(ALICE)).noneMatch("late"::equals);
        assertThat(bench.transcript(ALICES)).hasSize(2).startsWith("user: after");
        assertThat(bench.transitions(ALICES)).containsExactly("created first_message", "renewed new");
    }

    @Test
    @DisplayName("Commit rule 3: a redelivered /new does nothing")
    void aRedeliveredNewDoesNothing() {
        bench.start();
        bench.say(ALICE, "hello");
        bench.say(ALICE, "/new", "c1");
        bench.say(ALICE, "in the new session");
        Receipt again = bench.say(ALICE, "/new", "c1");

        assertThat(again).isInstanceOf(Receipt.Duplicate.class);
        assertThat(bench.transitions(ALICES)).containsExactly("created first_message", "renewed new");
        assertThat(bench.transcript(ALICES)).hasSize(2);
    }

    @Test
    @DisplayName("Commit rule 3: a redelivered message is not run again")
    void aRedeliveredMessageIsNotRunAgain() {
        bench.start();
        Receipt first = bench.say(ALICE, "hello", "x");
        Receipt second = bench.say(ALICE, "hello", "x");

        assertThat(second).isEqualTo(new Receipt.Duplicate(((Receipt.Admitted) first).id(), ALICES));
        assertThat(bench.turns(ALICES)).containsExactly("hello");
    }

    @Test
    @DisplayName("Q8.35: a new lane over the limit gets an honest answer and no session; busy lanes are unaffected")
    void theLimitOfRunningLanes() {
        bench.with(s -> s.busy(b -> b.withMaxLanes(Optional.of(1))))
                .script(slow("x").ignoringInterrupts())
                .start();
        bench.say(ALICE, "task");
        bench.say(BOB, "me too");
        bench.say(ALICE, "more");

        assertThat(bench.seen(BOB))
                .containsExactly("Active session limit reached (1/1). Please try again in a moment.");
        assertThat(bench.memory.lanes().find(BOBS)).isEmpty();
        bench.pass(LONG);
        assertThat(bench.turns(ALICES)).containsExactly("task", "more");
        bench.say(BOB, "now");
        assertThat(bench.turns(BOBS)).containsExactly("now");
    }

    @Test
    @DisplayName("Q8.36: an empty answer is never silent")
    void anEmptyAnswerIsTold() {
        bench.script(ScriptedTurn.ending(ScriptedTurn.Outcome.EMPTY)).start();
        bench.say(ALICE, "hello");

        assertThat(bench.seen(ALICE))
                .containsExactly("The agent gave no answer. Please try again, perhaps in other words.");
    }

    @Test
    @DisplayName("O4.25: a failed turn keeps the user's message and says what went wrong")
    void aFailedTurnIsTold() {
        bench.script(ScriptedTurn.ending(ScriptedTurn.Outcome.FAIL).replying("No model."))
                .start();
        bench.say(ALICE, "hello");

        assertThat(bench.seen(ALICE)).containsExactly("Sorry, that did not work: No model.");
        assertThat(bench.transcript(ALICES)).containsExactly("user: hello");
        assertThat(bench.memory.queue().claimed()).isEmpty();
    }

    @Test
    @DisplayName("C18: an agent that does nothing for the time-out is interrupted, and the user is told")
    void aHangingTurnTimesOut() {
        bench.script(ScriptedTurn.ending(ScriptedTurn.Outcome.HANG)).start();
        bench.say(ALICE, "hello");
        bench.pass(Duration.ofMinutes(29));
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.seen(ALICE)).singleElement().asString().contains("did nothing for 30 minutes");
        bench.say(ALICE, "again");
        assertThat(bench.turns(ALICES)).containsExactly("hello", "again");
    }

    @Test
    @DisplayName("C18: an agent that does not even end when interrupted is left behind")
    void aDeafHangingTurnTimesOutToo() {
        bench.script(ScriptedTurn.ending(ScriptedTurn.Outcome.HANG).ignoringInterrupts())
                .start();
        bench.say(ALICE, "hello");
        bench.pass(Duration.ofMinutes(31));

        assertThat(bench.seen(ALICE)).singleElement().asString().contains("did nothing");
    }

    @Test
    @DisplayName("C18: the time-out is one of inactivity: tools keep a long turn alive")
    void toolsKeepATurnAlive() {
        bench.script(ScriptedTurn.reply("done")
                        .taking(Duration.ofMinutes(80))
                        .using(new ToolUse("a", "{}", "1"), new ToolUse("b", "{}", "2"), new ToolUse("c", "{}", "3")))
                .start();
        bench.say(ALICE, "hello");
        bench.pass(Duration.ofMinutes(81));

        assertThat(bench.seen(ALICE)).containsExactly("done");
    }

    @Test
    @DisplayName("Q8.28, Q8.30: an unknown slash word while busy is text, and idle it is answered")
    void unknownCommands() {
        bench.start();
        bench.say(ALICE, "/frobnicate now");
        assertThat(bench.turns(ALICES)).isEmpty();
        assertThat(bench.seen(ALICE)).singleElement().asString().startsWith("Unknown command /frobnicate");
        bench.say(ALICE, "/usr/bin/env is a path");
        assertThat(bench.turns(ALICES)).containsExactly("/usr/bin/env is a path");
    }

    @Test
    @DisplayName("S: lanes run in parallel: one long turn blocks nobody else")
    void lanesRunInParallel() {
        bench.script(slow("x").on(ALICES)).start();
        bench.say(ALICE, "task");
        bench.say(BOB, "hi");

        assertThat(bench.turns(BOBS)).containsExactly("hi");
        assertThat(bench.seen(BOB)).hasSize(1);
    }

    @Test
    @DisplayName("Q8.11: an unauthorised sender is refused and leaves no trace")
    void unauthorisedSendersLeaveNoTrace() {
        bench.authorization = new dev.parley.application.port.Authorization() {
            @Override
            public boolean mayTalk(SessionSource source) {
                return false;
            }

            @Override
            public boolean isAdmin(SessionSource source) {
                return false;
            }
        };
        bench.start();

        assertThat(bench.say(ALICE, "hello")).isInstanceOf(Receipt.Refused.class);
        assertThat(bench.seen(ALICE)).isEmpty();
        assertThat(bench.memory.lanes().count()).isZero();
    }

    @Test
    @DisplayName("Turns end as what became of them")
    void turnsEndAsWhatBecameOfThem() {
        bench.script(slow("x")).start();
        bench.say(ALICE, "task");
        Turn running = bench.memory.queue().claimed().get(0);
        bench.say(ALICE, "other");

        assertThat(bench.memory.queue().turn(running.id()).orElseThrow().state())
                .isEqualTo(Turn.State.INTERRUPTED);
    }

    @ParameterizedTest
    @CsvSource({"DELEGATING,others working for it", "COMPRESSING,being compressed"})
    @DisplayName("Q8.11: while the agent directs others or compresses, a message is queued instead of interrupting")
    void anEngagedAgentIsNotInterrupted(AgentRun.Engagement engagement, String told) {
        bench.script(slow("done").engagedIn(engagement)).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "and this");
        assertThat(bench.agents.interrupts()).isEmpty();
        assertThat(bench.seen(ALICE)).singleElement().asString().contains(told).contains("/stop");
        bench.pass(LONG);
        assertThat(bench.turns(ALICES)).containsExactly("task", "and this");
        assertThat(bench.seen(ALICE)).contains("done");
    }

    @Test
    @DisplayName("Q8.11: /stop ends an agent that directs others")
    void stopEndsAnEngagedAgent() {
        bench.script(slow("done").engagedIn(AgentRun.Engagement.DELEGATING)).start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/stop");
        assertThat(bench.agents.interrupts()).containsExactly("Stop requested");
    }

    @Test
    @DisplayName("Q8.9: a turn that has run for more than ten times the time-out is given up for a new message")
    void aTurnThatRunsForEverIsGivenUp() {
        List<ToolUse> steps = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            steps.add(new ToolUse("step", "{}", "ok"));
        }
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .script(ScriptedTurn.reply("never said")
                        .taking(Duration.ofHours(10))
                        .using(steps.toArray(ToolUse[]::new))
                        .ignoringInterrupts())
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofHours(5));
        bench.say(ALICE, "waits");
        assertThat(bench.turns(ALICES)).containsExactly("task");
        bench.pass(Duration.ofSeconds(1));
        bench.say(ALICE, "goes on");
        assertThat(bench.turns(ALICES)).containsExactly("task", "waits", "goes on");
        assertThat(bench.agents.interrupts()).containsExactly("Execution timed out");
        assertThat(bench.seen(ALICE)).anyMatch(t -> t.contains("had been running for 5 h and was given up"));
        bench.pass(Duration.ofHours(10));
        assertThat(bench.seen(ALICE)).noneMatch("never said"::equals);
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reuse S1", "reuse S1");
    }

    @Test
    @DisplayName("Q8.9: without a time-out no turn is given up, however long it runs")
    void withoutATimeoutNothingIsGivenUp() {
        bench.with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)).turns(t -> t.withTimeout(Duration.ZERO)))
                .script(ScriptedTurn.reply("done").taking(Duration.ofDays(2)))
                .start();
        bench.say(ALICE, "task");
        bench.pass(Duration.ofDays(1));
        bench.say(ALICE, "waits");
        assertThat(bench.turns(ALICES)).containsExactly("task");
        bench.pass(Duration.ofDays(1));
        assertThat(bench.seen(ALICE)).contains("done");
        assertThat(bench.turns(ALICES)).containsExactly("task", "waits");
    }

    @Test
    @DisplayName("Q8.31, AnswerListener: whoever waits for steered text learns that /stop dropped it")
    void whoeverSteeredLearnsOfTheStop() {
        List<String> closed = new ArrayList<>();
        bench.script(slow("x")).start();
        bench.say(ALICE, "task");
        bench.say(new Received(ALICE, "/steer this", List.of(), Optional.of("s1")), new AnswerListener() {
            @Override
            public void closed(String why) {
                closed.add(why);
            }
        });
        bench.say(ALICE, "/stop");

        assertThat(closed).containsExactly("The turn was stopped.");
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    @DisplayName(
            "Commit rule 5: a message that was stored although its sender was told otherwise runs when it is delivered again,"
                    + " once")
    void aMessageStoredUnknownToItsSenderRunsWhenItComesAgain() {
        bench.start();
        bench.storage.become(SwitchableStorage.State.SILENT);
        assertThat(bench.say(ALICE, "hello", "x")).isInstanceOf(Receipt.Unavailable.class);
        bench.storage.become(SwitchableStorage.State.AVAILABLE);
        assertThat(bench.say(ALICE, "hello", "x")).isInstanceOf(Receipt.Duplicate.class);
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.turns(ALICES)).containsExactly("hello");
        assertThat(bench.seen(ALICE)).containsExactly("hello");
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    @DisplayName(
            "Commit rule 5: what was stored although its sender was told otherwise runs and is answered also where nobody"
                    + " writes again")
    void whatWasStoredUnknownRunsByItself() {
        bench.start();
        bench.say(ALICE, "before");
        bench.storage.become(SwitchableStorage.State.SILENT);
        assertThat(bench.say(ALICE, "/new", "n")).isInstanceOf(Receipt.Unavailable.class);
        assertThat(bench.say(BOB, "hello", "x")).isInstanceOf(Receipt.Unavailable.class);
        bench.storage.become(SwitchableStorage.State.UNAVAILABLE);
        bench.pass(Duration.ofSeconds(20));
        bench.storage.become(SwitchableStorage.State.AVAILABLE);
        bench.pass(Duration.ofSeconds(20));

        assertThat(bench.turns(BOBS)).containsExactly("hello");
        assertThat(bench.seen(BOB)).containsExactly("hello");
        assertThat(bench.seen(ALICE)).hasSize(2).last().asString().startsWith("A new session has begun.");
        assertThat(bench.say(ALICE, "/new", "n")).isInstanceOf(Receipt.Duplicate.class);
        assertThat(bench.seen(ALICE)).hasSize(2);
        assertThat(bench.memory.queue().undelivered()).isEmpty();
    }

    // ------------------------------------------------------------------ /stop in a thread

    private final SessionSource alice = Bench.inThread("-9", "5", "1", "Alice");
    private final SessionSource bob = Bench.inThread("-9", "5", "2", "Bob");

    private Bench withLanesOfTheirOwn() {
        bench.isolation = new Isolation(true, true);
        return bench;
    }

    @Test
    @DisplayName(
            "Z12.2: /stop in a thread stops the others' tasks there where the sender has none, and nobody's elsewhere")
    void stopInAThreadStopsTheOthers() {
        withLanesOfTheirOwn().script(slow("x"), slow("y")).start();
        SessionSource elsewhere = Bench.inThread("-9", "6", "2", "Bob");
        SessionKey bobs = bench.rules().keyOf(bob);
        bench.say(bob, "task");
        bench.say(bob, "/queue more");
        bench.say(elsewhere, "other task");
        bench.say(alice, "/stop");

        assertThat(bench.agents.interrupts()).containsExactly("Stop requested");
        assertThat(bench.entry(bobs).isSuspended()).isTrue();
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.memory.lanes().find(bench.rules().keyOf(alice))).isEmpty();
        assertThat(bench.seen(bob))
                .contains("Stopping the running task of another participant of this thread.")
                .anyMatch(t -> t.startsWith("Your task was stopped by Alice."));
        bench.pass(LONG);
        assertThat(bench.turns(bench.rules().keyOf(elsewhere))).hasSize(1);
        assertThat(bench.seen(elsewhere)).contains("y").doesNotContain("x");
    }

    @Test
    @DisplayName("Z12.2: /stop stops the sender's own task and leaves the others' alone")
    void stopStopsOnesOwnTaskFirst() {
        withLanesOfTheirOwn().script(slow("x"), slow("y")).start();
        bench.say(bob, "task");
        bench.say(alice, "task");
        bench.say(alice, "/stop");

        assertThat(bench.entry(bench.rules().keyOf(alice)).isSuspended()).isTrue();
        assertThat(bench.entry(bench.rules().keyOf(bob)).isSuspended()).isFalse();
        bench.pass(LONG);
        assertThat(bench.seen(bob)).contains("x").doesNotContain("y");
    }

    @Test
    @DisplayName("Z12.2: outside a thread /stop never reaches another's task")
    void stopOutsideAThreadReachesNobodyElse() {
        SessionSource carol = Bench.inGroup("-8", "3", "Carol");
        SessionSource dave = Bench.inGroup("-8", "4", "Dave");
        bench.script(slow("x")).start();
        bench.say(dave, "task");
        bench.say(carol, "/stop");

        assertThat(bench.seen(carol)).containsExactly("No active task to stop.");
        bench.pass(LONG);
        assertThat(bench.seen(dave)).contains("x");
    }
}
