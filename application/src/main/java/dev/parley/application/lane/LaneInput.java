package dev.parley.application.lane;

import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Happened;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.application.turn.SummaryReport;
import dev.parley.application.turn.TurnReport;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.RunId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What a lane is asked to take care of. */
public sealed interface LaneInput {
    /** Something that a platform hands in. */
    sealed interface HandedIn extends LaneInput {
        /** Returns what is completed with what became of it. */
        CompletableFuture<Receipt> receipt();

        /** Returns who is told how its answer comes about; throws nothing. */
        default AnswerListener answer() {
            return AnswerListener.NONE;
        }
    }

    /**
     * A message has come in.
     *
     * @param message the message
     * @param answer told how its answer comes about; throws nothing
     * @param receipt completed with what became of it
     */
    record Arrived(Received message, AnswerListener answer, CompletableFuture<Receipt> receipt) implements HandedIn {}

    /**
     * Something has happened to a message or to the chat.
     *
     * @param what what
     * @param receipt completed with what became of it
     */
    record Occurred(Happened what, CompletableFuture<Receipt> receipt) implements HandedIn {}

    /**
     * A running turn reports something.
     *
     * @param run the run
     * @param report what
     */
    record Reported(RunId run, TurnReport report) implements LaneInput {}

    /**
     * A summary is there, or there is none.
     *
     * @param report what became of it
     */
    record Summarised(SummaryReport report) implements LaneInput {}

    /**
     * Something is done to the lane that nobody in it asked for.
     *
     * @param order decides what; nothing where there is no such lane
     * @param done told whether it was done
     */
    record Ordered(Function<CommandContext, Optional<CommandOutcome>> order, CompletableFuture<Boolean> done)
            implements LaneInput {}

    /**
     * An operator asks the running turn to end.
     *
     * @param done told whether one is running
     */
    record Interrupted(CompletableFuture<Boolean> done) implements LaneInput {}

    /**
     * An operator drops a message that waits.
     *
     * @param message the message
     * @param done told whether it waited
     */
    record Withdrawn(InboundId message, CompletableFuture<Boolean> done) implements LaneInput {}

    /** There may be something to do. */
    record Wake() implements LaneInput {}

    /** Somebody else may have stored something. */
    record Refresh() implements LaneInput {}

    /** It is looked for what was stored without the lane's knowledge. */
    record CatchUp() implements LaneInput {}

    /** The lane is resumed where it is marked and idle. */
    record Resume() implements LaneInput {}

    /**
     * Somebody else's task runs while nothing of the lane runs; else it does not run.
     *
     * @param task the task
     */
    record WhileIdle(Runnable task) implements LaneInput {}

    /** Another gateway may have stored a message for the lane. */
    record Posted() implements LaneInput {}

    /** The gateway may not work on its lanes any more: others may take them. */
    record Lost() implements LaneInput {}

    /** The gateway stops: whoever waits for an answer to a waiting message waits no longer. */
    record Dismissed() implements LaneInput {}

    /**
     * The gateway stops: the people of a running turn are told.
     *
     * @param stop the stop
     */
    record Bannered(Stopping stop) implements LaneInput {}

    /**
     * The drain has timed out: a turn that still runs is marked, then its agent interrupted.
     *
     * @param stop the stop
     */
    record CutOff(Stopping stop) implements LaneInput {}

    /** The stop waits no longer: a turn whose agent does not react ends without it. */
    record Abandoned() implements LaneInput {}
}
