package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.degrade.DegradingStorage;
import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Journal;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.contracts.storage.MemoryHarness;
import dev.parley.domain.session.Lane;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.testing.RecordingPlatform.Behaviour;
import dev.parley.testing.memory.MemoryStorage;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A gateway on degrading storage: what the process before left in the primary is set right once that is back (P7.2, commit rule 10). */
class HealingTest {
    private static final Duration PROBE = Duration.ofSeconds(5);

    private final MemoryHarness data = new MemoryHarness("primary");
    private final Bench bench = new Bench(7, data.open(Mode.READ_WRITE));
    private SwitchableStorage.State state = SwitchableStorage.State.AVAILABLE;
    private SwitchableStorage primary = bench.storage;
    private final MemoryHarness spill = new MemoryHarness("spill");
    /** Whether the fallback has no room for a batch. */
    private boolean spillIsFull;
    /** Whether the fallback knows the lanes of a primary that cannot be opened. */
    private boolean knowsLanes = true;
    /** What happens as soon as the primary is back, before anything that waited for it. */
    private Runnable onceHealed = () -> {};

    @BeforeEach
    void degrade() {
        bench.opened = this::degrading;
    }

    private Storage degrading(Timers timers) {
        Primary source = new Primary() {
            @Override
            public Storage open() {
                primary = new SwitchableStorage(data.open(Mode.READ_WRITE));
                primary.become(state);
                return primary;
            }

            @Override
            public Storage reopen(Consumer<Storage> look) {
                Storage found = open();
                look.accept(found);
                return found;
            }
        };
        Fallback fallback = new Fallback() {
            @Override
            public Journal openJournal() {
                return limited(spill.openJournal().orElseThrow());
            }

            @Override
            public Storage openOverlay() {
                return new MemoryStorage();
            }

            @Override
            public Optional<List<Lane>> knownLanes() {
                if (!knowsLanes) {
                    return Optional.empty();
                }
                List<Lane> lanes = new ArrayList<>();
                data.open(Mode.READ_ONLY).lanes().forEach(lane -> lanes.add(new Lane(lane.entry(), 1)));
                return Optional.of(lanes);
            }
        };
        return DegradingStorage.open(
                source, fallback, timers, Runnable::run, bench.ids, bench.clock, this::heard, PROBE);
    }

    private void heard(GatewayEvent event) {
        bench.events.on(event);
        if (event instanceof GatewayEvent.Healed) {
            onceHealed.run();
        }
    }

