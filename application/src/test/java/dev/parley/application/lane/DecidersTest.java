package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.Receipt;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DecidersTest {
    private static final Stopping STOP = new Stopping("banner", "interrupt", "kept", ResumeReason.SHUTDOWN_TIMEOUT);

    private static <T> List<T> of(Class<T> type, List<?> all) {
        return all.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static List<String> texts(LaneStep step) {
        return of(Change.PutOutgoing.class, step.store()).stream()
                .map(put -> put.outgoing().text())
                .toList();
    }

    private static List<Inbound.State> inbound(LaneStep step) {
        return of(Change.PutInbound.class, step.store()).stream()
                .map(put -> put.inbound().state())
                .toList();
    }

    private static List<Turn.State> turns(LaneStep step) {
        return of(Change.PutTurn.class, step.store()).stream()
                .map(put -> put.turn().state())
                .toList();
    }

    // ------------------------------------------------------------------ admitting

    @Test
    void anAdmittedMessageIsStoredBeforeItsReceipt() {
        LaneStep step = Admitting.admit(
                Given.idle(), Given.says("a"), new Reaction.Waits(), Optional.empty(), true, Given.moment());
        assertThat(inbound(step)).containsExactly(Inbound.State.ADMITTED);
        assertThat(step.after().waiting().messages()).hasSize(1);
        assertThat(of(Effect.Receive.class, step.then()))
                .singleElement()
                .satisfies(r -> assertThat(r.receipt()).isInstanceOf(Receipt.Admitted.class));
    }

    @Test
    void aMessageThatIsTurnedAwayStoresNothingOfItselfAndIsToldOnce() {
        LaneStep first = Admitting.noPlace(Given.idle(), Given.says("a"), "1/1", false, Given.moment());
        assertThat(inbound(first)).isEmpty();
        assertThat(texts(first)).containsExactly("Active session limit reached (1/1). Please try again in a moment.");
        assertThat(of(Effect.Receive.class, first.then()))
                .singleElement()
                .satisfies(r -> assertThat(r.receipt()).isInstanceOf(Receipt.TurnedAway.class));
        LaneStep again = Admitting.noPlace(Given.idle(), Given.says("a"), "1/1", true, Given.moment());
        assertThat(again.store()).isEmpty();
        assertThat(again.after()).isEqualTo(Given.idle().with(again.after().lane()));
    }

    @Test
    void onlyALaneWithNothingToDoNeedsAPlace() {
        assertThat(Admitting.needsPlace(Given.idle())).isTrue();
        assertThat(Admitting.needsPlace(Given.working())).isFalse();
        assertThat(Admitting.needsPlace(Given.waiting("a"))).isFalse();
    }

    @Test
    void followUpsAreCountedWhileSomethingRunsOrNothingBegins() {
        LaneState busy = Given.waiting("a", "b").with(Given.working().slot());
        assertThat(Admitting.isOneTooMany(busy, Given.says("c"), false, 2)).isTrue();
        assertThat(Admitting.isOneTooMany(busy, Given.says("c"), false, 3)).isFalse();
        assertThat(Admitting.isOneTooMany(Given.waiting("a", "b"), Given.says("c"), false, 2))
                .isFalse();
        assertThat(Admitting.isOneTooMany(Given.waiting("a", "b"), Given.says("c"), true, 2))
                .isTrue();
    }

    @Test
    void inputThatTheAgentTookWaitsNoLongerAndIsNotForgotten() {
        Inbound input = Given.inbound(Given.idle(), "faster");
        LaneState busy = Given.working().with(Waiting.NOTHING.with(input));
        LaneStep taken = Admitting.steered(busy, input, true, true, Given.moment());
        assertThat(taken.after().waiting().isEmpty()).isTrue();
        assertThat(taken.after().slot().working().orElseThrow().steered()).hasSize(1);
        assertThat(texts(taken)).containsExactly(TurnRows.PASSED_ON);
        LaneStep late = Admitting.steered(busy, input, false, true, Given.moment());
        assertThat(late.after().waiting().messages()).containsExactly(input);
        assertThat(texts(late)).containsExactly(CommandOutcome.Enqueue.WAITS);
    }

    @Test
    void anAnswerThatTheAgentDoesNotTakeDuringAStopIsKept() {
        Inbound answer = Given.inbound(Given.idle(), "green");
        LaneState busy = Given.working().with(Waiting.NOTHING.with(answer));
        assertThat(Admitting.clarified(busy, answer, false, true, Given.moment())
                        .then())
                .contains(new Effect.Close(List.of(answer.id()), Admitting.KEPT));
        assertThat(Admitting.clarified(busy, answer, true, true, Given.moment()).then())
                .noneMatch(Effect.Close.class::isInstance);
    }

    // ------------------------------------------------------------------ ending

    @Test
    void anAnswerIsStoredWithTheEndOfItsTurn() {
        LaneState state = Given.working();
        LaneStep step = TurnEnding.answered(
                state,
                state.slot().working().orElseThrow(),
                AgentAnswer.text("done"),
                Optional.empty(),
                Duration.ofMinutes(30),
                Given.moment());
        assertThat(step.require())
                .containsExactly(state.slot().working().orElseThrow().claim());
        assertThat(turns(step)).containsExactly(Turn.State.COMPLETED);
        assertThat(inbound(step)).containsExactly(Inbound.State.DONE);
        assertThat(texts(step)).containsExactly("done");
        assertThat(step.during().slot()).isInstanceOf(TurnSlot.Ending.class);
        assertThat(step.after().slot().isFree()).isTrue();
        assertThat(step.ofTurn()).isTrue();
    }

    @Test
    void howATurnEndsDependsOnWhyItWasInterrupted() {
        TurnWork turn = Given.turn(Given.NOW);
        AgentAnswer nothing = new AgentAnswer(
                Content.text(""),
                Reasoning.NONE,
                Optional.empty(),
                TokenUsage.NONE,
                0,
                1,
                Optional.empty(),
                Billing.NONE,
                Optional.empty());
        for (Cause cause : Cause.values()) {
            TurnWork interrupted = turn.interrupted(cause);
            LaneState state = Given.waiting("next").with(new TurnSlot.Working(interrupted));
            LaneStep step = TurnEnding.interrupted(state, interrupted, nothing, Duration.ofMinutes(30), Given.moment());
            List<String> expected = switch (cause) {
                case FOLLOW_UP, DRAIN -> List.of();
                case OPERATOR -> List.of("Interrupted.");
                case TIMEOUT ->
                    List.of("Sorry, that did not work: The agent did nothing for 30 minutes, so the task was"
                            + " stopped. Please try again.");
                case UNANSWERED ->
                    List.of("Sorry, that did not work: Nobody answered the question for 30 minutes, so the task was"
                            + " stopped. Please try again.");
            };
            assertThat(texts(step)).as(cause.name()).isEqualTo(expected);
        }
    }

    @Test
    void inputThatCameTooLateForATurnIsAMessageAgain() {
        Inbound late = Given.inbound(Given.idle(), "late");
        TurnWork turn = Given.turn(Given.NOW).steeredBy(late);
        LaneState state = Given.idle().with(new TurnSlot.Working(turn));
        LaneStep step = TurnEnding.failed(
                state,
                turn,
                new AgentFailure(AgentFailure.Kind.MODEL, "no", TokenUsage.NONE, 1),
                Duration.ofMinutes(30),
                Given.moment());
        assertThat(step.after().waiting().messages())
                .extracting(Inbound::id, Inbound::kind)
                .containsExactly(tuple(late.id(), Inbound.Kind.MESSAGE));
    }

    @Test
    void ofATurnThatIsTooLargeTheAnswerToItsQuestionIsNotStoredEither() {
        LaneStep step = failing(answered(), AgentFailure.Kind.CONTEXT_TOO_LARGE);
        assertThat(of(Change.AppendMessages.class, step.store())).isEmpty();
        assertThat(of(Change.HideMessages.class, step.store())).hasSize(1);
        assertThat(inbound(step)).containsExactly(Inbound.State.DONE, Inbound.State.DONE);
        assertThat(step.then()).contains(new Effect.LetGo(1, false));
    }

    @Test
    void theAnswerToItsQuestionIsStoredAtTheEndOfATurnAndCountsAmongItsMessages() {
        LaneStep failed = failing(answered(), AgentFailure.Kind.MODEL);
        assertThat(of(Change.AppendMessages.class, failed.store()))
                .singleElement()
                .satisfies(append ->
                        assertThat(append.messages()).extracting(Message::kind).containsExactly(Message.Kind.STEERED));
        assertThat(failed.then()).contains(new Effect.LetGo(2, false));

        TurnWork turn = answered();
        LaneStep done = TurnEnding.answered(
                Given.idle().with(new TurnSlot.Working(turn)),
                turn,
                AgentAnswer.text("done"),
                Optional.empty(),
                Duration.ofMinutes(30),
                Given.moment());
        assertThat(done.then()).contains(new Effect.LetGo(3, false));
    }

    /** Returns a turn whose agent has asked something and was answered. */
    private static TurnWork answered() {
        return Given.turn(Given.NOW).answeredBy(Given.inbound(Given.idle(), "the red one"));
    }

    private static LaneStep failing(TurnWork turn, AgentFailure.Kind how) {
        return TurnEnding.failed(
                Given.idle().with(new TurnSlot.Working(turn)),
                turn,
                new AgentFailure(how, "no", TokenUsage.NONE, 1),
                Duration.ofMinutes(30),
                Given.moment());
    }

    // ------------------------------------------------------------------ commands

    @Test
    void aCommandThatDropsTheTurnDoesSoInItsOwnBatch() {
        LaneState state = Given.waiting("queued").with(Given.working().slot());
        Inbound command = Given.inbound(state, "/stop");
        LaneStep step = CommandSteps.carryOut(
                state,
                CommandOutcome.reply("Stopped.")
                        .with(CommandOutcome.Effect.DROP_TURN, CommandOutcome.Effect.CLEAR_QUEUE),
                command,
                Optional.of("stop"),
                CommandSteps.Origin.ARRIVED,
                Optional.empty(),
                Given.moment());
        assertThat(step.require())
                .contains(new Precondition.LaneEpoch(Given.KEY, 3))
                .contains(Given.working().slot().working().orElseThrow().claim());
        assertThat(turns(step)).containsExactly(Turn.State.DROPPED);
        assertThat(inbound(step)).containsExactly(Inbound.State.DONE, Inbound.State.DONE, Inbound.State.DROPPED);
        assertThat(step.after().slot().isFree()).isTrue();
        assertThat(step.after().waiting().isEmpty()).isTrue();
        assertThat(of(Effect.Supersede.class, step.then())).hasSize(1);
    }

    @Test
    void whoeverQueuesSomethingDuringASummaryIsToldWhyItWaits() {
        CommandOutcome queues = CommandOutcome.reply("").runningAsTurn("later");
        assertThat(queuedDuringASummary(queues, Optional.empty())).containsExactly(Reaction.COMPRESSING);
        assertThat(queuedDuringASummary(queues, Optional.of(new Standstill("kept", true))))
                .containsExactly("kept");
        assertThat(queuedDuringASummary(queues.with(CommandOutcome.Effect.DROP_TURN), Optional.empty()))
                .isEmpty();
    }

    private static List<String> queuedDuringASummary(CommandOutcome outcome, Optional<Standstill> standstill) {
        LaneState state = Given.waiting("/compress");
        LaneState summarising = state.with(new TurnSlot.Summarising(
                state.waiting().messages().get(0),
                new CommandOutcome.Summarise(
                        List.of(),
                        Optional.empty(),
                        (context, summary) -> CommandOutcome.reply(summary),
                        (context, why) -> CommandOutcome.reply(why))));
        return texts(CommandSteps.carryOut(
                summarising,
                outcome,
                Given.inbound(summarising, "/queue later"),
                Optional.of("queue"),
                CommandSteps.Origin.ARRIVED,
                standstill,
                Given.moment()));
    }

    @Test
    void onlyACommandThatRunsSomethingNeedsAPlace() {
        assertThat(CommandSteps.runsSomething(CommandOutcome.reply("hi"))).isFalse();
        assertThat(CommandSteps.runsSomething(CommandOutcome.reply("").runningAsTurn("again")))
                .isTrue();
    }

    // ------------------------------------------------------------------ claiming and draining

    @Test
    void nothingIsResumedWhereNothingIsMarked() {
        assertThat(Claiming.admitResume(Given.idle(), Given.moment()).store()).isEmpty();
        assertThat(Claiming.admitResume(Given.working(), Given.moment()).store())
                .isEmpty();
    }

    @Test
    void whatIsGivenUpIsAnsweredHonestly() {
        LaneState state = Given.waiting("a", "b");
        LaneStep step =
                Claiming.giveUp(state, state.waiting().messages(), "Something went wrong.", "failed", Given.moment());
        assertThat(inbound(step)).containsExactly(Inbound.State.DROPPED, Inbound.State.DROPPED);
        assertThat(texts(step)).containsExactly("Something went wrong.");
        assertThat(step.after().waiting().isEmpty()).isTrue();
    }

    @Test
    void aTurnThatIsCutOffIsMarkedBeforeItsAgentIsInterrupted() {
        LaneStep step = Draining.cutOff(Given.working(), STOP, 1, Given.moment());
        assertThat(step.store()).anyMatch(Change.PutLane.class::isInstance);
        assertThat(step.after().lane().orElseThrow().entry().toBeResumed()).isPresent();
        assertThat(step.then()).contains(new Effect.Interrupt("interrupt"));
        assertThat(Draining.cutOff(Given.idle(), STOP, 1, Given.moment()).store())
                .isEmpty();
    }

    @Test
    void peopleOfAMutedPlatformAreToldNothingOfAStop() {
        assertThat(Draining.toBeTold(Given.working(), Set.of())).contains(Given.ALICE);
        assertThat(Draining.toBeTold(Given.working(), Set.of(Given.ALICE.platform())))
                .isEmpty();
        assertThat(Draining.toBeTold(Given.idle(), Set.of())).isEmpty();
    }
}
