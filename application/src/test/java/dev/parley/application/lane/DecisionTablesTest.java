package dev.parley.application.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentFailure;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.settings.BusyMode;
import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What each decider decides, as tables: a state of the lane, what comes in, and the step. A step is written as what it stores, what follows,
 * and what the lane is then.
 */
class DecisionTablesTest {
    private static final Stopping STOP = new Stopping("banner", "interrupt", "kept", ResumeReason.SHUTDOWN_TIMEOUT);
    private static final Duration TIMEOUT = Duration.ofMinutes(30);

    private final Lookups lookups = new Lookups();

    /** What a lane may be like. */
    enum State {
        IDLE,
        WAITING,
        CLAIMING,
        STARTING,
        WORKING,
        ASKING,
        APPROVING,
        ENDING,
        SUMMARISING,
        MARKED,
        SUSPENDED,
        ELSEWHERE,
        GONE
    }

    private static LaneState lane(State state) {
        TurnWork turn = Given.turn(Given.NOW);
        return switch (state) {
            case IDLE -> Given.idle();
            case WAITING -> Given.waiting("before");
            case CLAIMING -> Given.idle().with(new TurnSlot.Claiming(turn.plan()));
            case STARTING -> Given.idle().with(new TurnSlot.Starting(turn));
            case WORKING -> Given.working();
            case ASKING -> asking(turn, AgentQuestion.Kind.CLARIFICATION);
            case APPROVING -> asking(turn, AgentQuestion.Kind.APPROVAL);
            case ENDING -> Given.idle().with(new TurnSlot.Ending(turn));
            case SUMMARISING -> summarising();
            case MARKED ->
                having(Given.idle(), entry -> entry.markedForResume(ResumeReason.SHUTDOWN_TIMEOUT, Given.NOW));
            case SUSPENDED -> having(Given.working(), SessionEntry::suspended);
            case ELSEWHERE ->
                having(Given.working(), entry -> entry.continuedAs(SessionId.of("20260310_090000_00c0ffee")));
            case GONE -> Given.working().with(Optional.<Lane>empty());
        };
    }

    private static LaneState asking(TurnWork turn, AgentQuestion.Kind kind) {
        return Given.idle().with(new TurnSlot.Working(turn.asking(new AgentQuestion(kind, "well?"), Given.ASKED)));
    }

    private static LaneState summarising() {
        LaneState idle = Given.idle();
        Inbound command = Given.moment()
                .inbound(
                        idle.waiting(),
                        Inbound.Kind.COMMAND,
                        Inbound.State.ADMITTED,
                        Given.ALICE,
                        "/compress",
                        List.of(),
                        Optional.empty());
        return idle.with(idle.waiting().with(command))
                .with(new TurnSlot.Summarising(command, summary().summarise().orElseThrow()));
    }

    private static LaneState having(LaneState state, UnaryOperator<SessionEntry> change) {
        return state.with(state.lane().map(lane -> new Lane(change.apply(lane.entry()), lane.epoch())));
    }

    private static CommandOutcome summary() {
        return CommandOutcome.reply("")
                .summarising(new CommandOutcome.Summarise(
                        List.of(),
                        Optional.empty(),
                        (context, text) -> CommandOutcome.reply(text),
                        (context, why) -> CommandOutcome.reply(why)));
    }

    // ------------------------------------------------------------------ a step as a line

    private static String line(LaneStep step) {
        return joined(step.store().stream().map(DecisionTablesTest::stored)) + " > "
                + joined(step.then().stream().map(effect -> effect.getClass().getSimpleName())) + " > "
                + step.after().slot().getClass().getSimpleName() + " "
                + step.after().waiting().messages().size();
    }

    private static String joined(Stream<String> words) {
        String line = words.collect(Collectors.joining(", "));
        return line.isEmpty() ? "nothing" : line;
    }

    private static String stored(Change change) {
        if (change instanceof Change.PutInbound put) {
            return put.inbound().kind() + " " + put.inbound().state();
        }
        if (change instanceof Change.PutOutgoing put) {
            return put.outgoing().kind().toString();
        }
        return change instanceof Change.PutTurn put
                ? "turn " + put.turn().state()
                : change.getClass().getSimpleName();
    }

    // ------------------------------------------------------------------ the tables

