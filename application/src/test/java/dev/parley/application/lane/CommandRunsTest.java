package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.command.ChatCommand.When;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.CommandTable;
import dev.parley.application.lane.CommandRuns.Asked;
import dev.parley.application.lane.Lookups.Saying;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.PlatformMessage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What commands do to their lane, decided on a table. */
class CommandRunsTest {
    private static final Stopping STOP = new Stopping("banner", "interrupt", "kept", ResumeReason.SHUTDOWN_TIMEOUT);
    private static final CommandOutcome AGAIN = new CommandOutcome(
            "",
            List.of(),
            List.of(),
            Set.of(),
            Optional.of(new CommandOutcome.Enqueue(Inbound.Kind.MESSAGE, "again", true)),
            Optional.empty(),
            Optional.empty());

    private final Lookups lookups = new Lookups();

    private static Saying saying(When when, Function<CommandContext, CommandOutcome> decides) {
        return new Saying("say", when, decides);
    }

    private CommandOutcome decided(LaneState state, Saying command, String text) {
        return decided(state, command, text, 1);
    }

    private CommandOutcome decided(LaneState state, Saying command, String text, int attempt) {
        CommandRuns decider = Lookups.commands(lookups, command);
        Inbound carrying = decider.carrying(state, Given.says(text));
        CommandTable.Typed typed = decider.read(carrying).orElseThrow();
        return decider.deciding(state, carrying, typed, new Asked(true, Optional.of("reading")), attempt)
                .get()
                .get();
    }

    private static List<String> said(LaneStep step) {
        return step.store().stream()
                .filter(Change.PutOutgoing.class::isInstance)
                .map(change -> ((Change.PutOutgoing) change).outgoing().text())
                .toList();
    }

    @Test
    void aCommandSeesWhatIsKnownOfItsLane() {
        LaneState state = Given.waiting("a", "b").with(Given.working().slot());
        Saying command = saying(
                When.ALWAYS,
                context -> CommandOutcome.reply(context.arguments() + ", admin " + context.admin() + ", "
                        + context.running()
                                .flatMap(running -> running.activity())
                                .orElse("nothing")
                        + ", " + context.view().depth() + " waiting"));

        assertThat(decided(state, command, "/say it").reply()).isEqualTo("it, admin true, reading, 1 waiting");
    }

    @Test
    void aCommandForIdleLanesIsAnsweredWhileTheAgentRuns() {
        Saying command = saying(When.IDLE, context -> CommandOutcome.reply("done"));

        assertThat(decided(Given.working(), command, "/say").reply()).startsWith("The agent is running.");
        assertThat(decided(Given.idle(), command, "/say").reply()).isEqualTo("done");
    }

    @Test
    void aCommandThatThereIsNotIsAnswered() {
        assertThat(decided(Given.idle(), saying(When.ALWAYS, context -> AGAIN), "/sya")
                        .reply())
                .isEqualTo("Unknown command /sya. /help lists the commands.");
    }

    @Test
    void aCommandThatLosesThreeRacesIsGivenUpWithAnAnswer() {
        Saying command = saying(When.ALWAYS, context -> CommandOutcome.reply("done"));

        assertThat(decided(Given.idle(), command, "/say", Deciding.ATTEMPTS).reply())
                .isEqualTo("done");
        assertThat(decided(Given.idle(), command, "/say", Deciding.ATTEMPTS + 1).reply())
                .isEqualTo(CommandSteps.LOST_RACE);
    }

    @Test
    void aStoreThatIsDamagedIsToldToTheLane() {
        Saying damaged = saying(When.ALWAYS, context -> {
            throw new StorageCorrupt("A row cannot be read.", null);
        });

        assertThatThrownBy(() -> decided(Given.idle(), damaged, "/say"))
                .isInstanceOf(StorageCorrupt.class)
                .hasMessage("A row cannot be read.");
    }