    private Journal limited(Journal journal) {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (proxy, method, arguments) -> {
                    if (spillIsFull && method.getName().equals("append")) {
                        throw StorageUnavailable.outOfSpace("The spill cannot take a batch.", null);
                    }
                    return method.invoke(journal, arguments);
                });
    }

    private void become(SwitchableStorage.State next) {
        state = next;
        primary.become(next);
    }

    private void comesBack() {
        become(SwitchableStorage.State.AVAILABLE);
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.running().health().rows()).containsEntry("status", "ok");
    }

    @Test
    @DisplayName(
            "P7.2, commit rule 10: after a start on the fallback, what waited in the primary's queue runs once it is back, in"
                    + " order, once")
    void whatWaitedRunsOnceThePrimaryIsBack() {
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofMinutes(5)).on(ALICES))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue one");
        bench.say(ALICE, "/queue two");
        bench.crash();
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.start();
        assertThat(bench.running().health().rows()).containsEntry("status", "degraded");
        assertThat(bench.turns(ALICES)).containsExactly("task");
        comesBack();

        assertThat(bench.turns(ALICES)).containsExactly("task", "", "one", "two");
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.memory.queue().claimed()).isEmpty();
        assertThat(bench.transitions(ALICES)).contains("marked restart_interrupted");
    }

    @Test
    @DisplayName(
            "P7.2: a start without room for a mark on what was cut off is a start that refuses messages, and sets it right once there"
                    + " is room")
    void aStartWithoutRoomIsAStart() {
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofMinutes(5)).on(ALICES))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue one");
        bench.crash();
        become(SwitchableStorage.State.FULL);
        spillIsFull = true;
        bench.start();
        bench.say(BOB, "not taken");
        assertThat(bench.running().health().rows()).containsEntry("status", "refusing");
        assertThat(bench.turns(BOBS)).isEmpty();
        spillIsFull = false;
        comesBack();

        assertThat(bench.turns(ALICES)).containsExactly("task", "", "one");
        assertThat(bench.transitions(ALICES)).contains("marked restart_interrupted");
        assertThat(bench.memory.queue().claimed()).isEmpty();
    }

    @Test
    @DisplayName(
            "P7.2: after a start without room, a message that comes once there is some runs behind the turn that was cut off and behind"
                    + " what waited, in order")
    void aMessageBeforeTheHealingRunsBehindTheResumedTurn() {
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofMinutes(5)).on(ALICES))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue one");
        bench.crash();
        become(SwitchableStorage.State.FULL);
        spillIsFull = true;
        bench.start();
        spillIsFull = false;
        bench.say(ALICE, "/queue two");
        bench.say(BOB, "another lane");
        assertThat(bench.turns(ALICES)).containsExactly("task");
        comesBack();

        assertThat(bench.turns(ALICES)).containsExactly("task", "", "one", "two");
        assertThat(bench.turns(BOBS)).containsExactly("another lane");
        assertThat(bench.memory.queue().claimed()).isEmpty();
    }

    @Test
    @DisplayName(
            "Commit rules 7, 10: after a start on the fallback, an answer that waits in the primary to be delivered goes out once that is"
                    + " back, once")
    void anAnswerLeftInThePrimaryGoesOutOnceItIsBack() {
        bench.script(ScriptedTurn.reply("one"), ScriptedTurn.reply("two"), ScriptedTurn.reply("three"))
                .start();
        bench.telegram.disconnect();
        bench.say(ALICE, "a");
        bench.say(BOB, "b");
        bench.crash();
        bench.telegram.connect();
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.start();
        bench.say(BOB, "c");
        comesBack();

        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.seen(BOB)).contains("two", "three").doesNotHaveDuplicates();
        bench.crash();
        bench.start();
        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.seen(BOB)).contains("two", "three").doesNotHaveDuplicates();
    }

    @Test
    @DisplayName(
            "Commit rules 7, 10: after a start on the fallback, an answer in the primary of which it is unknown whether it was"
                    + " sent is given up once that is back, where nothing is to be sent twice")
    void anUnknownAnswerInThePrimaryIsNotSentTwice() {
        bench.script(ScriptedTurn.reply("one")).start();
        bench.telegram.behave(Behaviour.DELIVER_AND_FAIL);
        bench.say(ALICE, "a");
        bench.crash();
        bench.telegram.behave(Behaviour.DELIVER);
        bench.with(s -> s.delivery(d -> d.withAtMostOnce(true)));
        bench.clock.move(Duration.ofSeconds(1));
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.start();
        comesBack();

        assertThat(bench.seen(ALICE)).containsExactly("one");
        assertThat(bench.events.of(GatewayEvent.Expired.class))
                .extracting(GatewayEvent.Expired::why)
                .containsExactly(GatewayEvent.Expired.Why.UNKNOWN);
    }

    @Test
    @DisplayName(
            "Commit rule 10: lanes that ran on the fallback meanwhile go on as they were, beside those that are set right")
    void lanesThatRanMeanwhileGoOn() {
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofMinutes(5)).on(ALICES))
                .start();
        bench.say(BOB, "before");
        bench.say(ALICE, "task");
        bench.crash();
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.start();
        bench.say(BOB, "meanwhile");
        comesBack();
        bench.say(BOB, "after");

        assertThat(bench.turns(BOBS)).containsExactly("before", "meanwhile", "after");
        assertThat(bench.turns(ALICES)).containsExactly("task", "");
        assertThat(bench.seen(BOB)).filteredOn("meanwhile"::equals).hasSize(1);
    }

    @Test
    @DisplayName(
            "P7.2, commit rule 10: the input of a turn that ran while the primary came back is done with that turn, where the process dies"
                    + " on the fallback")
    void theInputOfATurnThatRanThroughAHealingEndsWithItsTurn() {
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofHours(1)).on(ALICES))
                .start();
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.say(ALICE, "task");
        comesBack();
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.say(BOB, "meanwhile");
        bench.crash();
        bench.start();
        comesBack();

        List<Inbound.State> states = new ArrayList<>();
        bench.memory.queue().forEach(Instant.EPOCH, i -> states.add(i.state()), t -> {}, o -> {});
        assertThat(states).isNotEmpty().containsOnly(Inbound.State.DONE);
        assertThat(bench.memory.queue().claimed()).isEmpty();
    }

    @Test
    @DisplayName(
            "P7.2, commit rule 10: what the process before left is set right although there is no room once more while that is done, once"
                    + " there is")
    void whatFailsWhileItIsSetRightIsTriedAgain() {
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofMinutes(5)).on(ALICES))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue one");
        bench.crash();
        become(SwitchableStorage.State.FULL);
        spillIsFull = true;
        bench.start();
        spillIsFull = false;
        onceHealed = () -> {
            become(SwitchableStorage.State.FULL);
            spillIsFull = true;
        };
        become(SwitchableStorage.State.AVAILABLE);
        bench.pass(Duration.ofSeconds(30));
        assertThat(bench.turns(ALICES)).containsExactly("task");
        onceHealed = () -> {};
        spillIsFull = false;
        bench.say(ALICE, "/queue two");
        comesBack();
        bench.pass(Duration.ofMinutes(5));

        assertThat(bench.turns(ALICES)).containsExactly("task", "", "one", "two");
        assertThat(bench.memory.queue().claimed()).isEmpty();
    }

    @Test
    @DisplayName(
            "P7.20, commit rule 10: after a start on a fallback that knows no lanes, a lane that a stop had marked is resumed once the"
                    + " primary is back")
    void aLaneMarkedByAStopIsResumedOnceThePrimaryIsBack() {
        knowsLanes = false;
        bench.script(ScriptedTurn.reply("never").taking(Duration.ofHours(5)).on(ALICES))
                .start();
        bench.say(ALICE, "task");
        bench.halt(StopMode.RESTART);
        assertThat(bench.transitions(ALICES)).contains("marked restart_timeout");
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("task");
        comesBack();

        assertThat(bench.turns(ALICES)).containsExactly("task", "");
    }

    @Test
    @DisplayName("Commit rule 10: a turn that runs while the primary comes back is neither marked nor run again")
    void aRunningTurnIsLeftAlone() {
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.script(ScriptedTurn.reply("done").taking(Duration.ofMinutes(2)).on(ALICES))
                .start();
        bench.say(ALICE, "task");
        comesBack();
        bench.pass(Duration.ofMinutes(3));

        assertThat(bench.turns(ALICES)).containsExactly("task");
        assertThat(bench.seen(ALICE)).containsOnlyOnce("done");
        assertThat(bench.transitions(ALICES)).noneMatch(t -> t.startsWith("marked"));
    }

    @Test
    @DisplayName("messages of a lane that was waiting when the storage failed keep their order through degrading"
            + " and healing")
    void orderIsKeptThroughDegradingAndHealing() {
        bench.script(ScriptedTurn.reply("done").taking(Duration.ofMinutes(2)).on(ALICES))
                .start();
        bench.say(ALICE, "task");
        bench.say(ALICE, "/queue one");
        become(SwitchableStorage.State.UNAVAILABLE);
        bench.say(ALICE, "/queue two");
        bench.pass(Duration.ofSeconds(30));
        comesBack();
        bench.say(ALICE, "/queue three");
        bench.pass(Duration.ofMinutes(10));

        assertThat(bench.turns(ALICES)).containsExactly("task", "one", "two", "three");
        assertThat(bench.memory.queue().admitted()).isEmpty();
        assertThat(bench.events.of(GatewayEvent.Healed.class)).hasSize(1);
    }

    @Test
    @DisplayName(
            "Commit rule 7: a start without room sends nothing that is over with the process before, and gives it up once there is room")
    void aStartWithoutRoomSendsNothingThatIsOver() {
        bench.dressed = real -> new FailingPlatform(real, 0, new IllegalStateException()) {
            @Override
            public void send(Outgoing message) {
                super.send(message);
                become(SwitchableStorage.State.FULL);
                spillIsFull = true;
            }
        };
        bench.with(s -> s.delivery(d -> d.withAtMostOnce(true))).start();
        bench.say(ALICE, "a");
        bench.crash();
        bench.dressed = real -> real;
        bench.pass(Duration.ofSeconds(1));
        bench.start();
        bench.pass(Duration.ofMinutes(1));
        assertThat(bench.seen(ALICE)).containsExactly("a");
        spillIsFull = false;
        comesBack();
        bench.pass(Duration.ofMinutes(5));

        assertThat(bench.seen(ALICE)).containsExactly("a");
        assertThat(bench.events.of(GatewayEvent.Expired.class))
                .extracting(GatewayEvent.Expired::why)
                .containsExactly(GatewayEvent.Expired.Why.UNKNOWN);
    }
}