    /** How the gateway is when something comes in. */
    enum Gateway {
        RUNS,
        STOPS,
        HELD,
        FULL
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    IDLE | RUNS | MESSAGE ADMITTED > Receive > Free 1
                    IDLE | STOPS | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply, Close > Free 1
                    IDLE | HELD | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply > Free 1
                    IDLE | FULL | NOTICE > Receive, Tell, Remember, Deliver, Reply, Close > Free 0
                    WAITING | RUNS | MESSAGE ADMITTED > Receive > Free 2
                    WAITING | FULL | MESSAGE ADMITTED > Receive > Free 2
                    CLAIMING | RUNS | MESSAGE ADMITTED > Receive, TellQueued > Claiming 1
                    STARTING | RUNS | MESSAGE ADMITTED > Receive, TellQueued > Starting 1
                    WORKING | RUNS | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply, Interrupt > Working 1
                    WORKING | STOPS | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply, Close > Working 1
                    WORKING | HELD | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply > Working 1
                    ASKING | RUNS | MESSAGE ADMITTED > Receive, Clarify > Working 1
                    ASKING | STOPS | MESSAGE ADMITTED > Receive, Clarify > Working 1
                    ASKING | HELD | MESSAGE ADMITTED > Receive, Clarify > Working 1
                    APPROVING | RUNS | MESSAGE ADMITTED > Receive, TellQueued > Working 1
                    ENDING | RUNS | MESSAGE ADMITTED > Receive, TellQueued > Ending 1
                    SUMMARISING | RUNS | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply > Summarising 2
                    SUMMARISING | HELD | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply > Summarising 2
                    """)
    void aMessageThatComesInDoesWhatTheTableSays(State state, Gateway gateway, String expected) {
        lookups.stopping = gateway == Gateway.STOPS ? Optional.of(STOP) : Optional.empty();
        lookups.held = gateway == Gateway.HELD;
        lookups.full = gateway == Gateway.FULL;

        LaneStep step = Lookups.arrivals(lookups, GatewaySettings.DEFAULT, new TurnedAway())
                .plain(lane(state), Given.says("a"), Optional.empty());
        assertThat(line(step)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    INTERRUPT | WORKING | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply, Interrupt > Working 1
                    QUEUE | WORKING | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply > Working 1
                    STEER | WORKING | MESSAGE ADMITTED > Receive, Steer > Working 1
                    STEER | STARTING | MESSAGE ADMITTED > Receive, Steer > Starting 1
                    INTERRUPT | APPROVING | MESSAGE ADMITTED, ACK > Receive, TellQueued, Deliver, Reply, Interrupt > Working 1
                    """)
    void aMessageForABusyLaneDoesWhatTheModeSays(BusyMode mode, State state, String expected) {
        LaneStep step = Lookups.arrivals(
                        lookups,
                        GatewaySettings.DEFAULT.busy(busy -> busy.withMode(mode).withFollowUpWindow(Duration.ZERO)),
                        new TurnedAway())
                .plain(
                        lane(state),
                        Given.says("a"),
                        Optional.of(new Glance(Optional.empty(), Given.NOW, Optional.empty())));
        assertThat(line(step)).isEqualTo(expected);
    }

    /** What a command decides. */
    enum Outcome {
        REPLIES,
        DROPS,
        QUEUES,
        STEERS,
        SUMMARISES,
        DECIDES
    }

