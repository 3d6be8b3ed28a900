package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.lane.BusyPolicy.Reaction;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.Received;
import dev.parley.application.settings.Busy;
import dev.parley.application.settings.BusyMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BusyPolicyTest {
    private static final Optional<Glance> WORKS =
            Optional.of(new Glance(Optional.empty(), Given.NOW, Optional.empty()));
    private static final Standstill STANDSTILL = new Standstill("kept", true);

    private static Reaction reaction(LaneState state, Received message, BusyMode mode, Optional<Glance> glance) {
        return BusyPolicy.reaction(
                state,
                message,
                Optional.empty(),
                glance,
                Busy.DEFAULT.withMode(mode),
                Duration.ofMinutes(30),
                Given.NOW);
    }

    @ParameterizedTest
    @EnumSource(BusyMode.class)
    void anIdleLaneDoesNothingToAMessage(BusyMode mode) {
        assertThat(reaction(Given.idle(), Given.says("a"), mode, Optional.empty()))
                .isEqualTo(new Reaction.Waits());
    }

    @Test
    void whatATextDoesToARunningTurnIsConfigured() {
        assertThat(reaction(Given.working(), Given.says("a"), BusyMode.INTERRUPT, WORKS))
                .isInstanceOf(Reaction.Interrupts.class);
        assertThat(reaction(Given.working(), Given.says("a"), BusyMode.QUEUE, WORKS))
                .isInstanceOf(Reaction.Told.class);
        assertThat(reaction(Given.working(), Given.says("a"), BusyMode.STEER, WORKS))
                .isEqualTo(new Reaction.Steers());
    }

    @ParameterizedTest
    @EnumSource(BusyMode.class)
    void aPhotoNeverInterrupts(BusyMode mode) {
        assertThat(reaction(Given.working(), Given.photo(), mode, WORKS)).isEqualTo(new Reaction.Waits());
    }

    @Test
    void anAgentThatDirectsOthersIsNotInterrupted() {
        Glance directs = new Glance(Optional.of(AgentRun.Engagement.DELEGATING), Given.NOW, Optional.empty());
        assertThat(reaction(Given.working(), Given.says("a"), BusyMode.INTERRUPT, Optional.of(directs)))
                .isInstanceOf(Reaction.Told.class);
    }

    /** Decision 56: whether to wait or to send /stop depends on it, whatever becomes of the message. */
    @Test
    void everyAcknowledgementSaysForHowLongATaskHasRunAndWhatItDoes() {
        LaneState working = Given.working(Given.NOW.minus(Duration.ofMinutes(5)));
        for (BusyMode mode : BusyMode.values()) {
            for (Optional<AgentRun.Engagement> engaged : List.of(
                    Optional.<AgentRun.Engagement>empty(),
                    Optional.of(AgentRun.Engagement.DELEGATING),
                    Optional.of(AgentRun.Engagement.COMPRESSING))) {
                Glance glance = new Glance(engaged, Given.NOW, Optional.of("reading"));
                for (String text : List.of("a", " ")) {
                    Reaction reaction = reaction(working, text, mode, Optional.of(glance), Busy.Detail.ALWAYS);
                    said(reaction)
                            .ifPresent(said -> assertThat(said)
                                    .as("%s, %s", mode, engaged)
                                    .endsWith(" It has run for 5 min: reading."));
                    assertThat(said(reaction).isEmpty())
                            .as("%s, %s", mode, engaged)
                            .isEqualTo(mode == BusyMode.STEER && text.equals("a"));
                    said(reaction(working, text, mode, Optional.of(glance), Busy.Detail.NEVER))
                            .ifPresent(said -> assertThat(said).doesNotContain("has run"));
                }
            }
        }
        assertThat(said(reaction(working, "a", BusyMode.STEER, Optional.empty(), Busy.Detail.ALWAYS)))
                .as("nothing can be handed to the agent")
                .contains("Queued for the next turn. It has run for 5 min.");
    }

    private static Reaction reaction(
            LaneState state, String text, BusyMode mode, Optional<Glance> glance, Busy.Detail detail) {
        return BusyPolicy.reaction(
                state,
                Given.says(text),
                Optional.empty(),
                glance,
                Busy.DEFAULT.withMode(mode).withTextMode(Optional.empty()).withDetail(detail),
                Duration.ofMinutes(30),
                Given.NOW);
    }

    private static Optional<String> said(Reaction reaction) {
        if (reaction instanceof Reaction.Told told) {
            return Optional.of(told.text());
        }
        return reaction instanceof Reaction.Interrupts interrupts ? Optional.of(interrupts.text()) : Optional.empty();
    }

    @Test
    void aTurnThatHasDoneNothingForTooLongIsGivenUp() {
        Instant longAgo = Given.NOW.minus(Duration.ofMinutes(30));
        Glance idle = new Glance(Optional.empty(), longAgo, Optional.empty());
        assertThat(reaction(Given.working(longAgo), Given.says("a"), BusyMode.QUEUE, Optional.of(idle)))
                .isEqualTo(new Reaction.GivesUp());
        Glance justNot = new Glance(Optional.empty(), longAgo.plusMillis(1), Optional.empty());
        assertThat(reaction(Given.working(longAgo), Given.says("a"), BusyMode.QUEUE, Optional.of(justNot)))
                .isInstanceOf(Reaction.Told.class);
    }

    @Test
    void whatFollowsTelegramsTextAtOnceBelongsToIt() {
        assertThat(reaction(
                        Given.working(Given.NOW.minusSeconds(3)), Given.says("part two"), BusyMode.INTERRUPT, WORKS))
                .isEqualTo(new Reaction.Waits());
        assertThat(reaction(
                        Given.working(Given.NOW.minusMillis(3001)), Given.says("part two"), BusyMode.INTERRUPT, WORKS))
                .isInstanceOf(Reaction.Interrupts.class);
    }

    @Test
    void anAnswerToAQuestionIsNoFollowUpAlsoWhileTheGatewayStops() {
        TurnWork turn = Given.turn(Given.NOW.minusSeconds(30));
        LaneState asked = Given.idle()
                .with(new TurnSlot.Working(
                        turn.asking(new AgentQuestion(AgentQuestion.Kind.CLARIFICATION, "which one?"), Given.ASKED)));
        assertThat(reaction(asked, Given.says("the red one"), BusyMode.INTERRUPT, WORKS))
                .isEqualTo(new Reaction.Answers());
        assertThat(BusyPolicy.reaction(
                        asked,
                        Given.says("the red one"),
                        Optional.of(STANDSTILL),
                        WORKS,
                        Busy.DEFAULT,
                        Duration.ofMinutes(30),
                        Given.NOW))
                .isEqualTo(new Reaction.Answers());
    }

    @Test
    void aBareWordAnswersAnApprovalAndNothingElse() {
        TurnWork turn = Given.turn(Given.NOW);
        LaneState asked = Given.idle()
                .with(new TurnSlot.Working(
                        turn.asking(new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm?"), Given.ASKED)));
        assertThat(BusyPolicy.approval(asked, Given.says(" Yes "))).contains("/approve");
        assertThat(BusyPolicy.approval(asked, Given.says("always"))).contains("/approve always");
        assertThat(BusyPolicy.approval(asked, Given.says("no"))).contains("/deny");
        assertThat(BusyPolicy.approval(asked, Given.says("yes please"))).isEmpty();
        assertThat(BusyPolicy.approval(Given.working(), Given.says("yes"))).isEmpty();
    }

    @Test
    void acknowledgementsComeHalfAMinuteApartUnlessEachIsDue() {
        LaneState told = Given.working().acknowledged(Given.NOW);
        assertThat(BusyPolicy.mayAcknowledge(told, Optional.empty(), Busy.DEFAULT, Given.NOW.plusSeconds(29)))
                .isFalse();
        assertThat(BusyPolicy.mayAcknowledge(told, Optional.empty(), Busy.DEFAULT, Given.NOW.plusSeconds(30)))
                .isTrue();
        assertThat(BusyPolicy.mayAcknowledge(told, Optional.of(STANDSTILL), Busy.DEFAULT, Given.NOW))
                .isTrue();
        assertThat(BusyPolicy.mayAcknowledge(
                        Given.working(), Optional.empty(), Busy.DEFAULT.withAcknowledge(false), Given.NOW))
                .isFalse();
    }
}
