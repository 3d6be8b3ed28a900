package dev.parley.adapter.springai;

import dev.parley.application.port.Agent;
import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.AgentSpec;
import dev.parley.application.port.InvalidRequest;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.model.tool.ToolCallingManager;

/**
 * Agents made of a chat client of Spring AI, with its system text, tools, options and advisors. The conversation is the gateway's: each turn
 * gives the client the prompt, what was said before and the input, so that a memory advisor is not needed and would say everything twice.
 * Answers stream, the client's tools and their results are stored, tools that need it are approved by the people in the chat, an interrupt
 * cancels the stream, and what people say meanwhile is given to the model with the next results. Safe for concurrent use, as chat clients are.
 *
 * <pre>{@code
 * AgentFactory agents = SpringAiAgents.builder("gpt-5", builder.defaultTools(new Weather(), new Files()).build())
 *         .executor(home.threads().agents())
 *         .clock(home.clock())
 *         .approval("delete")
 *         .build();
 * }</pre>
 */
public final class SpringAiAgents implements AgentFactory {
    private final String name;
    private final ChatClient client;
    private final Executor executor;
    private final InstantSource clock;
    private final ToolCallingManager tools;
    private final long contextLength;
    private final int rounds;
    private final Set<String> approval;

    private SpringAiAgents(Builder given) {
        this.name = given.name;
        this.client = given.client;
        this.executor = needed(given.executor, "executor");
        this.clock = needed(given.clock, "clock");
        this.tools = given.tools == null ? ToolCallingManager.builder().build() : given.tools;
        this.contextLength = given.contextLength;
        this.rounds = given.rounds;
        this.approval = Set.copyOf(given.approval);
    }

    private static <T> T needed(@Nullable T value, String what) {
        if (value == null) {
            throw new InvalidRequest("Agents of Spring AI need " + what + "; give it to the builder.");
        }
        return value;
    }

    /**
     * Begins agents; executor and clock are needed.
     *
     * @param name the model's name, for display
     * @param client the client; its model must stream
     */
    public static Builder builder(String name, ChatClient client) {
        return new Builder(name, client);
    }

    /** The prompt decides what an agent is, and so does a model chosen for its lane, whose name is given to the client. */
    @Override
    public String signature(AgentSpec spec) {
        return model(spec) + "\n" + spec.prompt();
    }

    @Override
    public Agent create(AgentSpec spec) {
        return new SpringAiAgent(this, spec.override().flatMap(override -> override.model()));
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

    ChatClient client() {
        return client;
    }

    Executor executor() {
        return executor;
    }

    InstantSource clock() {
        return clock;
    }

    ToolCallingManager tools() {
        return tools;
    }

    int rounds() {
        return rounds;
    }

    boolean needsApproval(String tool) {
        return approval.contains(tool);
    }

    /** Collects what agents are made of. Not safe for concurrent use. */
    public static final class Builder {
        private final String name;
        private final ChatClient client;
        private final Set<String> approval = new HashSet<>();
        private @Nullable Executor executor;
        private @Nullable InstantSource clock;
        private @Nullable ToolCallingManager tools;
        private long contextLength;
        private int rounds = 25;

        private Builder(String name, ChatClient client) {
            this.name = name;
            this.client = client;
        }

        /**
         * Sets what runs the turns and the tools: not the gateway's executor, and with a thread for each turn that may run at a time, since
         * models and tools block.
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

        /** Sets what calls tools, such as the one of an application, which finds tools by their beans' names; a plain one unless set. */
        public Builder tools(ToolCallingManager value) {
            tools = value;
            return this;
        }

        /**
         * Adds tools, by name, that the people in the chat are asked about each time, unless they have said that it holds for the session or
         * always: then not again for as long as the lane's agent is kept.
         */
        public Builder approval(String... toolNames) {
            approval.addAll(Arrays.asList(toolNames));
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

        /**
         * Returns the agents.
         *
         * @throws InvalidRequest where something that is needed is missing
         */
        public SpringAiAgents build() {
            return new SpringAiAgents(this);
        }
    }
}
