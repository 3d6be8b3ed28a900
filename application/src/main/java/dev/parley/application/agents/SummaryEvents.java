package dev.parley.application.agents;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentAnswer;
import dev.parley.application.port.AgentEvents;
import dev.parley.application.port.AgentFailure;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.ToolCall;
import java.util.List;

/**
 * Tells of a summary what an agent reports of a turn, for agents that summarise as they answer: the whole answer is the summary, and
 * of what comes before it only the text is told. As safe for concurrent use as the listener is.
 *
 * @param done told once
 */
public record SummaryEvents(Agent.SummaryListener done) implements AgentEvents {
    @Override
    public void streamed(String delta) {
        done.streamed(delta);
    }

    @Override
    public void toolsCalled(Content content, List<ToolCall> calls, Reasoning reasoning) {
        // What an agent does while it summarises is no part of the conversation.
    }

    @Override
    public void toolAnswered(String callId, String tool, Content result) {
        // As above.
    }

    @Override
    public void answered(AgentAnswer answer) {
        done.summarised(answer.content().plainText().strip());
    }

    @Override
    public void failed(AgentFailure failure) {
        done.failedWith(failure);
    }

    @Override
    public void interrupted(AgentAnswer partial) {
        done.failed("The summary was interrupted.");
    }
}
