package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static dev.parley.contracts.gateway.Bench.BOB;
import static dev.parley.contracts.gateway.Bench.BOBS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.ScriptedTurn.Outcome;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.settings.Showing;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageParts;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import dev.parley.testing.RecordingPlatform.Behaviour;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Answers reach people (commit rule 7), and a store that fails loses nothing. */
class DeliveryTest {
    private final Bench bench = new Bench();

    private List<Outgoing.State> states() {
        List<Outgoing.State> states = new ArrayList<>();
        bench.memory.queue().forEach(Bench.BEGIN, i -> {}, t -> {}, o -> states.add(o.state()));
        return states;
    }

    @Test
    @DisplayName("Commit rule 7: an answer whose sending fails is sent again, and later answers wait behind it")
    void aFailedSendIsRepeatedInOrder() {
        bench.script(ScriptedTurn.reply("one"), ScriptedTurn.reply("two")).start();
        bench.telegram.behave(Behaviour.FAIL);
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");
        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
        assertThat(bench.seen(ALICE)).isEmpty();
        bench.telegram.behave(Behaviour.DELIVER);
        bench.pass(Duration.ofSeconds(10));

        assertThat(bench.seen(ALICE)).containsExactly("one", "two");
        assertThat(states()).containsOnly(Outgoing.State.DELIVERED);
    }

    @Test
    @DisplayName("Commit rule 7: an answer that a platform refuses for good is reported as expired")
    void aRefusedAnswerIsReported() {
        bench.start();
        bench.telegram.behave(Behaviour.REFUSE);
        bench.say(ALICE, "a");

        assertThat(bench.events.of(GatewayEvent.Expired.class))
                .extracting(GatewayEvent.Expired::why)
                .containsExactly(GatewayEvent.Expired.Why.REFUSED);
        assertThat(states()).containsExactly(Outgoing.State.EXPIRED);
    }

    @Test
    @DisplayName("Commit rule 7: while a platform is away its answers wait, other platforms go on, and the lane too")
    void answersWaitForTheirPlatform() {
        bench.start();
        bench.telegram.disconnect();
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");
        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
        assertThat(bench.telegram.tried()).isEmpty();
        bench.telegram.connect();
        bench.settle();

        assertThat(bench.seen(ALICE)).hasSize(2);
    }

    @Test
    @DisplayName("Commit rule 7: an answer that could not be delivered before the limit is reported as expired")
    void anOldAnswerExpires() {
        bench.with(s -> s.delivery(d -> d.withLimit(Duration.ofHours(1)))).start();
        bench.telegram.disconnect();
        bench.say(ALICE, "a");
        bench.pass(Duration.ofHours(2));

        assertThat(bench.events.of(GatewayEvent.Expired.class))
                .extracting(GatewayEvent.Expired::why)
                .containsExactly(GatewayEvent.Expired.Why.TOO_OLD);
        assertThat(states()).containsExactly(Outgoing.State.EXPIRED);
        bench.telegram.connect();
        bench.settle();
        assertThat(bench.seen(ALICE)).isEmpty();
    }

    @Test
    @DisplayName("an answer that was stored and not delivered is delivered after a crash")
    void aStoredAnswerSurvivesACrash() {
        bench.script(ScriptedTurn.reply("one"), ScriptedTurn.reply("two")).start();
        bench.telegram.disconnect();
        bench.say(ALICE, "a");
        bench.say(ALICE, "b");
        bench.crash();
        bench.telegram.connect();
        bench.start();

        assertThat(bench.seen(ALICE)).containsExactly("one", "two");
        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
    }

    @Test
    @DisplayName(
            "Commit rule 7: what the process before left undelivered goes out before the answer to a message that arrives"
                    + " while the gateway starts")
    void whatWasLeftGoesOutBeforeWhatArrivesDuringTheStart() {
        bench.script(ScriptedTurn.reply("one"), ScriptedTurn.reply("two")).start();
        bench.telegram.disconnect();
        bench.say(ALICE, "a");
        bench.crash();
        bench.telegram.connect();
        bench.heard = real -> event -> {
            if (event instanceof GatewayEvent.Started) {
                bench.say(ALICE, "b");
            }
            real.on(event);
        };
        bench.start();

        assertThat(bench.seen(ALICE)).containsExactly("one", "two");
    }

    @Test
    @DisplayName("older than the limit at the start it is reported instead")
    void anOldAnswerIsReportedAtTheStart() {
        bench.with(s -> s.delivery(d -> d.withLimit(Duration.ofHours(1)))).start();
        bench.telegram.disconnect();
        bench.say(ALICE, "a");
        bench.crash();
        bench.telegram.connect();
        bench.clock.move(Duration.ofHours(2));
        bench.start();

        assertThat(bench.events.of(GatewayEvent.Expired.class))
                .extracting(GatewayEvent.Expired::why)
                .containsExactly(GatewayEvent.Expired.Why.TOO_OLD);
        assertThat(bench.seen(ALICE)).isEmpty();
    }

