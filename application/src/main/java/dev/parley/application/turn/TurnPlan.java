package dev.parley.application.turn;

import dev.parley.domain.context.SenderPrefix;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.RunId;
import dev.parley.domain.turn.Turn;
import java.util.List;
import java.util.Optional;

/**
 * A turn as it is claimed.
 *
 * @param turn the turn
 * @param parts the messages it takes out of the queue, in order; never empty
 * @param source who it is for, and where
 * @param input the user's message, as it is stored
 * @param autoReset why its session was begun anew by itself; absent where it was not
 * @param mark the mark to be resumed that it saw: a success clears this one and no other
 * @param shared whether several people talk in its session
 */
public record TurnPlan(
        Turn turn,
        List<Inbound> parts,
        SessionSource source,
        Message input,
        Optional<ResetReason> autoReset,
        Optional<Standing.ResumePending> mark,
        boolean shared) {
    public TurnPlan {
        parts = List.copyOf(parts);
    }

    /** Returns this with more known of its turn. */
    public TurnPlan with(Turn known) {
        return new TurnPlan(known, parts, source, input, autoReset, mark, shared);
    }

    /** Returns what the agent is told that somebody says while it runs: in a shared session, with their name before it (X9.4). */
    public String said(Inbound input) {
        return SenderPrefix.apply(input.source(), shared, input.text());
    }

    /** Returns its session. */
    public SessionId session() {
        return turn.session();
    }

    /** Returns what tells this run of the turn from every other. */
    public RunId run() {
        return turn.run();
    }

    /** Returns whether it resumes a turn that was cut off, so that nobody said anything. */
    public boolean resumes() {
        return parts.get(0).kind() == Inbound.Kind.RESUME;
    }

    /**
     * Returns the platform's id of the message that its answer replies to: in a chat of several people the last one it takes; absent in
     * direct chats, where the answer stands below it anyway, and where nobody said anything.
     */
    public Optional<String> answered() {
        return source.chatType().isDm() || resumes() ? Optional.empty() : last();
    }

    /** Returns the message that its answer is caused by: the last one it takes. */
    public InboundId cause() {
        return parts.get(parts.size() - 1).id();
    }

    /** Returns the platform's id of the last message it takes. */
    public Optional<String> last() {
        return parts.get(parts.size() - 1).platformMessage().map(PlatformMessage::messageId);
    }

    /** Returns the user's text as it is stored. */
    public String text() {
        return input.content().plainText();
    }
}
