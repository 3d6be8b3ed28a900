package dev.parley.adapter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A model that answers as it is told to, call by call; without a script it says that it is done. */
final class ScriptedModel implements StreamingChatModel {
    private final Deque<Consumer<StreamingChatResponseHandler>> script = new ArrayDeque<>();
    private final List<ChatRequest> requests = new CopyOnWriteArrayList<>();

    synchronized ScriptedModel then(Consumer<StreamingChatResponseHandler> answer) {
        script.add(answer);
        return this;
    }

    ScriptedModel says(String text) {
        return then(handler -> {
            for (String part : text.split("(?<= )", -1)) {
                handler.onPartialResponse(part);
            }
            handler.onCompleteResponse(response(AiMessage.from(text)));
        });
    }

    ScriptedModel uses(String along, String... tools) {
        return then(handler -> {
            List<ToolExecutionRequest> calls = new ArrayList<>();
            for (String tool : tools) {
                calls.add(ToolExecutionRequest.builder()
                        .id("call-of-" + tool)
                        .name(tool)
                        .arguments("{\"of\":\"" + tool + "\"}")
                        .build());
            }
            handler.onCompleteResponse(response(AiMessage.from(along, calls)));
        });
    }

    static ChatResponse response(AiMessage message) {
        return ChatResponse.builder()
                .aiMessage(message)
                .modelName("scripted-1")
                .tokenUsage(new TokenUsage(100, 10))
                .finishReason(FinishReason.STOP)
                .build();
    }

    List<ChatRequest> requests() {
        return List.copyOf(requests);
    }

    List<ChatMessage> lastMessages() {
        return requests.get(requests.size() - 1).messages();
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        requests.add(request);
        next().accept(handler);
    }

    private synchronized Consumer<StreamingChatResponseHandler> next() {
        return script.isEmpty()
                ? handler -> handler.onCompleteResponse(response(AiMessage.from("Done.")))
                : script.remove();
    }
}
