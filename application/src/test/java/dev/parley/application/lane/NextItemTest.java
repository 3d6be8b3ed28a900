package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.command.ChatCommand.When;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.lane.Lookups.Saying;
import dev.parley.application.lane.NextItem.Asked;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.turn.Inbound;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a free lane does next, decided on a table. */
class NextItemTest {
    private static final Stopping STOP = new Stopping("banner", "interrupt", "kept", ResumeReason.SHUTDOWN_TIMEOUT);
    private static final Saying COMPRESS =
            new Saying("compress", When.IDLE, context -> CommandOutcome.reply("compressed"));

    private final Lookups lookups = new Lookups();

    private LaneStep decide(LaneState state) {
        return Lookups.next(lookups, COMPRESS).decide(state, Asked.NOTHING, 1);
    }

    private static LaneState with(LaneState state, Inbound.Kind kind, String text) {
        return state.with(state.waiting()
                .with(Given.moment()
                        .inbound(
                                state.waiting(),
                                kind,
                                Inbound.State.ADMITTED,
                                Given.ALICE,
                                text,
                                List.of(),
                                Optional.empty())));
    }

    /** A lane that was cut off some time ago, and whose resuming turn waits. */
    private static LaneState resuming(Duration ago) {
        Instant then = Given.NOW.minus(ago);
        LaneState idle = Given.idle();
        LaneState marked = idle.with(idle.lane()
                .map(lane ->
                        new Lane(lane.entry().markedForResume(ResumeReason.SHUTDOWN_TIMEOUT, then), lane.epoch())));
        return with(marked, Inbound.Kind.RESUME, "");
    }

    private static List<Inbound> put(LaneStep step) {
        return step.store().stream()
                .filter(Change.PutInbound.class::isInstance)
                .map(change -> ((Change.PutInbound) change).inbound())
                .toList();
    }

    private static boolean claims(LaneStep step) {
        return step.store().stream().anyMatch(Change.PutTurn.class::isInstance);
    }

    @Test
    void nothingBeginsWhileTheGatewayStops() {
        lookups.stopping = Optional.of(STOP);

        assertThat(Lookups.next(lookups).mayBegin(Given.waiting("a"))).isFalse();
        assertThat(Lookups.next(lookups).mayBegin(resuming(Duration.ofMinutes(1))))
                .isFalse();
    }

    @Test
    void onlyWhatWasCutOffGoesOnWhileTheGatewayIsHeld() {
        lookups.held = true;

        assertThat(Lookups.next(lookups).mayBegin(Given.waiting("a"))).isFalse();
        assertThat(Lookups.next(lookups).mayBegin(resuming(Duration.ofMinutes(1))))
                .isTrue();
    }

    @Test
    void aCommandThatWaitsIsNextBeforeMessages() {
        LaneState state = with(Given.waiting("a"), Inbound.Kind.COMMAND, "/compress");

        assertThat(Lookups.next(lookups).command(state)).map(Inbound::text).contains("/compress");
        assertThat(Lookups.next(lookups).command(Given.waiting("a"))).isEmpty();
        assertThat(decide(state)).isEqualTo(LaneStep.none(state));
    }

    @Test
    void aBusyLaneAndAnEmptyOneDoNothingNext() {
        LaneState busy = Given.waiting("a").with(Given.working().slot());

        assertThat(decide(busy)).isEqualTo(LaneStep.none(busy));
        assertThat(decide(Given.idle())).isEqualTo(LaneStep.none(Given.idle()));
    }

    @Test
    void messagesThatWaitAreClaimedByOneTurnWhereTheyStillWait() {
        LaneState state = Given.waiting("a", "b");

        LaneStep step = decide(state);

        assertThat(claims(step)).isTrue();
        assertThat(put(step)).extracting(Inbound::text).containsExactly("a", "b");
        assertThat(step.require())
                .contains(new Precondition.LaneEpoch(Given.KEY, 3))
                .filteredOn(Precondition.StillAdmitted.class::isInstance)
                .hasSize(2);
        assertThat(step.after().waiting().isEmpty()).isTrue();
        assertThat(step.during().slot()).isInstanceOf(TurnSlot.Claiming.class);
    }

    @Test
    void aTurnThatLosesThreeRacesIsGivenUpWithAnAnswer() {
        LaneState state = Given.waiting("a");

        LaneStep step = Lookups.next(lookups).decide(state, Asked.NOTHING, Deciding.ATTEMPTS + 1);

        assertThat(claims(step)).isFalse();
        assertThat(put(step)).extracting(Inbound::state).containsExactly(Inbound.State.DROPPED);
        assertThat(step.store())
                .filteredOn(Change.PutOutgoing.class::isInstance)
                .singleElement()
                .satisfies(change -> assertThat(
                                ((Change.PutOutgoing) change).outgoing().text())
                        .isEqualTo(CommandSteps.LOST_RACE));
    }

    @Test
    void whatWasCutOffIsResumedWhileItIsFreshAndDroppedWhenItIsNot() {
        assertThat(claims(decide(resuming(Duration.ofMinutes(1))))).isTrue();

        LaneStep late = decide(resuming(Duration.ofDays(2)));
        assertThat(claims(late)).isFalse();
        assertThat(put(late)).extracting(Inbound::state).containsExactly(Inbound.State.DROPPED);
        assertThat(late.after().waiting().isEmpty()).isTrue();
    }

    @Test
    void aConversationThatOutgrowsItsModelIsCompressedOnceBeforeATurn() {
        lookups.outgrows = true;
        LaneState state = Given.waiting("a");

        LaneStep first = decide(state);
        assertThat(put(first)).extracting(Inbound::text).containsExactly(LaneState.COMPRESS);
        assertThat(first.after().compressed()).isTrue();

        assertThat(claims(decide(state.compressed(true)))).isTrue();
    }

    @Test
    void nothingIsCompressedWhereNoCommandDoesOrATurnResumes() {
        lookups.outgrows = true;

        assertThat(claims(Lookups.next(lookups).decide(Given.waiting("a"), Asked.NOTHING, 1)))
                .isTrue();
        assertThat(claims(decide(resuming(Duration.ofMinutes(1))))).isTrue();
    }
}
