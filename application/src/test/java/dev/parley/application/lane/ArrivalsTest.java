package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.command.ChatCommand.When;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.lane.Lookups.Saying;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.turn.Inbound;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of a message that comes in, decided on a table. */
class ArrivalsTest {
    private static final Stopping STOP = new Stopping("banner", "interrupt", "kept", ResumeReason.SHUTDOWN_TIMEOUT);
    private static final GatewaySettings TWO_WAIT = GatewaySettings.DEFAULT.busy(busy -> busy.withMaxPending(2));
    private static final Saying STATUS = new Saying("status", When.ALWAYS, context -> CommandOutcome.reply("fine"));

    private final Lookups lookups = new Lookups();
    private final TurnedAway told = new TurnedAway();
    private final Arrivals arrivals = Lookups.arrivals(lookups, TWO_WAIT, told, STATUS);

    private static Receipt receipt(LaneStep step) {
        return step.then().stream()
                .filter(Effect.Receive.class::isInstance)
                .map(effect -> ((Effect.Receive) effect).receipt())
                .findFirst()
                .orElseThrow();
    }

    private static List<String> said(LaneStep step) {
        return step.store().stream()
                .filter(Change.PutOutgoing.class::isInstance)
                .map(change -> ((Change.PutOutgoing) change).outgoing().text())
                .toList();
    }

    private LaneStep plain(LaneState state, Received message) {
        return arrivals.plain(state, message, Optional.empty());
    }

    @Test
    void aMessageThatMakesALaneRunTakesAPlace() {
        assertThat(receipt(plain(Given.idle(), Given.says("a")))).isInstanceOf(Receipt.Admitted.class);
        assertThat(lookups.reserved).isEqualTo(1);
    }

    @Test
    void aMessageForALaneThatRunsTakesNone() {
        lookups.full = true;

        assertThat(receipt(plain(Given.working(), Given.says("a")))).isInstanceOf(Receipt.Admitted.class);
        assertThat(receipt(plain(Given.waiting("a"), Given.says("b")))).isInstanceOf(Receipt.Admitted.class);
        assertThat(lookups.reserved).isZero();
    }

    @Test
    void aMessageThatFindsNoPlaceIsTurnedAwayAndItsSenderToldOnce() {
        lookups.full = true;
        Received message = Given.says("a");

        LaneStep first = plain(Given.idle(), message);
        assertThat(receipt(first)).isInstanceOf(Receipt.TurnedAway.class);
        assertThat(said(first)).singleElement().asString().contains("2/2");

        told.tell(message.name());
        assertThat(said(plain(Given.idle(), message))).isEmpty();
    }

    @Test
    void whatIsToBeTurnedAwayAndCameBeforeIsARepetition() {
        lookups.full = true;
        Inbound known = Given.inbound(Given.idle(), "a");
        lookups.before = Optional.of(known);

        LaneStep step = plain(Given.idle(), Given.says("a"));

        assertThat(receipt(step)).isEqualTo(new Receipt.Duplicate(known.id(), Given.KEY));
        assertThat(step.store()).isEmpty();
    }

    @Test
    void aFollowUpTooManyIsTurnedAwayAndOneThatCameBeforeIsARepetition() {
        LaneState busy = Given.waiting("a", "b").with(Given.working().slot());

        assertThat(receipt(plain(busy, Given.says("c")))).isInstanceOf(Receipt.TurnedAway.class);

        lookups.before = Optional.of(Given.inbound(Given.idle(), "c"));
        assertThat(receipt(plain(busy, Given.says("c")))).isInstanceOf(Receipt.Duplicate.class);
    }

    @Test
    void aMessageIsKeptAndItsSenderToldSoWhileTheGatewayStopsAlsoWhereAllPlacesAreTaken() {
        lookups.full = true;
        lookups.stopping = Optional.of(STOP);

        LaneStep step = plain(Given.idle(), Given.says("a"));

        assertThat(receipt(step)).isInstanceOf(Receipt.Admitted.class);
        assertThat(said(step)).containsExactly("kept");
    }

    @Test
    void aMessageIsKeptAndItsSenderToldSoWhileTheGatewayIsHeld() {
        lookups.held = true;

        assertThat(said(plain(Given.idle(), Given.says("a")))).containsExactly(Standstill.HELD);
    }

    @Test
    void anUnknownCommandIsOneForAFreeLaneAndTextForABusyOne() {
        Received unknown = Given.says("/nonsense");

        assertThat(arrivals.command(Given.idle(), unknown)).isPresent();
        assertThat(arrivals.command(Given.working(), unknown)).isEmpty();
        assertThat(arrivals.command(Given.working(), Given.says("/status"))).isPresent();
    }

    @Test
    void aCommandThatRunsSomethingFindsNoPlaceAndOneThatAnswersNeedsNone() {
        lookups.full = true;
        LaneState idle = Given.idle();
        Received message = Given.says("/status");
        CommandOutcome runs = new CommandOutcome(
                "",
                List.of(),
                List.of(),
                Set.of(),
                Optional.of(new CommandOutcome.Enqueue(Inbound.Kind.MESSAGE, "again", true)),
                Optional.empty(),
                Optional.empty());

        assertThat(arrivals.turnedAway(idle, message, runs))
                .map(ArrivalsTest::receipt)
                .containsInstanceOf(Receipt.TurnedAway.class);
        assertThat(arrivals.turnedAway(idle, message, CommandOutcome.reply("fine")))
                .isEmpty();
        assertThat(arrivals.turnedAway(Given.working(), message, runs)).isEmpty();

        lookups.full = false;
        assertThat(arrivals.turnedAway(idle, message, runs)).isEmpty();
        assertThat(lookups.reserved).isEqualTo(1);
    }

    @Test
    void aPostedMessageDoesToABusyLaneWhatOneDoesThatComesInAndNothingToAFreeOne() {
        LaneState free = Given.waiting("a");
        Inbound posted = free.waiting().messages().get(0);

        assertThat(arrivals.posted(free, posted, Optional.empty())).isEqualTo(LaneStep.none(free));

        LaneState busy = free.with(Given.working().slot());
        LaneStep step = arrivals.posted(busy, posted, Optional.empty());
        assertThat(step.then()).anyMatch(Effect.Interrupt.class::isInstance);
        assertThat(step.store()).noneMatch(Change.PutInbound.class::isInstance);

        LaneState gone = busy.without(List.of(posted));
        assertThat(arrivals.posted(gone, posted, Optional.empty())).isEqualTo(LaneStep.none(gone));
    }

    @Test
    void aPostedWordThatApprovesIsACommandWhereTheAgentAsks() {
        Inbound yes = Given.inbound(Given.idle(), "yes");
        LaneState asking = Given.idle()
                .with(new TurnSlot.Working(Given.turn(Given.NOW)
                        .asking(new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?"), Given.ASKED)));

        assertThat(arrivals.postedCommand(asking, yes)).map(Inbound::text).contains("/approve");
        assertThat(arrivals.postedCommand(Given.working(), yes)).isEmpty();
    }
}
