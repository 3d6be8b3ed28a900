package dev.parley.adapter.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.parley.application.agents.ModelConversation;
import dev.parley.application.agents.ModelConversation.Line;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A conversation in the words of LangChain4j. */
final class Conversation {
    private static final String NO_TEXT = "(no text)";
    private static final MessageId NEW = new MessageId("new");

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

    /** Returns what is to be stored of a message, without an id and a time of its own. */
    static Message stored(ChatMessage message) {
        if (message instanceof ToolExecutionResultMessage result) {
            return stored(Role.TOOL, result.text())
                    .toolCallId(result.id())
                    .toolName(result.toolName())
                    .build();
        }
        if (message instanceof AiMessage answer) {
            String text = Optional.ofNullable(answer.text()).orElse("");
            return answer.hasToolExecutionRequests()
                    ? stored(Role.ASSISTANT, text)
                            .toolCalls(ToolCalls.of(answer.toolExecutionRequests().stream()
                                    .map(Conversation::call)
                                    .toList()))
                            .build()
                    : stored(Role.ASSISTANT, text).build();
        }
        if (message instanceof SystemMessage system) {
            return stored(Role.SYSTEM, system.text()).build();
        }
        return stored(Role.USER, message instanceof UserMessage user ? text(user) : message.toString())
                .build();
    }

    private static String text(UserMessage message) {
        return message.contents().stream()
                .filter(TextContent.class::isInstance)
                .map(content -> ((TextContent) content).text())
                .collect(Collectors.joining("\n"));
    }

    private static ToolCall call(ToolExecutionRequest request) {
        return new ToolCall(
                Optional.ofNullable(request.id()).orElse(""),
                request.name(),
                Optional.ofNullable(request.arguments()).orElse("{}"));
    }

    private static Message.Builder stored(Role role, String text) {
        return Message.builder(NEW, role, Content.text(text), Instant.EPOCH);
    }

    /** Returns what was stored as LangChain4j remembers it: all of it, whether a model would take it or not. */
    static ChatMessage remembered(Message message) {
        String text = message.content().plainText();
        Role role = message.role();
        if (role.equals(Role.ASSISTANT)) {
            return answer(new ModelConversation.Answered(
                    text, message.toolCalls().map(ToolCalls::calls).orElse(List.of())));
        }
        if (role.equals(Role.TOOL)) {
            return ToolExecutionResultMessage.from(
                    message.toolCallId().orElse(""), message.toolName().orElse(""), text);
        }
        // LangChain4j takes no blank text of a person and no blank instructions.
        String told = text.isBlank() ? NO_TEXT : text;
        return role.equals(Role.SYSTEM) ? SystemMessage.from(told) : UserMessage.from(told);
    }
}
