package dev.parley.adapter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.parley.application.agents.ModelConversation;
import dev.parley.application.agents.ModelConversation.Line;
import dev.parley.domain.transcript.ToolCall;
import java.util.List;

/** A conversation in the words of LangChain4j. */
final class Conversation {
    private Conversation() {}

    static List<ChatMessage> of(List<Line> lines) {
        return lines.stream().map(Conversation::message).toList();
    }

    private static ChatMessage message(Line line) {
        if (line instanceof ModelConversation.Instructed instructed) {
            return SystemMessage.from(instructed.text());
        }
        if (line instanceof ModelConversation.Answered answered) {
            return answer(answered);
        }
        if (line instanceof ModelConversation.Returned returned) {
            return result(request(returned.call()), returned.text());
        }
        return UserMessage.from(((ModelConversation.Asked) line).text());
    }

    private static AiMessage answer(ModelConversation.Answered answered) {
        List<ToolExecutionRequest> requests =
                answered.calls().stream().map(Conversation::request).toList();
        if (requests.isEmpty()) {
            return AiMessage.from(answered.text());
        }
        return answered.text().isBlank() ? AiMessage.from(requests) : AiMessage.from(answered.text(), requests);
    }

    private static ToolExecutionRequest request(ToolCall call) {
        return ToolExecutionRequest.builder()
                .id(call.id())
                .name(call.name())
                .arguments(call.arguments())
                .build();
    }

    /** Returns what a model is told of a tool it asked for. */
    static ToolExecutionResultMessage result(ToolExecutionRequest call, String text) {
        return ToolExecutionResultMessage.from(call, text.isBlank() ? ModelConversation.NO_RESULT : text);
    }
}
