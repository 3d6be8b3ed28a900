package dev.parley.adapter.springai;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import reactor.core.publisher.Flux;

/** A model that answers as it is told to, call by call; without a script it says that it is done. */
final class ScriptedModel implements ChatModel {
    private final Deque<Flux<ChatResponse>> script = new ArrayDeque<>();
    private final List<Prompt> prompts = new CopyOnWriteArrayList<>();

    synchronized ScriptedModel then(Flux<ChatResponse> answer) {
        script.add(answer);
        return this;
    }

    ScriptedModel says(String text) {
        List<ChatResponse> pieces = new ArrayList<>();
        for (String part : text.split("(?<= )", -1)) {
            pieces.add(new ChatResponse(List.of(new Generation(new AssistantMessage(part)))));
        }
        pieces.add(end("", List.of()));
        return then(Flux.fromIterable(pieces));
    }

    ScriptedModel uses(String along, String... tools) {
        return then(Flux.just(end(
                along,
                Arrays.stream(tools)
                        .map(tool -> new AssistantMessage.ToolCall(
                                "call-of-" + tool, "function", tool, "{\"of\":\"" + tool + "\"}"))
                        .toList())));
    }

    private static ChatResponse end(String text, List<AssistantMessage.ToolCall> calls) {
        return new ChatResponse(
                List.of(new Generation(
                        AssistantMessage.builder()
                                .content(text)
                                .toolCalls(calls)
                                .build(),
                        ChatGenerationMetadata.builder().finishReason("STOP").build())),
                ChatResponseMetadata.builder()
                        .model("scripted-1")
                        .usage(new DefaultUsage(100, 10))
                        .build());
    }

    List<Prompt> prompts() {
        return List.copyOf(prompts);
    }

    List<Message> lastMessages() {
        return prompts.get(prompts.size() - 1).getInstructions();
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        throw new UnsupportedOperationException("It streams.");
    }

    @Override
    public Flux<ChatResponse> stream(Prompt prompt) {
        prompts.add(prompt);
        return next();
    }

    private synchronized Flux<ChatResponse> next() {
        return script.isEmpty()
                ? Flux.just(new ChatResponse(List.of(new Generation(new AssistantMessage("Done.")))))
                : script.remove();
    }
}