    private static CommandOutcome outcome(Outcome outcome) {
        CommandOutcome silent = CommandOutcome.reply("");
        return switch (outcome) {
            case REPLIES -> CommandOutcome.reply("done");
            case DROPS ->
                CommandOutcome.reply("stopped")
                        .with(CommandOutcome.Effect.DROP_TURN, CommandOutcome.Effect.CLEAR_QUEUE);
            case QUEUES -> silent.enqueueing(new CommandOutcome.Enqueue(Inbound.Kind.QUEUED, "later", false));
            case STEERS -> silent.enqueueing(new CommandOutcome.Enqueue(Inbound.Kind.STEER, "faster", false));
            case SUMMARISES -> summary();
            case DECIDES -> silent.deciding(AgentQuestion.Decision.of(AgentQuestion.Approval.ONCE));
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    IDLE | REPLIES | COMMAND DONE, REPLY > Receive, Deliver, Reply, Close > Free 0
                    WORKING | REPLIES | COMMAND DONE, REPLY > Receive, Deliver, Reply, Close > Working 0
                    IDLE | DROPS | COMMAND DONE, REPLY > Receive, Deliver, Reply, Close > Free 0
                    WAITING | DROPS | COMMAND DONE, MESSAGE DROPPED, REPLY > Receive, Tell, Close, Deliver, Reply, Close > Free 0
                    STARTING | DROPS | COMMAND DONE, turn DROPPED, MESSAGE DONE, REPLY > Receive, Supersede, Close, Close, Deliver, Reply, Close > Free 0
                    WORKING | DROPS | COMMAND DONE, turn DROPPED, MESSAGE DONE, REPLY > Receive, Supersede, Close, Close, Deliver, Reply, Close > Free 0
                    SUMMARISING | DROPS | COMMAND DONE, COMMAND DROPPED, REPLY > Receive, Supersede, Close, Tell, Close, Deliver, Reply, Close > Free 0
                    IDLE | QUEUES | COMMAND DONE, QUEUED ADMITTED > Receive, WaitFor > Free 1
                    WORKING | QUEUES | COMMAND DONE, QUEUED ADMITTED > Receive, WaitFor, TellQueued > Working 1
                    SUMMARISING | QUEUES | COMMAND DONE, QUEUED ADMITTED, ACK > Receive, WaitFor, TellQueued, Deliver, Reply > Summarising 2
                    WORKING | STEERS | COMMAND DONE, STEER ADMITTED > Receive, WaitFor, Steer > Working 1
                    IDLE | SUMMARISES | COMMAND ADMITTED > Receive, Summarise > Free 1
                    APPROVING | DECIDES | COMMAND DONE > Receive, Close, Decide > Working 0
                    """)
    void whatACommandDecidedIsCarriedOutAsTheTableSays(State state, Outcome outcome, String expected) {
        CommandRuns commands = Lookups.commands(lookups);
        LaneState lane = lane(state);
        Inbound command = commands.carrying(lane, Given.says("/say"));

        assertThat(line(commands.arrived(lane, command, outcome(outcome)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    IDLE | 1 | nothing > nothing > Free 0
                    WAITING | 1 | TouchLane, AppendMessages, turn CLAIMED, MESSAGE CLAIMED > Tell, Begin > Starting 0
                    WAITING | 3 | TouchLane, AppendMessages, turn CLAIMED, MESSAGE CLAIMED > Tell, Begin > Starting 0
                    WAITING | 4 | MESSAGE DROPPED, NOTICE > Tell, Reply, Close, Deliver > Free 0
                    WORKING | 1 | nothing > nothing > Working 0
                    SUMMARISING | 1 | nothing > nothing > Summarising 1
                    """)
    void aFreeLaneDoesNextWhatTheTableSays(State state, int attempt, String expected) {
        assertThat(line(Lookups.next(lookups).decide(lane(state), NextItem.Asked.NOTHING, attempt)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    IDLE | nothing > nothing > Free 0
                    MARKED | RESUME ADMITTED > nothing > Free 1
                    WORKING | nothing > nothing > Working 0
                    GONE | nothing > nothing > Working 0
                    """)
    void aLaneIsResumedWhereTheTableSays(State state, String expected) {
        assertThat(line(Claiming.admitResume(lane(state), Given.moment()))).isEqualTo(expected);
    }

    /** How an agent's run ends. */
    enum End {
        ANSWER,
        NOTHING,
        MODEL,
        CONTEXT_TOO_LARGE,
        COMPRESSION_EXHAUSTED,
        CONFIGURATION,
        INTERRUPTED,
        INTERRUPTED_SAYING_SO,
        ABANDONED,
        GIVEN_UP
    }

    private static AgentAnswer answer(String text) {
        return new AgentAnswer(
                Content.text(text),
                Reasoning.NONE,
                Optional.empty(),
                TokenUsage.NONE,
                0,
                1,
                Optional.empty(),
                Billing.NONE,
                Optional.empty());
    }

    private static LaneStep ended(LaneState state, TurnWork turn, End end) {
        return switch (end) {
            case ANSWER -> TurnEnding.answered(state, turn, answer("done"), Optional.empty(), TIMEOUT, Given.moment());
            case NOTHING -> TurnEnding.answered(state, turn, answer(""), Optional.empty(), TIMEOUT, Given.moment());
            case MODEL, CONTEXT_TOO_LARGE, COMPRESSION_EXHAUSTED, CONFIGURATION ->
                TurnEnding.failed(
                        state,
                        turn,
                        new AgentFailure(AgentFailure.Kind.valueOf(end.name()), "no", TokenUsage.NONE, 1),
                        TIMEOUT,
                        Given.moment());
            case INTERRUPTED -> TurnEnding.interrupted(state, turn, answer(""), TIMEOUT, Given.moment());
            case INTERRUPTED_SAYING_SO -> TurnEnding.interrupted(state, turn, answer("half"), TIMEOUT, Given.moment());
            case ABANDONED -> TurnEnding.abandoned(state, turn, Given.moment());
            case GIVEN_UP -> TurnEnding.givenUp(state, turn, Given.moment());
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    WORKING | ANSWER | - | AppendMessages, AddUsage, TouchLane, turn COMPLETED, MESSAGE DONE, REPLY > LetGo, Succeeded, Finish, DeliverAnswer > Free 0
                    WORKING | ANSWER | TIMEOUT | AppendMessages, AddUsage, TouchLane, turn COMPLETED, MESSAGE DONE, REPLY > LetGo, Succeeded, Finish, DeliverAnswer > Free 0
                    WORKING | ANSWER | DRAIN | AppendMessages, AddUsage, TouchLane, turn COMPLETED, MESSAGE DONE, REPLY > LetGo, Succeeded, Finish, DeliverAnswer > Free 0
                    WORKING | NOTHING | - | AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | NOTHING | TIMEOUT | AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | MODEL | - | AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | MODEL | TIMEOUT | AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | CONFIGURATION | - | AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | CONTEXT_TOO_LARGE | - | HideMessages, AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | COMPRESSION_EXHAUSTED | - | AddUsage, TouchLane, EditSession, CreateSession, PutLane, AppendHistory, turn FAILED, MESSAGE DONE, REPLY > LetGo, Tell, CloseAgent, SessionFinalized, Reply, Close, DeliverAnswer > Free 0
                    ELSEWHERE | COMPRESSION_EXHAUSTED | - | AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, CloseAgent, Reply, Close, DeliverAnswer > Free 0
                    GONE | ANSWER | - | AppendMessages, AddUsage, TouchLane, turn COMPLETED, MESSAGE DONE, REPLY > LetGo, Succeeded, Finish, DeliverAnswer > Free 0
                    WORKING | INTERRUPTED | - | AddUsage, TouchLane, turn INTERRUPTED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | INTERRUPTED | FOLLOW_UP | AddUsage, TouchLane, turn INTERRUPTED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | INTERRUPTED | OPERATOR | AddUsage, TouchLane, turn INTERRUPTED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | INTERRUPTED | DRAIN | AddUsage, TouchLane, turn INTERRUPTED, MESSAGE DONE > LetGo, Close > Free 0
                    WORKING | INTERRUPTED | TIMEOUT | AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | INTERRUPTED_SAYING_SO | OPERATOR | AppendMessages, AddUsage, TouchLane, turn INTERRUPTED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    WORKING | INTERRUPTED_SAYING_SO | DRAIN | AppendMessages, AddUsage, TouchLane, turn INTERRUPTED, MESSAGE DONE > LetGo, Close > Free 0
                    WORKING | ABANDONED | DRAIN | turn INTERRUPTED, MESSAGE DONE > LetGo, Close > Free 0
                    WORKING | GIVEN_UP | - | AddUsage, TouchLane, turn FAILED, MESSAGE DONE, REPLY > LetGo, Reply, Close, DeliverAnswer > Free 0
                    """)
    void aTurnEndsAsTheTableSays(State state, End end, @Nullable Cause cause, String expected) {
        LaneState working = lane(state);
        TurnWork turn = working.slot().working().orElseThrow();
        TurnWork ending = cause == null ? turn : turn.interrupted(cause);
        LaneState lane = working.with(new TurnSlot.Working(ending));

        assertThat(line(ended(lane, ending, end))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    IDLE | 1 | nothing > nothing > Free 0
                    STARTING | 1 | nothing > nothing > Starting 0
                    WORKING | 1 | PutLane, AppendHistory > Tell, Interrupt > Working 0
                    WORKING | 4 | nothing > Interrupt > Working 0
                    SUSPENDED | 1 | nothing > Interrupt > Working 0
                    ELSEWHERE | 1 | nothing > Interrupt > Working 0
                    GONE | 1 | nothing > nothing > Working 0
                    SUMMARISING | 1 | nothing > nothing > Summarising 1
                    """)
    void aStopCutsATurnOffWhereTheTableSays(State state, int attempt, String expected) {
        assertThat(line(Draining.cutOff(lane(state), STOP, attempt, Given.moment())))
                .isEqualTo(expected);
    }
}
