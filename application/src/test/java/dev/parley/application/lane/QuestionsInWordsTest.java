package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.ability.Asking;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentQuestion.Approval;
import dev.parley.application.turn.TurnReport;
import dev.parley.domain.change.Change;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a running turn's people are asked and told, and what is stored of it. */
class QuestionsInWordsTest {
    private static final OutgoingId ASKED = new OutgoingId("out-1");
    private static final AgentQuestion RISKY = new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?");
    private static final AgentQuestion COLOUR =
            new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, "Which?", List.of("red", "blue"));

    private static TurnWork turn(LaneState state) {
        return state.slot().working().orElseThrow();
    }

    private static List<Message> rows(LaneStep step) {
        return step.store().stream()
                .filter(Change.AppendMessages.class::isInstance)
                .flatMap(change -> ((Change.AppendMessages) change).messages().stream())
                .toList();
    }

    private static Outgoing told(LaneStep step) {
        return step.store().stream()
                .filter(Change.PutOutgoing.class::isInstance)
                .map(change -> ((Change.PutOutgoing) change).outgoing())
                .findFirst()
                .orElseThrow();
    }

    // ------------------------------------------------------------------ choices

    @ParameterizedTest
    @EnumSource(Approval.class)
    void eachButtonUnderARiskStandsForItsDecision(Approval approval) {
        String pressed = Choices.of(RISKY, ASKED)
                .get(List.of(Approval.values()).indexOf(approval))
                .value();
        assertThat(Choices.approval(RISKY, ASKED, pressed)).contains(approval);
        assertThat(Choices.words(RISKY, ASKED, pressed)).isEmpty();
        assertThat(Choices.approval(RISKY, new OutgoingId("out-2"), pressed)).isEmpty();
    }

    @Test
    void theChoicesOfAQuestionAreItsButtonsInOrder() {
        assertThat(Choices.of(COLOUR, ASKED)).extracting(Asking.Choice::label).containsExactly("red", "blue");
        assertThat(Choices.words(COLOUR, ASKED, Choices.of(COLOUR, ASKED).get(1).value()))
                .contains("blue");
        assertThat(Choices.approval(
                        COLOUR, ASKED, Choices.of(COLOUR, ASKED).get(1).value()))
                .isEmpty();
        assertThat(Choices.of(new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, "Who?"), ASKED))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, red", "' 2 ', blue", "3, 3", "0, 0", "12, 12", "two, two", "'2.', '2.'"})
    void aNumberStandsForAChoiceAndOtherWordsForThemselves(String said, String meant) {
        assertThat(Choices.meant(Optional.of(COLOUR), said)).isEqualTo(meant);
        assertThat(Choices.meant(Optional.empty(), said)).isEqualTo(said);
    }

    // ------------------------------------------------------------------ asking

    @Test
    void aQuestionSaysHowItIsAnsweredAndIsOverWithItsTurn() {
        LaneState state = Given.working();
        LaneStep step = Reporting.asked(state, turn(state), COLOUR, Duration.ofMinutes(5), Given.moment());
        assertThat(told(step).text()).isEqualTo("Which?\n1. red\n2. blue");
        assertThat(told(step).expiresAt()).contains(Given.NOW.plus(Duration.ofMinutes(5)));
        assertThat(turn(step.after()).question()).contains(COLOUR);
        assertThat(step.require()).containsExactly(turn(state).claim());
        assertThat(step.then())
                .containsExactly(
                        new Effect.Ask(turn(state).awaited(), told(step)),
                        new Effect.Question(
                                told(step), Choices.of(COLOUR, told(step).id())));
        assertThat(told(Reporting.asked(state, turn(state), RISKY, Duration.ZERO, Given.moment())))
                .satisfies(asked -> assertThat(asked.text()).isEqualTo("rm -r?\nAnswer yes, session, always or no."))
                .satisfies(asked -> assertThat(asked.expiresAt()).isEmpty());
    }

    // ------------------------------------------------------------------ what the agent reports

    @Test
    void callsOfToolsAreStoredAsTheyCome() {
        LaneState state = Given.working();
        TurnReport.Called called = new TurnReport.Called(
                Content.text("let me see"),
                List.of(new ToolCall("c1", "ls", "{}"), new ToolCall("c2", "pwd", "{}")),
                Reasoning.NONE);
        LaneStep step = Reporting.called(state, turn(state), called, Given.moment());
        assertThat(rows(step)).singleElement().satisfies(row -> {
            assertThat(row.role()).isEqualTo(Role.ASSISTANT);
            assertThat(row.finishReason()).contains("tool_calls");
            assertThat(row.toolCalls()).isPresent();
        });
        assertThat(turn(step.after()).plan().turn().usage().toolCalls()).isEqualTo(2);
        assertThat(turn(step.after()).stored()).hasSize(2);
        assertThat(step.ofTurn()).isTrue();
    }

    @Test
    void whatPeopleSaidMeanwhileStandsBehindTheAnswerOfATool() {
        LaneState idle = Given.working();
        Inbound steered = Given.inbound(idle, "faster");
        LaneState state = idle.with(new TurnSlot.Working(turn(idle).steeredBy(steered)));
        LaneStep step = Reporting.toolAnswered(
                state, turn(state), new TurnReport.ToolAnswered("c1", "ls", Content.text("a b")), Given.moment());
        assertThat(rows(step)).extracting(row -> row.role()).containsExactly(Role.TOOL, Role.USER);
        assertThat(rows(step).get(0).toolCallId()).contains("c1");
        assertThat(turn(step.after()).steered()).isEmpty();
        assertThat(step.then()).containsExactly(new Effect.Close(List.of(steered.id()), TurnRows.PASSED_ON));
        assertThat(step.store())
                .filteredOn(Change.PutInbound.class::isInstance)
                .extracting(change -> ((Change.PutInbound) change).inbound().state())
                .containsExactly(Inbound.State.DONE);
    }

    @Test
    void peopleAreToldBeforeATurnThatDoesNotKnowWhatWasSaid() {
        LaneState state = Given.working();
        LaneStep step = Reporting.missingContext(state, turn(state), Given.moment());
        assertThat(told(step).text()).contains("not lost");
        assertThat(step.then()).containsExactly(new Effect.Deliver(told(step)));
        assertThat(step.after()).isEqualTo(state);
    }
}
