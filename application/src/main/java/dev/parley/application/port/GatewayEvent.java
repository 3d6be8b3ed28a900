package dev.parley.application.port;

import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Decision;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import java.util.List;
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
     */
    record Expired(Outgoing outgoing) implements GatewayEvent {}

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
}
