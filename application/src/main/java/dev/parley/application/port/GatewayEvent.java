package dev.parley.application.port;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Decision;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Something the gateway did. Told after it is stored. */
public sealed interface GatewayEvent {
    /**
     * A message was assigned to a session.
     *
     * @param lane the lane
     * @param session the session it belongs to
     * @param decision what was decided
     */
    record Decided(SessionKey lane, SessionId session, Decision decision) implements GatewayEvent {}

    /**
     * The agent was called.
     *
     * @param lane the lane
     * @param session the session
     * @param turn the turn
     * @param input the text of the user's message, without notes; empty for a turn that resumes
     * @param notes the notes the agent was given, by their words: resume, tool-tail, restored, auto-reset, first-contact
     * @param history how many user, assistant and tool messages the agent saw before the input
     */
    record TurnStarted(SessionKey lane, SessionId session, TurnId turn, String input, List<String> notes, int history)
            implements GatewayEvent {
        public TurnStarted {
            notes = List.copyOf(notes);
        }
    }

    /**
     * A message was delivered.
     *
     * @param outgoing the message
     */
    record Sent(Outgoing outgoing) implements GatewayEvent {}

    /**
     * A message could not be delivered and was given up.
     *
     * @param outgoing the message
     * @param why why
     */
    record Expired(Outgoing outgoing, Why why) implements GatewayEvent {
        /** Why a message is given up. */
        public enum Why {
            /** It became too old, or what it says is over. */
            TOO_OLD("was not delivered in time and is given up"),
            /** Its platform refused it for good. */
            REFUSED("was refused by its platform and is given up"),
            /** It may have been delivered, and nothing is to be sent twice. */
            UNKNOWN("may have been delivered or not, is not sent twice and is given up"),
            /** An operator gave it up. */
            OPERATOR("was not delivered yet and is given up by an operator");

            private final String words;

            Why(String words) {
                this.words = words;
            }

            /** Returns what happened to the message, as people read it behind its name. */
            public String words() {
                return words;
            }
        }

        /** Returns what happened as one sentence for a log, without what the message says. */
        public String words() {
            return "a message to " + outgoing.platform().name() + " chat " + outgoing.chatId() + " " + why.words()
                    + " (it stays in the transcript)";
        }
    }

    /**
     * An attempt to deliver a message failed. Told before it is stored that the message is to be tried again, or given up.
     *
     * @param outgoing the message after the attempt
     * @param why why, in one word: away, rate_limited, unauthorized, chat_gone, forbidden, rejected, unknown
     */
    record SendFailed(Outgoing outgoing, String why) implements GatewayEvent {}

    /**
     * A message waits behind a running turn.
     *
     * @param lane the lane
     * @param depth how many items wait, this one included (Q8.21)
     */
    record Queued(SessionKey lane, int depth) implements GatewayEvent {}

    /**
     * A message was not taken, or was taken out of the queue.
     *
     * @param lane the lane
     * @param why why
     */
    record Dropped(SessionKey lane, String why) implements GatewayEvent {}

    /**
     * A lane changed.
     *
     * @param event the line of its history
     */
    record Transition(LaneEvent event) implements GatewayEvent {}

    /**
     * The expiry watcher finalised a session.
     *
     * @param lane the lane
     * @param session the session
     */
    record Finalized(SessionKey lane, SessionId session) implements GatewayEvent {}

    /**
     * A lane was removed because it was not used for long.
     *
     * @param lane the lane
     * @param session its last session
     */
    record Pruned(SessionKey lane, SessionId session) implements GatewayEvent {}

    /**
     * A conversation was replaced by a summary, or all but its last exchanges.
     *
     * @param lane the lane
     * @param session its session
     * @param messages how many messages the summary stands for
     */
    record Compressed(SessionKey lane, SessionId session, int messages) implements GatewayEvent {}

    /**
     * An agent is no longer kept; the lane's next turn gets a new one.
     *
     * @param lane the lane
     * @param why why, in one word: capacity, idle, rebuilt, foreign_change, interrupted, released, session_over, shutdown
     */
    record AgentLeft(SessionKey lane, String why) implements GatewayEvent {}

