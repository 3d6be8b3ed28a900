package dev.parley.domain.transcript;

/**
 * One call of a tool, as asked for by the agent.
 *
 * @param id the call's id, by which the result names it; may be empty
 * @param name the tool
 * @param arguments the arguments as the model wrote them, usually JSON; may be empty
 */
public record ToolCall(String id, String name, String arguments) {}
