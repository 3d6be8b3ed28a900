package dev.parley.adapter.springai;

import java.util.function.UnaryOperator;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.metadata.ToolMetadata;

/** Tools of functions. */
final class Tools {
    private Tools() {}

    static ToolCallback named(String name, UnaryOperator<String> tool) {
        return new Callback(name, tool, false);
    }

    static ToolCallback direct(String name, UnaryOperator<String> tool) {
        return new Callback(name, tool, true);
    }

    private record Callback(String name, UnaryOperator<String> tool, boolean direct) implements ToolCallback {
        @Override
        public ToolDefinition getToolDefinition() {
            return ToolDefinition.builder()
                    .name(name)
                    .description("A tool.")
                    .inputSchema("{}")
                    .build();
        }

        @Override
        public ToolMetadata getToolMetadata() {
            return ToolMetadata.builder().returnDirect(direct).build();
        }

        @Override
        public String call(String input) {
            return tool.apply(input);
        }
    }
}
