package dev.parley.contracts.gateway;

import static dev.parley.contracts.gateway.Bench.ALICE;
import static dev.parley.contracts.gateway.Bench.ALICES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection.LaneOrder;
import dev.parley.application.port.Happened;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage.State;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.StorageParts;
import dev.parley.contracts.hostile.HostilePlugIns;
import dev.parley.contracts.hostile.Misdeed;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.reset.ResetMode;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.turn.ChatEvent;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a lane does after a fault of its own, of its store or of a plug-in: nothing of it stays behind, and whoever waits is told. */
class LaneFaultsTest {
    private static final Duration LONG = Duration.ofMinutes(20);

    private static final String AWAY = "Not available now, since what is stored cannot be read; nothing was changed."
            + " Try again later. The operator has been told.";
    private static final String UNREAD = "The command /digest could not read what is stored.";

    private final Bench bench = new Bench();

    /** Commits of the gateway's storage fail from the {@code first} to the {@code last} one. */
    private void startWithAStoreThatFails(int first, int last) {
        AtomicInteger commits = new AtomicInteger();
        bench.opened = timers -> new HostilePlugIns(call -> {
                    int commit = call.equals("Ledger.commit") ? commits.incrementAndGet() : 0;
                    return commit >= first && commit <= last ? Optional.of(Misdeed.THROW) : Optional.empty();
                })
                .storage(bench.storage);
        bench.start();
    }

    private List<Turn> turns() {
        List<Turn> turns = new ArrayList<>();
        bench.memory.queue().forEach(Instant.EPOCH, i -> {}, turns::add, o -> {});
        return turns;
    }

    private static ScriptedTurn usingATool() {
        return ScriptedTurn.reply("late").using(new ScriptedTurn.ToolUse("look", "{}", "seen"));
    }

    // ------------------------------------------------------------------ agents

    /** The first turn's commits are: admitted, claimed, and the row of the tool, which is tried seven times. */
    @Test
    void anAgentThatStillWorksAfterItsTurnHasFailedIsNotGivenTheNextTurn() {
        bench.script(usingATool().taking(LONG).ignoringInterrupts());
        startWithAStoreThatFails(3, 9);
        bench.say(ALICE, "one");
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.seen(ALICE)).last().asString().contains("Something went wrong inside the gateway");
        bench.say(ALICE, "two");