    /**
     * An agent was answered what it had asked.
     *
     * @param lane the lane
     * @param answer what was said; for an approval {@code once}, {@code session}, {@code always} or {@code deny}
     * @param reason the reason of a denial; absent where none was given
     */
    record Answered(SessionKey lane, String answer, Optional<String> reason) implements GatewayEvent {}

    /**
     * Storage is degraded: the gateway goes on with the fallback.
     *
     * @param why what the primary storage said
     */
    record Degraded(String why) implements GatewayEvent {}

    /**
     * Storage is whole again.
     *
     * @param batches how many batches were merged back
     * @param messages how many messages were among them
     */
    record Healed(int batches, int messages) implements GatewayEvent {}

    /**
     * Something went wrong that no message to a chat tells about.
     *
     * @param lane the lane; absent where it is about the gateway
     * @param what what happened and what follows
     * @param cause the failure
     */
    record Trouble(Optional<SessionKey> lane, String what, Optional<Throwable> cause) implements GatewayEvent {}

    /**
     * A message was stored in the queue.
     *
     * @param inbound the message
     */
    record Admitted(Inbound inbound) implements GatewayEvent {}

    /**
     * A command has decided, and what it changes and answers is stored. One that asked for a summary is told once that is there.
     *
     * @param lane the lane
     * @param command the message that carried it
     * @param name its name, without the slash; that of the command itself where one of its other names was written
     * @param changes how many changes it stored, its reply not counted
     */
    record CommandRun(SessionKey lane, InboundId command, String name, int changes) implements GatewayEvent {}

    /**
     * A turn was claimed: its messages have left the queue.
     *
     * @param turn the turn
     * @param inputs its messages
     */
    record TurnClaimed(Turn turn, List<Inbound> inputs) implements GatewayEvent {
        public TurnClaimed {
            inputs = List.copyOf(inputs);
        }

        /** Returns how long the message that waited longest had waited; nothing for a turn without messages. */
        public Duration waited() {
            return inputs.stream()
                    .map(input -> Duration.between(input.receivedAt(), turn.startedAt()))
                    .filter(wait -> !wait.isNegative())
                    .max(Duration::compareTo)
                    .orElse(Duration.ZERO);
        }
    }

    /**
     * A tool has answered the agent of a running turn. Told when the agent reports it, before its answer is stored.
     *
     * @param turn the turn
     * @param callId the call
     * @param tool the tool's name
     * @param calledAt when the agent called it; absent where it reported no call
     * @param answeredAt when it answered
     */
    record ToolAnswered(TurnId turn, String callId, String tool, Optional<Instant> calledAt, Instant answeredAt)
            implements GatewayEvent {}

    /**
     * A turn ended, with or without an answer.
     *
     * @param turn the turn as it was stored
     */
    record TurnEnded(Turn turn) implements GatewayEvent {}

    /**
     * The store answered a batch.
     *
     * @param changes how many changes it had
     * @param took how long that took
     * @param outcome what became of it
     */
    record Committed(int changes, Duration took, Outcome outcome) implements GatewayEvent {
        /** What became of a batch. */
        public enum Outcome {
            /** It is stored. */
            COMMITTED,
            /** It is not, since a precondition did not hold. */
            CONFLICT,
            /** The store threw. */
            FAILED;

            /** Returns the word used in output. */
            public String text() {
                return name().toLowerCase(Locale.ROOT);
            }
        }
    }

    /**
     * An observer could not pass on what the gateway did; that is lost to the observer alone.
     *
     * @param observer the observer's name
     * @param lost how many of its items are lost
     * @param why why, in a sentence without texts and ids of people
     */
    record NotExported(String observer, long lost, String why) implements GatewayEvent {}

    /**
     * A start has set right what the process before left behind, and messages are taken.
     *
     * @param took how long the start took
     * @param cutOff how many turns the process before had cut off
     * @param resumed how many lanes are to be resumed
     */
    record Started(Duration took, int cutOff, int resumed) implements GatewayEvent {}

    /**
     * An operator did something through a surface, or was not let do it.
     *
     * @param by who: a token, or the beginning of the digest of a session
     * @param role what it may do
     * @param remote the address it asked from
     * @param action what was asked
     * @param target what it was asked of; empty where the action says it
     * @param outcome what became of it, in a word
     */
    record OperatorActed(String by, String role, String remote, String action, String target, String outcome)
            implements GatewayEvent {}
}
