package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.Happened;
import dev.parley.application.port.Receipt;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class EventDeciderTest {
    private static final PlatformMessage NAME = new PlatformMessage(Platform.TELEGRAM, "1", "m1");

    private static Happened alice(ChatEvent event) {
        return new Happened(Given.ALICE, event, Optional.of("e1"));
    }

    private static LaneState waiting(Inbound.Kind kind) {
        LaneState idle = Given.idle();
        Inbound message = Given.moment()
                .inbound(
                        idle.waiting(),
                        kind,
                        Inbound.State.ADMITTED,
                        Given.ALICE,
                        "helo",
                        List.of(),
                        Optional.of(NAME));
        return idle.with(idle.waiting().with(message));
    }

    private static LaneState asking(AgentQuestion question) {
        return Given.idle().with(new TurnSlot.Working(Given.turn(Given.NOW).asking(question, Given.ASKED)));
    }

    private static LaneStep decide(LaneState state, Happened what) {
        return EventDecider.decide(state, what, Given.moment());
    }

    private static void isOfNoUse(LaneState state, LaneStep step) {
        assertThat(step.store()).isEmpty();
        assertThat(step.after()).isEqualTo(state);
        assertThat(step.then())
                .singleElement()
                .isInstanceOfSatisfying(
                        Effect.Receive.class,
                        effect -> assertThat(effect.receipt())
                                .isInstanceOfSatisfying(
                                        Receipt.Refused.class,
                                        r -> assertThat(r.reason()).isEqualTo(Receipt.Reason.NO_USE)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Inbound.Kind.class,
            names = {"MESSAGE", "QUEUED"})
    void anEditedMessageThatStillWaitsHasItsNewText(Inbound.Kind kind) {
        LaneState state = waiting(kind);
        Inbound before = state.waiting().messages().get(0);
        LaneStep step = decide(state, alice(new ChatEvent.Edited("m1", "hello")));
        assertThat(step.require()).containsExactly(new Precondition.StillAdmitted(before.id()));
        assertThat(step.after().waiting().messages()).containsExactly(before.edited("hello"));
        assertThat(step.store())
                .filteredOn(Change.PutInbound.class::isInstance)
                .extracting(change -> ((Change.PutInbound) change).inbound().kind())
                .containsExactly(Inbound.Kind.EVENT, kind);
    }

    static Stream<Happened> others() {
        SessionSource bob = Given.ALICE.toBuilder().userId("2").build();
        SessionSource elsewhere = Given.ALICE.toBuilder().chatId("2").build();
        ChatEvent edited = new ChatEvent.Edited("m1", "hello");
        return Stream.of(
                alice(new ChatEvent.Edited("m2", "hello")),
                new Happened(bob, edited, Optional.of("e1")),
                new Happened(elsewhere, edited, Optional.of("e1")),
                alice(new ChatEvent.Deleted("m1")),
                alice(new ChatEvent.Reacted("m1", "+1", false)),
                alice(new ChatEvent.Joined(false)),
                alice(new ChatEvent.Left(true)),
                alice(new ChatEvent.Renamed(Optional.of("new"), Optional.empty())),
                alice(new ChatEvent.Pressed("m1", "anything")));
    }

    @ParameterizedTest
    @MethodSource("others")
    void whatConcernsNothingThatIsOpenIsOfNoUse(Happened what) {
        LaneState state = waiting(Inbound.Kind.MESSAGE);
        isOfNoUse(state, decide(state, what));
    }

    @Test
    void aCommandThatWaitsIsNotEdited() {
        LaneState state = waiting(Inbound.Kind.COMMAND);
        isOfNoUse(state, decide(state, alice(new ChatEvent.Edited("m1", "/stop"))));
    }

    @Test
    void aPressedButtonDecidesWhatTheAgentAskedAndIsRecorded() {
        AgentQuestion question = new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?");
        LaneState state = asking(question);
        String always = Choices.of(question, Given.ASKED).get(2).value();
        LaneStep step = decide(state, alice(new ChatEvent.Pressed("m1", always)));
        assertThat(step.then())
                .contains(new Effect.Decide(AgentQuestion.Decision.of(AgentQuestion.Approval.ALWAYS), Given.ALICE));
        assertThat(step.store()).singleElement().isInstanceOfSatisfying(Change.PutInbound.class, put -> {
            assertThat(put.inbound().kind()).isEqualTo(Inbound.Kind.EVENT);
            assertThat(put.inbound().platformMessage()).contains(new PlatformMessage(Platform.TELEGRAM, "1", "e1"));
        });
    }

    @Test
    void aPressedChoiceIsTheAnswerInWords() {
        AgentQuestion question = new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, "Which?", List.of("red", "blue"));
        LaneState state = asking(question);
        String blue = Choices.of(question, Given.ASKED).get(1).value();
        LaneStep step = decide(state, alice(new ChatEvent.Pressed("m1", blue)));
        assertThat(step.then())
                .anySatisfy(effect -> assertThat(effect)
                        .isInstanceOfSatisfying(
                                Effect.Clarify.class,
                                clarify -> assertThat(clarify.answer().text()).isEqualTo("blue")));
        assertThat(step.after().waiting().messages()).hasSize(1);
    }

    @Test
    void aButtonUnderAnotherQuestionAnswersNothing() {
        AgentQuestion question = new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?");
        LaneState state = asking(question);
        String earlier = Choices.of(question, new OutgoingId("out-0")).get(0).value();
        isOfNoUse(state, decide(state, alice(new ChatEvent.Pressed("m1", earlier))));
    }

    @Test
    void aButtonPressedWhileNothingIsAskedAnswersNothing() {
        AgentQuestion question = new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?");
        LaneState state = Given.working();
        String pressed = Choices.of(question, Given.ASKED).get(0).value();
        isOfNoUse(state, decide(state, alice(new ChatEvent.Pressed("m1", pressed))));
    }

    @Test
    void aChatThatMovedIsRemembered() {
        LaneStep step = decide(Given.idle(), alice(new ChatEvent.Moved("-17")));
        assertThat(step.store()).contains(new Change.PutMeta("moved_chat:telegram:1", "-17"));
        assertThat(step.after().waiting().lastOrdinal()).isEqualTo(1);
        assertThat(step.after().waiting().isEmpty()).isTrue();
    }
}
