package dev.parley.adapter.langchain4j;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.InvalidRequest;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Agents made of a streaming model of LangChain4j and tools. The conversation is the gateway's: each turn gives the model the prompt, what was
 * said before and the input, so no memory of LangChain4j is needed. Answers stream, tools and their results are stored, tools that need it are
 * approved by the people in the chat, an interrupt cancels the model, and what people say meanwhile is given to the model with the next
 * results. Safe for concurrent use where the model and the tools are.
 *
 * <pre>{@code
 * AgentFactory agents = LangChainAgents.builder("gpt-5", model)
 *         .executor(home.threads().agents())
 *         .clock(home.clock())
 *         .tool(weather, request -> forecast(request.arguments()))
 *         .toolWithApproval(delete, request -> delete(request.arguments()))
 *         .build();
 * }</pre>
 */
public final class LangChainAgents implements AgentFactory {
    private final String name;
    private final StreamingChatModel model;
    private final Executor executor;
    private final InstantSource clock;
    private final Optional<String> systemPrompt;
    private final long contextLength;
    private final int rounds;
    private final Map<String, Offered> tools;

    /** A tool that the model may ask for. */
    record Offered(ToolSpecification specification, Tool tool, boolean approved) {}

    private LangChainAgents(Builder given) {
        this.name = given.name;
        this.model = given.model;
        this.executor = needed(given.executor, "executor");
        this.clock = needed(given.clock, "clock");
        this.systemPrompt = Optional.ofNullable(given.systemPrompt);
        this.contextLength = given.contextLength;
        this.rounds = given.rounds;
        this.tools = Map.copyOf(given.tools);
    }

    private static <T> T needed(@Nullable T value, String what) {
        if (value == null) {
            throw new InvalidRequest("Agents of LangChain4j need " + what + "; give it to the builder.");
        }
        return value;
    }

    /**
     * Begins agents without tools; executor and clock are needed.
     *
     * @param name the model's name, for display
     * @param model the model; its request parameters hold but for messages and tools
     */
    public static Builder builder(String name, StreamingChatModel model) {
        return new Builder(name, model);
    }

    /** The prompt decides what an agent is, and so does a model chosen for its lane, whose name is given to the model. */
    @Override
    public String signature(AgentSpec spec) {
        return model(spec) + "\n" + spec.prompt();
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new LangChainAgent(this, spec.override().flatMap(override -> override.model()));
    }

    @Override
    public String model(AgentSpec spec) {
        return spec.override().flatMap(override -> override.model()).orElse(name);
    }

    @Override
    public long contextLength(AgentSpec spec) {
        return contextLength;
    }

    String name() {
        return name;
    }

    StreamingChatModel model() {
        return model;
    }

    Executor executor() {
        return executor;
    }

    InstantSource clock() {
        return clock;
    }

    Optional<String> systemPrompt() {
        return systemPrompt;
    }

    int rounds() {
        return rounds;
    }

    Optional<Offered> tool(String called) {
        return Optional.ofNullable(tools.get(called));
    }

    List<ToolSpecification> specifications() {
        return tools.values().stream().map(Offered::specification).toList();
    }

    /** Collects what agents are made of. Not safe for concurrent use. */
    public static final class Builder {
        private final String name;
        private final StreamingChatModel model;
        private final Map<String, Offered> tools = new LinkedHashMap<>();
        private @Nullable Executor executor;
        private @Nullable InstantSource clock;
        private @Nullable String systemPrompt;
        private long contextLength;
        private int rounds = 25;

        private Builder(String name, StreamingChatModel model) {
            this.name = name;
            this.model = model;
        }

        /**
         * Sets what runs the turns and the tools: not the gateway's executor, and with a thread for each turn that may run at a time, since
         * models and tools may block.
         */
        public Builder executor(Executor value) {
            executor = value;
            return this;
        }

        /** Sets time. */
        public Builder clock(InstantSource value) {
            clock = value;
            return this;
        }

        /** Sets what stands before the gateway's prompt; nothing unless set. */
        public Builder systemPrompt(String value) {
            systemPrompt = value;
            return this;
        }

        /** Sets the size of the model's context in tokens; 0, which is not known, unless set. Conversations are compressed before they outgrow it. */
        public Builder contextLength(long tokens) {
            contextLength = tokens;
            return this;
        }

        /** Sets how often the model may ask for tools in one turn; 25 unless set. */
        public Builder rounds(int most) {
            rounds = most;
            return this;
        }

        /** Adds a tool that the model may use as it likes. */
        public Builder tool(ToolSpecification specification, Tool tool) {
            tools.put(specification.name(), new Offered(specification, tool, false));
            return this;
        }

        /**
         * Adds a tool that the people in the chat are asked about each time, unless they have said
         * that it holds for the session or always: then not again for as long as the lane's agent is kept.
         */
        public Builder toolWithApproval(ToolSpecification specification, Tool tool) {
            tools.put(specification.name(), new Offered(specification, tool, true));
            return this;
        }

        /**
         * Returns the agents.
         *
         * @throws InvalidRequest where something that is needed is missing
         */
        public LangChainAgents build() {
            return new LangChainAgents(this);
        }
    }
}
