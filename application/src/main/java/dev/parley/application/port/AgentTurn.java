package dev.parley.application.port;

import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.turn.TurnId;
import java.util.List;
import java.util.Optional;

/**
 * What an agent is given for a turn.
 *
 * @param turn the turn
 * @param session the session
 * @param prompt the context prompt
 * @param history the conversation before the input, cleaned for replay, in order
 * @param input the user's message with the notes the agent is to see; not what is stored
 * @param injected messages made for this run only, to be placed before the input; never stored (storage 7.8)
 * @param sender who wrote, for display
 */
public record AgentTurn(
        TurnId turn,
        SessionId session,
        String prompt,
        List<Message> history,
        Message input,
        List<Message> injected,
        Optional<String> sender) {
    public AgentTurn {
        history = List.copyOf(history);
        injected = List.copyOf(injected);
    }

    /** Returns this with other messages placed before the input. */
    public AgentTurn injecting(List<Message> messages) {
        return new AgentTurn(turn, session, prompt, history, input, messages, sender);
    }
}