    @Test
    @DisplayName("Commit rule 7: an attempt whose outcome is unknown is repeated by default, and given up by option")
    void anUnknownAttempt() {
        for (boolean atMostOnce : List.of(false, true)) {
            Bench life = new Bench()
                    .with(s -> s.delivery(d -> d.withAtMostOnce(atMostOnce)))
                    .start();
            life.telegram.behave(Behaviour.DELIVER_AND_FAIL);
            life.say(ALICE, "a");
            life.crash();
            life.telegram.behave(Behaviour.DELIVER);
            life.start();

            assertThat(life.seen(ALICE)).as("at most once: " + atMostOnce).hasSize(atMostOnce ? 1 : 2);
        }
    }

    @Test
    @DisplayName("what cannot be stored is not acknowledged, and is taken when it comes again")
    void nothingIsAcknowledgedThatIsNotStored() {
        bench.start();
        bench.storage.become(State.UNAVAILABLE);
        assertThat(bench.say(ALICE, "a", "m1")).isInstanceOf(Receipt.Unavailable.class);
        bench.storage.become(State.FULL);
        assertThat(bench.say(ALICE, "a", "m1")).isInstanceOf(Receipt.Unavailable.class);
        bench.storage.become(State.AVAILABLE);
        assertThat(bench.say(ALICE, "a", "m1")).isInstanceOf(Receipt.Admitted.class);

        assertThat(bench.turns(ALICES)).containsExactly("a");
    }

    @Test
    @DisplayName(
            "Commit rule 5: a message that was stored though the store said otherwise runs once, when it comes again")
    void anUnknownAdmissionRunsOnce() {
        bench.start();
        bench.storage.become(State.SILENT);
        assertThat(bench.say(ALICE, "a", "m1")).isInstanceOf(Receipt.Unavailable.class);
        bench.storage.become(State.AVAILABLE);
        assertThat(bench.say(ALICE, "a", "m1")).isInstanceOf(Receipt.Duplicate.class);
        bench.say(ALICE, "b", "m2");

        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
    }

