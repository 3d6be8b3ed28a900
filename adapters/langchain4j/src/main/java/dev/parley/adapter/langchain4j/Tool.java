package dev.parley.adapter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;

/**
 * What a tool does. Called on a thread of the agents' executor, one tool of a turn at a time; a turn that is interrupted interrupts that
 * thread, and what the tool still returns is dropped.
 */
@FunctionalInterface
public interface Tool {
    /**
     * Returns what the model is told. Whatever it throws is told to the model as the first line of its message, and the turn goes on.
     *
     * @param request the tool's name and its arguments, as the model wrote them: JSON
     */
    String execute(ToolExecutionRequest request) throws Exception;
}
