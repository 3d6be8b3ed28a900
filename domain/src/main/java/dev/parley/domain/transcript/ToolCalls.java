package dev.parley.domain.transcript;

import dev.parley.domain.text.RawJson;
import java.util.List;
import java.util.Optional;

/**
 * The tool calls of one assistant message.
 *
 * @param json the calls as they were stored or received, carried unchanged; absent where the message was made here, then
 *     the store renders {@link #calls} in the usual shape
 * @param calls the calls that could be read, in order; empty where the JSON is malformed
 * @param count what the message adds to its session's tool call counter: the length of the list, 1 for anything else
 */
public record ToolCalls(Optional<RawJson> json, List<ToolCall> calls, int count) {
    public ToolCalls {
        calls = List.copyOf(calls);
    }

    /** Returns calls made here, without a JSON form of their own. */
    public static ToolCalls of(List<ToolCall> calls) {
        return new ToolCalls(Optional.empty(), calls, calls.size());
    }
}
