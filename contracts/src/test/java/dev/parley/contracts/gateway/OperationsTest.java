package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.gateway.Gateway;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection.LaneOrder;
import dev.parley.application.port.GatewayOperations;
import dev.parley.application.port.GatewayOperations.Edited;
import dev.parley.application.port.HeldElsewhere;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.testing.RecordingPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an operator does to single things of a running gateway. */
class OperationsTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Bench bench = new Bench();

    private static GatewayOperations of(Gateway gateway) {
        return gateway.operations().orElseThrow();
    }

    private GatewayOperations now() {
        return of(bench.running());
    }

    private List<InboundId> waiting() {
        return bench.memory.queue().admitted().stream().map(Inbound::id).toList();
    }

    /** Starts a gateway that looks every second whether an operator holds turns back. */
    private void startWatchful() {
        bench.with(s -> s.operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1))))
                .start();
    }

    // ------------------------------------------------------------------ lanes

    @Test
    void aSuspensionIsTakenBackAndTheNextMessageGoesOnWithTheSession() {
        bench.start();
        bench.say(ALICE, "a");
        SessionId session = bench.entry(ALICES).sessionId();
        assertThat(bench.operate(g -> g.suspendLane(ALICES))).isTrue();
        long epoch = bench.lane(ALICES).epoch();

        assertThat(bench.operate(g -> g.order(LaneOrder.UNSUSPEND, ALICES, epoch)))
                .isTrue();

        assertThat(bench.entry(ALICES).isSuspended()).isFalse();
        bench.say(ALICE, "b");
        assertThat(bench.entry(ALICES).sessionId()).isEqualTo(session);
        assertThat(bench.transcript(ALICES)).contains("user: a", "user: b");
        assertThat(bench.seen(ALICE)).as("nobody in the chat is told").hasSize(2);
    }

    @Test
    void thereIsNoSuspensionToTakeBackWhereTheLaneIsOpenOrHasMoved() {
        bench.start();
        bench.say(ALICE, "a");
        long open = bench.lane(ALICES).epoch();

        assertThat(bench.operate(g -> g.order(LaneOrder.UNSUSPEND, ALICES, open)))
                .isFalse();
        bench.operate(g -> g.suspendLane(ALICES));
        assertThat(bench.operate(g -> g.order(LaneOrder.UNSUSPEND, ALICES, open)))
                .isFalse();
        assertThat(bench.entry(ALICES).isSuspended()).isTrue();
    }

    @Test
    void aLaneGoesBackToAnEarlierSession() {
        bench.start();
        bench.say(ALICE, "a");
        SessionId first = bench.entry(ALICES).sessionId();
        bench.say(ALICE, "/new");
        long epoch = bench.lane(ALICES).epoch();

        assertThat(bench.operate(g -> of(g).resume(ALICES, first, epoch))).isTrue();

        assertThat(bench.entry(ALICES).sessionId()).isEqualTo(first);
        assertThat(bench.transitions(ALICES)).last().asString().contains("resume");
        bench.say(ALICE, "/why");
        assertThat(bench.seen(ALICE))
                .last()
                .asString()
                .contains("asked for by the operator")
                .doesNotContain("/resume");
        assertThat(bench.operate(
                        g -> of(g).resume(ALICES, first, bench.lane(ALICES).epoch())))
                .as("the lane is in it")
                .isFalse();
    }

    @Test
    void aLaneDoesNotGoBackToASessionWhileATurnRunsOrAnotherLaneIsInItOrTheLaneHasMoved() {
        bench.script(ScriptedTurn.reply("x").taking(LONG).on(BOBS)).start();
        bench.say(ALICE, "a");
        SessionId alices = bench.entry(ALICES).sessionId();
        bench.say(ALICE, "/new");
        bench.say(BOB, "b");
        long epoch = bench.lane(ALICES).epoch();

        assertThat(bench.operate(
                        g -> of(g).resume(BOBS, alices, bench.lane(BOBS).epoch())))
                .as("a turn runs")
                .isFalse();
        assertThat(bench.operate(g -> of(g).resume(ALICES, bench.entry(BOBS).sessionId(), epoch)))
                .as("another lane is in it")
                .isFalse();
        assertThat(bench.operate(g -> of(g).resume(ALICES, alices, epoch - 1)))
                .as("the lane has moved")
                .isFalse();
        assertThat(bench.operate(g -> of(g).resume(ALICES, SessionId.of("20260101_000000_00000000"), epoch)))
                .as("there is no such session")
                .isFalse();
    }

    @Test
    void anOperatorIsToldAtOnceThatALaneWaitsForItsStorage() {
        bench.start();
        bench.say(ALICE, "a");
        bench.storage.become(State.FULL);

        assertThatThrownBy(() -> bench.operate(g -> g.resetLane(ALICES)))
                .hasRootCauseInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("may do this later");
        assertThatThrownBy(() -> bench.operate(g -> g.suspendLane(ALICES)))
                .hasRootCauseInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("nothing was asked of it");
        bench.storage.become(State.AVAILABLE);
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.transitions(ALICES)).last().asString().isEqualTo("renewed operator");
        assertThat(bench.entry(ALICES).isSuspended()).isFalse();
    }

    // ------------------------------------------------------------------ waiting messages

    @Test
    void aWaitingMessageIsDroppedAndTheOthersRun() {
        bench.script(ScriptedTurn.reply("first").taking(LONG), ScriptedTurn.echo())
                .with(s -> s.busy(b -> b.withMode(dev.parley.application.settings.BusyMode.QUEUE)))
                .start();
        bench.say(ALICE, "a");
        List<String> closed = new ArrayList<>();
        bench.say(new Received(ALICE, "drop me", List.of(), Optional.of("gone")), new AnswerListener() {
            @Override
            public void closed(String why) {
                closed.add(why);
            }
        });
        bench.say(ALICE, "keep me");
        InboundId dropped = waiting().get(0);

        assertThat(bench.operate(g -> of(g).drop(ALICES, dropped))).isTrue();
        assertThat(bench.operate(g -> of(g).drop(ALICES, dropped)))
                .as("it waits no more")
                .isFalse();

        assertThat(closed).containsExactly("An operator has dropped the message.");
        assertThat(bench.events.of(GatewayEvent.Dropped.class)).hasSize(1);
        bench.pass(LONG);
        assertThat(bench.transcript(ALICES)).contains("user: keep me").doesNotContain("user: drop me");
        assertThat(waiting()).isEmpty();
    }

    @Test
    void aMessageOfAnotherLaneIsNotDropped() {
        startWatchful();
        bench.markers.hold(true);
        bench.pass(Duration.ofMinutes(1));
        bench.say(ALICE, "a");
        bench.say(BOB, "b");

        assertThat(bench.operate(g -> of(g).drop(BOBS, waiting().get(0)))).isFalse();
        assertThat(waiting()).hasSize(2);
    }

    @Test
    void aMessageThatWaitsWhileTurnsAreHeldIsDroppedBeforeItHasASession() {
        startWatchful();
        bench.markers.hold(true);
        bench.pass(Duration.ofMinutes(1));
        bench.say(ALICE, "a");

        assertThat(bench.operate(g -> of(g).drop(ALICES, waiting().get(0)))).isTrue();

        assertThat(waiting()).isEmpty();
        bench.markers.hold(false);
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.memory.lanes().find(ALICES)).isEmpty();
    }

    // ------------------------------------------------------------------ deliveries

    private OutgoingId undelivered(int place) {
        return bench.memory.queue().undelivered().get(place).id();
    }

    @Test
    void aDeliveryIsTriedNowInsteadOfAfterItsPause() {
        bench.start();
        bench.telegram.behave(RecordingPlatform.Behaviour.FAIL);
        bench.say(ALICE, "a");
        bench.pass(Duration.ofMinutes(10));
        int tries = bench.telegram.tried().size();
        bench.telegram.behave(RecordingPlatform.Behaviour.DELIVER);
        OutgoingId message = undelivered(0);

        assertThat(bench.operate(g -> of(g).tryNow(message))).isTrue();
        bench.settle();

        assertThat(bench.telegram.tried()).hasSizeGreaterThan(tries);
        assertThat(bench.seen(ALICE)).hasSize(1);
        assertThat(bench.operate(g -> of(g).tryNow(message)))
                .as("it is delivered")
                .isFalse();
    }

    @Test
    void aDeliveryThatIsGivenUpIsNeverSentAndWhatIsBehindItIs() {
        bench.start();
        bench.telegram.behave(RecordingPlatform.Behaviour.FAIL);
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");
        bench.say(ALICE, "c");
        OutgoingId head = undelivered(0);
        OutgoingId last = undelivered(2);

        assertThat(bench.operate(g -> of(g).giveUp(head))).isTrue();
        assertThat(bench.operate(g -> of(g).giveUp(last))).isTrue();
        assertThat(bench.operate(g -> of(g).giveUp(head))).as("once").isFalse();
        bench.telegram.behave(RecordingPlatform.Behaviour.DELIVER);
        bench.pass(Duration.ofMinutes(10));

        assertThat(bench.seen(ALICE)).hasSize(1).first().asString().contains("b");
        assertThat(bench.memory.queue().undelivered()).isEmpty();
        assertThat(bench.events.of(GatewayEvent.Expired.class))
                .extracting(expired -> expired.outgoing().id())
                .containsExactly(head, last);
        assertThat(bench.events.of(GatewayEvent.Expired.class))
                .extracting(expired -> expired.outgoing().state())
                .containsOnly(Outgoing.State.EXPIRED);
        assertThat(bench.events.of(GatewayEvent.Expired.class))
                .extracting(GatewayEvent.Expired::why)
                .containsOnly(GatewayEvent.Expired.Why.OPERATOR);
    }

    // ------------------------------------------------------------------ sessions

    @Test
    void aSessionIsTitledEndedReopenedAndDeleted() {
        bench.start();
        bench.say(ALICE, "a");
        SessionId first = bench.entry(ALICES).sessionId();
        bench.say(ALICE, "/new");
        SessionId current = bench.entry(ALICES).sessionId();
        SessionId none = SessionId.of("20260101_000000_00000000");

        assertThat(now().title(first, " Plans  for May ")).isEqualTo(new Edited.Done());
        assertThat(bench.memory.sessions().find(first).orElseThrow().title()).contains("Plans for May");
        assertThat(now().title(current, "Plans for May"))
                .isEqualTo(new Edited.TitleTaken("Plans for May", Optional.of(first)));
        assertThat(now().title(first, "x".repeat(300))).isInstanceOf(Edited.Invalid.class);
        assertThat(now().reopen(first)).isEqualTo(new Edited.Done());
        assertThat(bench.memory.sessions().find(first).orElseThrow().ending()).isEmpty();
        assertThat(now().end(first, "user_exit")).isEqualTo(new Edited.Done());
        assertThat(now().end(first, " ")).isInstanceOf(Edited.Invalid.class);
        assertThat(bench.memory.sessions().find(first).orElseThrow().endedBy("user_exit"))
                .isTrue();
        assertThat(now().end(current, "user_exit")).isEqualTo(new Edited.InUse(Optional.of(ALICES)));
        assertThat(now().delete(current)).isEqualTo(new Edited.InUse(Optional.of(ALICES)));
        assertThat(now().delete(first)).isEqualTo(new Edited.Done());
        assertThat(bench.memory.sessions().find(first)).isEmpty();
        assertThat(now().delete(none)).isEqualTo(new Edited.Missing());
        assertThat(now().title(none, "y")).isEqualTo(new Edited.Missing());
    }

    // ------------------------------------------------------------------ the gateway

    @Test
    void newTurnsAreHeldAtOnceAndReleasedAtOnceAlsoOverARestart() {
        startWatchful();

        assertThat(bench.operate(g -> of(g).hold(true))).isTrue();
        bench.say(ALICE, "a");
        assertThat(bench.turns(ALICES)).isEmpty();
        bench.crash().start();
        bench.settle();
        assertThat(bench.running().health().rows()).containsKey("held");
        assertThat(bench.operate(g -> of(g).hold(false))).isFalse();
        bench.settle();

        assertThat(bench.transcript(ALICES)).contains("user: a");
    }

    @Test
    void whoHoldsTurnsBackIsToldThatItCouldNotBeNoted() {
        bench.start();
        bench.markers.full(true);

        assertThatThrownBy(() -> now().hold(true)).isInstanceOf(StorageUnavailable.class);
        assertThat(bench.running().health().rows()).doesNotContainKey("held");
    }

    @Test
    void theStorageIsChecked() {
        bench.start();
        bench.say(ALICE, "a");

        assertThat(now().check((done, total) -> {})).isEmpty();
    }

    // ------------------------------------------------------------------ several nodes

    @Test
    void anotherNodeTakesASuspensionBackAndSaysWhoHoldsTheLaneOfWhichItCanDropNothing() {
        Nodes nodes = new Nodes(7);
        Nodes.Node one = nodes.node("one");
        Nodes.Node other = nodes.node("other");
        one.start();
        other.start();
        one.say(ALICE, "hello");
        assertThat(nodes.asked(one, g -> g.suspendLane(ALICES))).isTrue();
        long epoch = nodes.memory.lanes().find(ALICES).orElseThrow().epoch();

        assertThat(nodes.asked(other, g -> g.order(LaneOrder.UNSUSPEND, ALICES, epoch)))
                .isTrue();
        one.script(ScriptedTurn.echo().taking(Duration.ofMinutes(20)));
        one.say(ALICE, "long work");
        one.say(ALICE, "/queue later");
        InboundId waits = nodes.memory.queue().admitted().get(0).id();

        assertThatThrownBy(() -> nodes.asked(other, g -> of(g).drop(ALICES, waits)))
                .hasCauseInstanceOf(HeldElsewhere.class);
        assertThat(nodes.memory.queue().admitted()).hasSize(1);
        assertThat(nodes.asked(one, g -> of(g).drop(ALICES, waits))).isTrue();
        assertThat(other.gateway().nodes())
                .extracting(node -> node.name() + " " + node.lanes())
                .contains("one 1", "other 0");
    }
}