    @Test
    void whatACommandThatWaitedDecidedIsCarriedOutWhereItStillWaits() {
        LaneState idle = Given.idle();
        CommandRuns decider = Lookups.commands(lookups);
        Inbound command = decider.carrying(idle, Given.says("/say"));
        LaneState waiting = idle.with(idle.waiting().with(command));

        LaneStep step = decider.admitted(waiting, command, CommandOutcome.reply("done"));
        assertThat(step.require()).contains(new Precondition.StillAdmitted(command.id()));
        assertThat(said(step)).containsExactly("done");
        assertThat(step.after().waiting().isEmpty()).isTrue();

        assertThat(decider.admitted(idle, command, CommandOutcome.reply("done")))
                .isEqualTo(LaneStep.none(idle));
    }

    @Test
    void whatACommandIsAnsweredWithRepliesToTheMessageThatCarriedIt() {
        LaneState idle = Given.idle();
        CommandRuns decider = Lookups.commands(lookups);
        Inbound command = decider.carrying(idle, Given.says("/say"));

        LaneStep step = decider.arrived(idle, command, CommandOutcome.reply("done"));

        assertThat(step.store().stream()
                        .filter(Change.PutOutgoing.class::isInstance)
                        .map(change -> ((Change.PutOutgoing) change).outgoing().replyTo()))
                .containsExactly(command.platformMessage().map(PlatformMessage::messageId));
    }

    @Test
    void whatACommandStartsIsSaidToWaitWhileTheGatewayStopsOrIsHeld() {
        LaneState idle = Given.idle();
        CommandRuns decider = Lookups.commands(lookups);
        Inbound command = decider.carrying(idle, Given.says("/say"));

        assertThat(said(decider.arrived(idle, command, AGAIN))).isEmpty();
        lookups.held = true;
        assertThat(said(decider.arrived(idle, command, AGAIN))).containsExactly(Standstill.HELD);
        lookups.stopping = Optional.of(STOP);
        assertThat(said(decider.arrived(idle, command, AGAIN))).containsExactly("kept");
    }

    @Test
    void anOperatorsOrderIsAnsweredWhetherItWasDone() {
        CommandRuns decider = Lookups.commands(lookups);
        LaneInput.Ordered done = new LaneInput.Ordered(
                context -> Optional.of(CommandOutcome.reply("").storing(List.of())), new CompletableFuture<>());
        LaneInput.Ordered nothing = new LaneInput.Ordered(context -> Optional.empty(), new CompletableFuture<>());

        assertThat(ordered(decider, done, 1)).contains(new Effect.Answer(true));
        assertThat(ordered(decider, nothing, 1)).containsExactly(new Effect.Answer(false));
        assertThat(ordered(decider, done, Deciding.ATTEMPTS + 1)).containsExactly(new Effect.Answer(false));
    }

    @Test
    void anOperatorIsToldThatTheStoreDoesNotSayWhatIsToBeDone() {
        StorageUnavailable away = new StorageUnavailable("The history is away.", null);
        LaneInput.Ordered order = new LaneInput.Ordered(
                context -> {
                    throw away;
                },
                new CompletableFuture<>());

        assertThat(ordered(Lookups.commands(lookups), order, 1)).containsExactly(new Effect.Refuse(away));
    }

    private static List<Effect> ordered(CommandRuns decider, LaneInput.Ordered order, int attempt) {
        LaneState idle = Given.idle();
        return decider.ordered(
                        idle,
                        decider.deciding(idle, order, Asked.NOTHING, attempt)
                                .get()
                                .get())
                .then();
    }

    @Test
    void aBareWordIsACommandOnlyWhereTheAgentAsksForApproval() {
        Commanding commanding =
                Lookups.commanding(lookups, new Saying("approve", When.ALWAYS, context -> CommandOutcome.reply("yes")));
        LaneState asking = Given.idle()
                .with(new TurnSlot.Working(Given.turn(Given.NOW)
                        .asking(new AgentQuestion(AgentQuestion.Kind.APPROVAL, "rm -r?"), Given.ASKED)));

        assertThat(commanding.read(asking, Given.says("yes")))
                .map(CommandTable.Typed::name)
                .contains("approve");
        assertThat(commanding.read(Given.working(), Given.says("yes"))).isEmpty();
    }
}
