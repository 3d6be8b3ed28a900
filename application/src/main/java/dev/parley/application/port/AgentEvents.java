package dev.parley.application.port;

import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.util.List;

/**
 * What an agent reports of a turn, as it happens. Calls for one turn come one at a time and in order; each returns at once, and
 * what is reported is stored in that order. After the turn was superseded, or the agent has said more than it may in one turn,
 * reports are discarded.
 */
public interface AgentEvents {
    /** The agent said more of its answer. Not stored. */
    void streamed(String delta);

    /** The agent asks for tools; {@code content} is what it said along with it. */
    void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning);

    /** A tool has answered. */
    void toolAnswered(String callId, String tool, Content result);

    /**
     * The agent asks its user something and waits for {@link AgentRun#approve} or {@link AgentRun#clarify}. One question at a
     * time; another one takes its place. Whatever else is reported ends the question.
     */
    default void asked(AgentQuestion question) {}

    /** The turn has ended with an answer, which may be empty. */
    void answered(AgentAnswer answer);

    /** The turn has ended without an answer. */
    void failed(AgentFailure failure);

    /** The turn has ended because it was asked to. */
    void interrupted(AgentAnswer partial);
}
