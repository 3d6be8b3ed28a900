package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Received;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.LifeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The queue of a lane: its order, what an operator drops of it, what other gateways store for it, and chats that move. */
class QueueTest {
    // ------------------------------------------------------------------ order

    @Test
    void messagesWaitInTheOrderOfTheirOrdinalsWhateverIsReadFirst() {
        List<Inbound> three = Given.waiting("a", "b", "c").waiting().messages();
        Waiting read = Waiting.NOTHING
                .with(three.get(2))
                .with(three.get(0))
                .with(three.get(1))
                .with(three.get(0));
        assertThat(read.messages()).isEqualTo(three);
        assertThat(read.lastOrdinal()).isEqualTo(3);
    }

    @Test
    void noOrdinalIsGivenTwice() {
        Waiting two = Given.waiting("a", "b").waiting();
        assertThat(two.without(two.messages()).lastOrdinal()).isEqualTo(2);
        Inbound stored = Given.inbound(Given.waiting("a", "b"), "c");
        assertThat(two.used(stored).messages()).isEqualTo(two.messages());
        assertThat(two.used(stored).lastOrdinal()).isEqualTo(3);
    }

    @Test
    void onlyMessagesAndInputForARunningTaskCountAsFollowUps() {
        Waiting waiting = Waiting.NOTHING;
        for (Inbound.Kind kind : Inbound.Kind.values()) {
            waiting = waiting.with(Given.moment()
                    .inbound(waiting, kind, Inbound.State.ADMITTED, Given.ALICE, "x", List.of(), Optional.empty()));
        }
        assertThat(waiting.followUps()).isEqualTo(2);
    }

    // ------------------------------------------------------------------ dropping

    @Test
    void aMessageThatAnOperatorDropsLeavesTheQueueAlone() {
        LaneState state = Given.waiting("a", "b");
        Inbound dropped = state.waiting().messages().get(0);
        LaneStep step = Withdrawing.drop(state, dropped.id(), Given.moment());
        assertThat(step.require()).containsExactly(new Precondition.StillAdmitted(dropped.id()));
        assertThat(step.store()).containsExactly(new Change.PutInbound(dropped.in(Inbound.State.DROPPED)));
        assertThat(step.after().waiting().messages())
                .containsExactly(state.waiting().messages().get(1));
        assertThat(step.then()).contains(new Effect.Answer(true));
    }

    @Test
    void whatDoesNotWaitIsNotDropped() {
        LaneState state = Given.waiting("a");
        LaneStep step = Withdrawing.drop(state, new InboundId("in-unknown"), Given.moment());
        assertThat(step.store()).isEmpty();
        assertThat(step.then()).containsExactly(new Effect.Answer(false));
    }

    // ------------------------------------------------------------------ other gateways

    @Test
    void aPostedMessageIsAsItWasHandedInAndHasNoPlaceYet() {
        Received message = Given.says("hello");
        Inbound posted = Posting.posted(message, false, Optional.of(new LifeId("node-1")), Given.moment());
        assertThat(posted.ordinal()).isZero();
        assertThat(posted.kind()).isEqualTo(Inbound.Kind.MESSAGE);
        assertThat(posted.via()).contains(new LifeId("node-1"));
        assertThat(Posting.received(posted)).isEqualTo(message);
        assertThat(Posting.posted(message, true, Optional.empty(), Given.moment())
                        .kind())
                .isEqualTo(Inbound.Kind.COMMAND);
    }

    @Test
    void whatWaitsOrIsWithTheAgentIsKnown() {
        LaneState waiting = Given.waiting("a", "b");
        Inbound known = waiting.waiting().messages().get(0);
        Inbound withAgent = Given.inbound(waiting, "c");
        Inbound unknown = Given.inbound(waiting, "d");
        LaneState state =
                waiting.with(new TurnSlot.Working(Given.turn(Given.NOW).steeredBy(withAgent)));
        assertThat(Posting.unknown(state, List.of(known, withAgent, unknown))).containsExactly(unknown);
    }

    // ------------------------------------------------------------------ chats that move

    @Test
    void aChatThatMovedKeepsTheLaneItBeganWith() {
        MovedChats moved = new MovedChats();
        moved.note(chat("-100"), "-5");
        moved.note(chat("-200"), "-100");
        assertThat(moved.asBefore(chat("-200"))).isEqualTo(chat("-5"));
        assertThat(moved.asBefore(chat("-7"))).isEqualTo(chat("-7"));
        SessionSource elsewhere =
                SessionSource.builder(Platform.MATRIX, "-200").userId("1").build();
        assertThat(moved.asBefore(elsewhere)).isEqualTo(elsewhere);
    }

    @Test
    void chatsThatMovedInACircleAreFollowedNoFurther() {
        MovedChats moved = new MovedChats();
        moved.note(chat("a"), "b");
        moved.note(chat("b"), "a");
        assertThat(moved.asBefore(chat("a"))).isEqualTo(chat("b"));
    }

    private static SessionSource chat(String id) {
        return SessionSource.builder(Platform.TELEGRAM, id).userId("1").build();
    }
}