        assertThat(bench.agents.interrupts()).hasSize(1);
        assertThat(bench.agents.created()).as("agents").hasSize(2);
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
    }

    @Test
    void aFaultOfTheGatewayIsNotBlamedOnTheAgent() {
        bench.script(usingATool().taking(LONG));
        startWithAStoreThatFails(3, 9);
        bench.say(ALICE, "one");
        bench.pass(Duration.ofMinutes(2));

        assertThat(turns()).extracting(Turn::reason).containsExactly(Optional.of(TurnReason.STORAGE));
    }

    @Test
    void nobodyWritesAnyMoreAfterATurnThatWasEndedInTheStore() {
        AblePlatform telegram = new AblePlatform(bench.telegram);
        bench.dressed = unused -> telegram;
        bench.script(usingATool().taking(LONG)).start();
        bench.say(ALICE, "one");
        Turn running = bench.memory.queue().claimed().get(0);
        bench.memory
                .ledger()
                .commit(new Batch(
                        new BatchId("somebody", 1),
                        List.of(),
                        List.of(new Change.PutTurn(running.ended(Turn.State.DROPPED, bench.clock.instant())))));
        bench.pass(LONG);
        telegram.typing.clear();
        bench.pass(Duration.ofHours(1));

        assertThat(telegram.typing).isEmpty();
        assertThat(bench.running().health().rows()).containsEntry("running", "0");
    }

    // ------------------------------------------------------------------ operators

    @Test
    void anOperatorsOrderThatCannotBeDecidedWhileDegradedIsAnsweredAndTheLaneGoesOn() {
        FallingBack falling = new FallingBack(7);
        Bench degrading = falling.bench;
        degrading.start();
        degrading.say(ALICE, "one");
        degrading.say(ALICE, "/new");
        degrading.say(ALICE, "two");
        falling.become(State.UNAVAILABLE);
        degrading.say(ALICE, "three");
        assertThat(falling.isDegraded()).isTrue();

        assertThatThrownBy(() -> degrading.operate(g -> g.order(
                        LaneOrder.UNRESET, ALICES, degrading.lane(ALICES).epoch())))
                .hasRootCauseInstanceOf(StorageUnavailable.class);
        assertThat(degrading.say(ALICE, "four")).isInstanceOf(Receipt.Admitted.class);
        assertThat(degrading.seen(ALICE)).last().isEqualTo("four");
    }

    // ------------------------------------------------------------------ the expiry watcher

    @Test
    void aMessageThatWaitsDuringMaintenanceKeepsItsLaneFromBeingRemoved() {
        bench.with(s -> s.retention(r -> r.withLanes(Duration.ofDays(2)))
                        .operation(o -> o.withMaintenanceCheck(Duration.ofSeconds(1)))
                        .withResetPolicies(ResetPolicies.of(ResetPolicy.DEFAULT.withMode(ResetMode.NONE))))
                .start();
        bench.say(ALICE, "one");
        bench.markers.hold(true);
        bench.pass(Duration.ofSeconds(5));
        bench.say(ALICE, "two");
        bench.pass(Duration.ofDays(4));
        bench.markers.hold(false);
        bench.pass(Duration.ofMinutes(1));

        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
        assertThat(bench.decisions(ALICES)).containsExactly("create S1", "reuse S1");
    }

    // ------------------------------------------------------------------ receipts

    @Test
    void anEventThatTheStoreCallsInvalidHasItsReceiptAtOnce() {
        boolean[] refuses = {false};
        bench.opened = timers -> new ComposedStorage() {
            @Override
            public StorageParts parts() {
                return StorageParts.of(bench.storage).withLedger(batch -> {
                    if (refuses[0]) {
                        throw new InvalidRequest("The batch cannot be stored.");
                    }
                    return bench.storage.ledger().commit(batch);
                });
            }

            @Override
            public String location() {
                return "refusing";
            }

            @Override
            public void close() {}
        };
        bench.script(ScriptedTurn.reply("done").taking(LONG))
                .with(s -> s.busy(b -> b.withMode(BusyMode.QUEUE)))
                .start();
        bench.say(ALICE, "one", "m1");
        bench.say(ALICE, "two", "m2");
        refuses[0] = true;
        CompletableFuture<Receipt> receipt = bench.running()
                .happened(new Happened(ALICE, new ChatEvent.Edited("m2", "two, please"), Optional.of("e1")))
                .toCompletableFuture();
        bench.settle();

        assertThat(receipt).isCompletedWithValueMatching(Receipt.Unavailable.class::isInstance);
    }

    // ------------------------------------------------------------------ commands

    /** A store's words name files and servers, and may quote its rows. */
    @Test
    void aCommandWhoseStoreIsAwayIsAnsweredInGeneralWordsAndTheOperatorReadsTheCause() {
        StorageUnavailable away = new StorageUnavailable("The database /srv/state.db is locked (code 5).", null);
        startWithACommand(context -> {
            throw away;
        });
        bench.say(ALICE, "/digest");

        assertThat(bench.seen(ALICE)).last().isEqualTo(AWAY);
        assertThat(bench.trouble()).singleElement().satisfies(trouble -> {
            assertThat(trouble.what()).isEqualTo(UNREAD);
            assertThat(trouble.cause()).contains(away);
        });
    }

    private void startWithACommandThatGoesOn(BiFunction<CommandContext, String, CommandOutcome> then) {
        startWithACommand(context -> CommandOutcome.reply("")
                .summarising(new CommandOutcome.Summarise(List.of(), Optional.empty(), then, then)));
    }

    private void startWithACommand(Function<CommandContext, CommandOutcome> deciding) {
        bench.commands.add(new ChatCommand() {
            @Override
            public String name() {
                return "digest";
            }

            @Override
            public String usage() {
                return "/digest";
            }

            @Override
            public String summary() {
                return "summarises and goes on";
            }

            @Override
            public When when() {
                return When.IDLE;
            }

            @Override
            public CommandOutcome run(CommandContext context) {
                return deciding.apply(context);
            }
        });
        bench.start();
        bench.say(ALICE, "one");
    }

    // ------------------------------------------------------------------ commands that go on after a summary

    @Test
    void aCommandThatThrowsOnceItsSummaryIsThereIsAnsweredAsOneThatThrowsAtOnce() {
        startWithACommandThatGoesOn((context, summary) -> {
            throw new IllegalStateException("broken");
        });
        bench.say(ALICE, "/digest");

        assertThat(bench.seen(ALICE))
                .last()
                .isEqualTo("The command /digest failed; nothing was changed. The operator has been told.");
        assertThat(bench.trouble())
                .extracting(GatewayEvent.Trouble::what)
                .containsExactly("The command /digest failed.");
        assertThat(bench.memory.queue().admitted()).isEmpty();
    }

    @Test
    void aCommandWhoseStoreIsAwayOnceItsSummaryIsThereIsAnsweredAndTheLaneGoesOn() {
        startWithACommandThatGoesOn((context, summary) -> {
            throw new StorageUnavailable("The archive is away.", null);
        });
        bench.say(ALICE, "/digest");

        assertThat(bench.seen(ALICE)).last().isEqualTo(AWAY);
        assertThat(bench.trouble()).extracting(GatewayEvent.Trouble::what).containsExactly(UNREAD);
        assertThat(bench.say(ALICE, "two")).isInstanceOf(Receipt.Admitted.class);
        assertThat(bench.seen(ALICE)).last().isEqualTo("two");
    }
}
