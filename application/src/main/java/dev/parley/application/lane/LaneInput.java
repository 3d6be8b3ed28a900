package dev.parley.application.lane;

import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.port.AnswerListener;
import dev.parley.application.port.Happened;
import dev.parley.application.port.Receipt;
import dev.parley.application.port.Received;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What a lane is asked to take care of. */
public sealed interface LaneInput {
    /** Hands this input to the method of its kind. */
    void accept(Visitor visitor);

    /** Takes care of each kind of input. */
    interface Visitor {
        void arrived(Arrived input);

        void occurred(Occurred input);

        void ordered(Ordered input);

        void interrupted(Interrupted input);

        void withdrawn(Withdrawn input);

        void wake(Wake input);

        void refresh(Refresh input);

        void resume(Resume input);

        void whileIdle(WhileIdle input);

        void posted(Posted input);

        void lost(Lost input);

        void dismissed(Dismissed input);

        void bannered(Bannered input);

        void cutOff(CutOff input);

        void abandoned(Abandoned input);
    }

    /** Something that a platform hands in. */
    sealed interface HandedIn extends LaneInput {
        /** Returns what is completed with what became of it. */
        CompletableFuture<Receipt> receipt();

        /** Returns the name its platform gave it; absent where it gave none. */
        Optional<PlatformMessage> name();

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
    record Arrived(Received message, AnswerListener answer, CompletableFuture<Receipt> receipt) implements HandedIn {
        @Override
        public Optional<PlatformMessage> name() {
            return message.name();
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.arrived(this);
        }
    }

    /**
     * Something has happened to a message or to the chat.
     *
     * @param what what
     * @param receipt completed with what became of it
     */
    record Occurred(Happened what, CompletableFuture<Receipt> receipt) implements HandedIn {
        @Override
        public Optional<PlatformMessage> name() {
            return what.name();
        }

        @Override
        public void accept(Visitor visitor) {
            visitor.occurred(this);
        }
    }

    /**
     * Something is done to the lane that nobody in it asked for.
     *
     * @param order decides what; nothing where there is no such lane
     * @param done told whether it was done
     */
    record Ordered(Function<CommandContext, Optional<CommandOutcome>> order, CompletableFuture<Boolean> done)
            implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.ordered(this);
        }
    }

    /**
     * An operator asks the running turn to end.
     *
     * @param done told whether one is running
     */
    record Interrupted(CompletableFuture<Boolean> done) implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.interrupted(this);
        }
    }

    /**
     * An operator drops a message that waits.
     *
     * @param message the message
     * @param done told whether it waited
     */
    record Withdrawn(InboundId message, CompletableFuture<Boolean> done) implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.withdrawn(this);
        }
    }

    /** There may be something to do. */
    record Wake() implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.wake(this);
        }
    }

    /** Somebody else may have stored something. */
    record Refresh() implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.refresh(this);
        }
    }

    /** The lane is resumed where it is marked and idle. */
    record Resume() implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.resume(this);
        }
    }

    /**
     * Somebody else's task runs while nothing of the lane runs; else it does not run.
     *
     * @param task the task
     */
    record WhileIdle(Runnable task) implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.whileIdle(this);
        }
    }

    /** Another gateway may have stored a message for the lane. */
    record Posted() implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.posted(this);
        }
    }

    /** The gateway may not work on its lanes any more: others may take them. */
    record Lost() implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.lost(this);
        }
    }

    /** The gateway stops: whoever waits for an answer to a waiting message waits no longer. */
    record Dismissed() implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.dismissed(this);
        }
    }

    /**
     * The gateway stops: the people of a running turn are told.
     *
     * @param stop the stop
     */
    record Bannered(Stopping stop) implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.bannered(this);
        }
    }

    /**
     * The drain has timed out: a turn that still runs is marked, then its agent interrupted.
     *
     * @param stop the stop
     */
    record CutOff(Stopping stop) implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.cutOff(this);
        }
    }

    /** The stop waits no longer: a turn whose agent does not react ends without it. */
    record Abandoned() implements LaneInput {
        @Override
        public void accept(Visitor visitor) {
            visitor.abandoned(this);
        }
    }
}