    @Test
    @DisplayName(
            "Commit rule 5: an answer that cannot be stored is stored when the store is back, before anything else of the"
                    + " lane")
    void anAnswerWaitsForTheStore() {
        bench.script(ScriptedTurn.reply("done").taking(Duration.ofMinutes(1))).start();
        bench.say(ALICE, "a");
        bench.storage.become(State.UNAVAILABLE);
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.seen(ALICE)).isEmpty();
        assertThat(bench.say(ALICE, "b", "m2")).isInstanceOf(Receipt.Unavailable.class);
        bench.storage.become(State.AVAILABLE);
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.seen(ALICE)).containsExactly("done");
        assertThat(bench.say(ALICE, "b", "m2")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.turns(ALICES)).containsExactly("a", "b");
    }

    @Test
    @DisplayName(
            "Commit rule 9: a message that already waits behind a lane's work when the store fails is refused at once, and not taken later")
    void aMessageThatTheStoresTroubleOvertakesIsRefusedAtOnce() {
        Ledger failing = batch -> {
            CommitResult result = bench.storage.ledger().commit(batch);
            if (batch.changes().stream().anyMatch(c -> c instanceof Change.PutInbound)) {
                bench.storage.become(State.FULL);
            }
            return result;
        };
        bench.opened = unused -> (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(),
                new Class<?>[] {Storage.class},
                (proxy, method, arguments) ->
                        method.getName().equals("ledger") ? failing : method.invoke(bench.storage, arguments));
        bench.start();
        List<CompletableFuture<Receipt>> receipts = bench.rush(r -> {
            for (String id : List.of("m1", "m2")) {
                r.add(bench.running()
                        .receive(new Received(ALICE, "text " + id, List.of(), Optional.of(id)), AnswerListener.NONE)
                        .toCompletableFuture());
            }
        });

        assertThat(receipts.get(0)).isCompletedWithValueMatching(r -> r instanceof Receipt.Admitted);
        assertThat(receipts.get(1)).isCompletedWithValueMatching(r -> r instanceof Receipt.Unavailable);

        bench.opened = unused -> bench.storage;
        bench.storage.become(State.AVAILABLE);
        bench.crash();
        bench.start();
        assertThat(bench.turns(ALICES)).containsExactly("text m1");
        assertThat(bench.say(ALICE, "text m2", "m2")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.turns(ALICES)).containsExactly("text m1", "text m2");
    }

    @Test
    @DisplayName("A crash between answer and delivery delivers the answer once more and runs nothing twice")
    void aCrashBetweenAnswerAndDelivery() {
        bench.script(ScriptedTurn.reply("done").taking(Duration.ofMinutes(1))).start();
        bench.say(ALICE, "a");
        bench.telegram.disconnect();
        bench.pass(Duration.ofMinutes(1)).crash();
        bench.telegram.connect();
        bench.start();

        assertThat(bench.seen(ALICE)).containsExactly("done");
        assertThat(bench.turns(ALICES)).containsExactly("a");
        assertThat(bench.entry(ALICES).toBeResumed()).isEmpty();
    }

    @Test
    @DisplayName("An abandoned gateway stores and delivers nothing any more")
    void anAbandonedGatewayIsSilent() {
        bench.script(ScriptedTurn.reply("late").taking(Duration.ofMinutes(1))).start();
        bench.say(ALICE, "a");
        var old = bench.running();
        bench.crash();
        CompletableFuture<Receipt> receipt = old.receive(
                        new Received(ALICE, "b", List.of(), Optional.empty()), AnswerListener.NONE)
                .toCompletableFuture();
        bench.pass(Duration.ofMinutes(10));

        assertThat(receipt).isNotDone();
        assertThat(bench.seen(ALICE)).isEmpty();
        assertThat(bench.transcript(ALICES)).containsExactly("user: a");
    }

    @Test
    @DisplayName("A listener is told what streams, and at the end what is stored")
    void aListenerIsTold() {
        bench.script(ScriptedTurn.reply("done")).start();
        List<String> told = new ArrayList<>();
        bench.say(new Received(ALICE, "a", List.of(), Optional.of("x")), listener(told));
        bench.say(new Received(ALICE, "/status", List.of(), Optional.of("y")), listener(told));
        bench.script(ScriptedTurn.ending(Outcome.FAIL).replying("No model."));
        bench.say(new Received(ALICE, "b", List.of(), Optional.of("z")), listener(told));

        assertThat(told).hasSize(6);
        assertThat(told).startsWith("streamed done", "finished done");
        assertThat(told.get(2)).startsWith("replied Session: ");
        assertThat(told.get(3)).startsWith("closed ");
        assertThat(told.get(4)).isEqualTo("replied Sorry, that did not work: No model.");
        assertThat(told.get(5)).isEqualTo("closed No model.");
    }

    @Test
    @DisplayName("Whoever waits for an answer is told when the gateway stops or a newer message interrupts")
    void aListenerIsNotLeftWaiting() {
        bench.script(ScriptedTurn.reply("x").taking(Duration.ofMinutes(9)).ignoringInterrupts())
                .start();
        List<String> told = new ArrayList<>();
        bench.say(new Received(ALICE, "a", List.of(), Optional.of("x")), listener(told));
        bench.say(new Received(ALICE, "/queue b", List.of(), Optional.of("y")), listener(told));
        bench.halt(StopMode.SHUTDOWN);

        assertThat(told.stream().filter(t -> t.startsWith("closed "))).hasSize(2);
    }

    @Test
    @DisplayName("One lane's undeliverable answer holds up no other lane")
    void lanesDeliverIndependently() {
        bench.start();
        bench.telegram.behave(Behaviour.FAIL);
        bench.say(ALICE, "a");
        bench.telegram.behave(Behaviour.DELIVER);
        bench.say(BOB, "b");

        assertThat(bench.seen(BOB)).hasSize(1);
        assertThat(bench.turns(BOBS)).containsExactly("b");
    }

    private static AnswerListener listener(List<String> told) {
        return new AnswerListener() {
            @Override
            public void streamed(TurnId turn, String delta) {
                told.add("streamed " + delta);
            }

            @Override
            public void replied(Outgoing reply) {
                told.add("replied " + reply.text());
            }

            @Override
            public void finished(TurnId turn, String text) {
                told.add("finished " + text);
            }

            @Override
            public void closed(String why) {
                told.add("closed " + why);
            }
        };
    }

    @Test
    void aStoreThatCannotBeReadAtAnAnswerDelaysItAloneAndHoldsNoStop() {
        AtomicBoolean fails = new AtomicBoolean();
        bench.opened = timers -> new ComposedStorage() {
            @Override
            public StorageParts parts() {
                StorageParts all = StorageParts.of(bench.storage);
                return new StorageParts(
                        all.ledger(),
                        all.lanes(),
                        all.sessions(),
                        all.transcripts(),
                        all.search(),
                        all.queue(),
                        failingOnce(fails),
                        all.maintenance());
            }

            @Override
            public String location() {
                return "unreadable";
            }

            @Override
            public void close() {}
        };
        AblePlatform telegram = new AblePlatform(bench.telegram);
        bench.dressed = unused -> telegram;
        Showing nothing = new Showing(false, Showing.Previews.NEVER, false);
        bench.with(s -> s.withShowing(Map.of(Bench.TELEGRAM, nothing)))
                .script(ScriptedTurn.reply("one"))
                .start();
        fails.set(true);
        bench.say(ALICE, "a");
        assertThat(fails).as("whether the store was read").isFalse();
        bench.pass(Duration.ofSeconds(1));
        assertThat(telegram.texts()).containsExactly("one");
        assertThat(bench.stop(StopMode.SHUTDOWN)).isDone();
    }

    private Meta failingOnce(AtomicBoolean fails) {
        Meta real = bench.storage.meta();
        return (Meta) Proxy.newProxyInstance(
                Meta.class.getClassLoader(), new Class<?>[] {Meta.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("cursor") && fails.getAndSet(false)) {
                        throw new StorageUnavailable("The disk is away.", null);
                    }
                    return method.invoke(real, arguments);
                });
    }
}
