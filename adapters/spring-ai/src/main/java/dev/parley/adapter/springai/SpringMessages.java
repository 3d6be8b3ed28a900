package dev.parley.adapter.springai;

import dev.parley.application.agents.ModelConversation;
import dev.parley.application.agents.ModelConversation.Line;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;

/** Messages in the words of Spring AI, and back. */
final class SpringMessages {
    private static final MessageId NEW = new MessageId("new");

    private SpringMessages() {}

    static List<Message> of(List<Line> lines) {
        return lines.stream().map(SpringMessages::of).toList();
    }

    static Message of(Line line) {
        if (line instanceof ModelConversation.Instructed instructed) {
            return new SystemMessage(instructed.text());
        }
        if (line instanceof ModelConversation.Answered answered) {
            return AssistantMessage.builder()
                    .content(answered.text())
                    .toolCalls(answered.calls().stream()
                            .map(call ->
                                    new AssistantMessage.ToolCall(call.id(), "function", call.name(), call.arguments()))
                            .toList())
                    .build();
        }
        if (line instanceof ModelConversation.Returned returned) {
            return ToolResponseMessage.builder()
                    .responses(List.of(new ToolResponseMessage.ToolResponse(
                            returned.call().id(), returned.call().name(), returned.text())))
                    .build();
        }
        return new UserMessage(((ModelConversation.Asked) line).text());
    }

    static ToolCall call(AssistantMessage.ToolCall call) {
        return new ToolCall(
                call.id(), call.name(), Optional.ofNullable(call.arguments()).orElse("{}"));
    }

    /** Returns what is to be stored of a message, without an id and a time of its own. */
    static Stream<dev.parley.domain.transcript.Message> stored(Message message) {
        if (message instanceof ToolResponseMessage tools) {
            return tools.getResponses().stream()
                    .map(response -> stored(Role.TOOL, response.responseData())
                            .toolCallId(response.id())
                            .toolName(response.name())
                            .build());
        }
        String text = Optional.ofNullable(message.getText()).orElse("");
        if (message instanceof AssistantMessage assistant && assistant.hasToolCalls()) {
            return Stream.of(stored(Role.ASSISTANT, text)
                    .toolCalls(ToolCalls.of(assistant.getToolCalls().stream()
                            .map(SpringMessages::call)
                            .toList()))
                    .build());
        }
        return Stream.of(stored(role(message), text).build());
    }

    private static dev.parley.domain.transcript.Message.Builder stored(Role role, String text) {
        return dev.parley.domain.transcript.Message.builder(NEW, role, Content.text(text), Instant.EPOCH);
    }

    private static Role role(Message message) {
        return switch (message.getMessageType()) {
            case USER -> Role.USER;
            case ASSISTANT -> Role.ASSISTANT;
            case SYSTEM -> Role.SYSTEM;
            case TOOL -> Role.TOOL;
        };
    }

    /** Returns what was stored as Spring AI remembers it: all of it, whether a model would take it or not. */
    static Message remembered(dev.parley.domain.transcript.Message message) {
        String text = message.content().plainText();
        Role role = message.role();
        if (role.equals(Role.SYSTEM)) {
            return new SystemMessage(text);
        }
        if (role.equals(Role.ASSISTANT)) {
            return of(new ModelConversation.Answered(
                    text, message.toolCalls().map(ToolCalls::calls).orElse(List.of())));
        }
        if (role.equals(Role.TOOL)) {
            return ToolResponseMessage.builder()
                    .responses(List.of(new ToolResponseMessage.ToolResponse(
                            message.toolCallId().orElse(""), message.toolName().orElse(""), text)))
                    .build();
        }
        return new UserMessage(text);
    }
}
