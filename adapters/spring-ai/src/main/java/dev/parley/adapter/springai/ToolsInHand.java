package dev.parley.adapter.springai;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.core.Ordered;
import reactor.core.publisher.Flux;

/**
 * The last advisor of a turn's calls: puts the gateway's prompt behind the client's own system text, and takes the tools that the model may
 * ask for out of its hands, so that they are called here, one by one and once people have approved.
 */
final class ToolsInHand implements StreamAdvisor {
    private final String prompt;
    private final boolean offersTools;
    private final Optional<String> model;
    private volatile @Nullable Prompt asked;

    ToolsInHand(String prompt, boolean offersTools, Optional<String> model) {
        this.prompt = prompt;
        this.offersTools = offersTools;
        this.model = model;
    }

    @Override
    public String getName() {
        return "parley";
    }

    /** Behind all others, before the one that calls the model. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE - 1;
    }

    @Override
    public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
        Prompt told = prompt.isBlank() ? request.prompt() : request.prompt().augmentSystemMessage(this::told);
        Prompt mine = new Prompt(told.getInstructions(), options(told.getOptions()));
        asked = mine;
        return chain.nextStream(request.mutate().prompt(mine).build());
    }

    private SystemMessage told(SystemMessage system) {
        String own = Optional.ofNullable(system.getText()).orElse("");
        return system.mutate()
                .text(own.isBlank() ? prompt : own + "\n\n" + prompt)
                .build();
    }

    private @Nullable ChatOptions options(@Nullable ChatOptions given) {
        if (given == null) {
            return model.map(
                            each -> ToolCallingChatOptions.builder().model(each).build())
                    .orElse(null);
        }
        ChatOptions mine = given.copy();
        if (mine instanceof ToolCallingChatOptions tools) {
            tools.setInternalToolExecutionEnabled(false);
            if (!offersTools) {
                tools.setToolCallbacks(List.of());
                tools.setToolNames(Set.of());
            }
        }
        // All options have a model to set, and no type in common that could.
        model.ifPresent(
                each -> PropertyAccessorFactory.forBeanPropertyAccess(mine).setPropertyValue("model", each));
        return mine;
    }

    /** What a tool returned, and whether that is the answer itself. */
    record Result(String text, boolean direct) {}

    /** Calls a tool; what it throws is told to the model. */
    Result use(AssistantMessage.ToolCall call, ToolCallingManager manager) {
        ChatResponse one = new ChatResponse(List.of(new Generation(
                AssistantMessage.builder().content("").toolCalls(List.of(call)).build())));
        try {
            ToolExecutionResult result = manager.executeToolCalls(prompt(), one);
            var history = result.conversationHistory();
            var last = (ToolResponseMessage) history.get(history.size() - 1);
            return new Result(
                    last.getResponses().stream()
                            .map(ToolResponseMessage.ToolResponse::responseData)
                            .findFirst()
                            .orElse(""),
                    result.returnDirect());
        } catch (RuntimeException | Error e) {
            return new Result("The tool failed: " + firstLine(e), false);
        }
    }

    private Prompt prompt() {
        Prompt told = asked;
        if (told == null) {
            throw new IllegalStateException("The client has left out its advisors.");
        }
        return told;
    }

    private static String firstLine(Throwable e) {
        return Optional.ofNullable(e.getMessage())
                .flatMap(message ->
                        message.lines().filter(line -> !line.isBlank()).findFirst())
                .orElseGet(() -> e.getClass().getSimpleName());
    }
}
