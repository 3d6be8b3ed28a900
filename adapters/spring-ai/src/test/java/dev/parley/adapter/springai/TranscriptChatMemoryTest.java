package dev.parley.adapter.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.SessionId;
import dev.parley.testing.TestGateway;
import dev.parley.testing.memory.MemoryStorage;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;

/** Spring AI's memory on transcripts. */
class TranscriptChatMemoryTest {
    private final Storage storage = new MemoryStorage();
    private final TranscriptChatMemory repository =
            new TranscriptChatMemory(storage, new SeededIds(1), InstantSource.system());

    private static List<String> texts(List<Message> messages) {
        return messages.stream()
                .map(message -> message.getMessageType() + " " + message.getText())
                .toList();
    }

    @Test
    void everyKindOfMessageComesBackAsItWas() {
        List<Message> said = List.of(
                new SystemMessage("Be kind."),
                new UserMessage("The weather?"),
                AssistantMessage.builder()
                        .content("")
                        .toolCalls(
                                List.of(new AssistantMessage.ToolCall("1", "function", "weather", "{\"in\":\"Rome\"}")))
                        .build(),
                ToolResponseMessage.builder()
                        .responses(List.of(new ToolResponseMessage.ToolResponse("1", "weather", "sunny")))
                        .build(),
                new AssistantMessage("It is sunny."));
        repository.saveAll("talk", said);

        assertThat(repository.findByConversationId("talk")).isEqualTo(said);
        assertThat(repository.findConversationIds()).containsExactly("talk");
        repository.saveAll("talk", said);
        assertThat(storage.transcripts().countAll()).isEqualTo(5);
    }

    @Test
    void aClientWithAMemoryAdvisorRemembersInTheTranscript() {
        ScriptedModel model = new ScriptedModel();
        ChatMemory memory = MessageWindowChatMemory.builder()
                .chatMemoryRepository(repository)
                .maxMessages(4)
                .build();
        ChatClient client = ChatClient.builder(model)
                .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
                .build();
        IntStream.range(0, 5)
                .forEach(i -> client
                        .prompt()
                        .user("question " + i)
                        .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, "talk"))
                        .stream()
                        .content()
                        .blockLast());

        assertThat(storage.transcripts().loadAll(SessionId.of("talk")))
                .as("the whole conversation, not its window")
                .hasSize(10);
        assertThat(storage.search().search(SearchQuery.of("question 0"))).isNotEmpty();
        assertThat(texts(model.lastMessages())).hasSizeLessThanOrEqualTo(5);
    }

    @Test
    void whatWasSaidInAChatIsFoundByTheIdOfItsSession() {
        try (TestGateway gateway = TestGateway.builder()
                .storage(storage)
                .answering(text -> "You said " + text)
                .start()) {
            gateway.ask("hello");
            String session = repository.findConversationIds().get(0);
            assertThat(texts(repository.findByConversationId(session)))
                    .containsExactly("USER hello", "ASSISTANT You said hello");
            repository.deleteByConversationId(session);
            assertThat(repository.findByConversationId(session)).isEmpty();
        }
    }

    @Test
    void anIdThatNoSessionCanHaveIsRefused() {
        assertThatThrownBy(() -> repository.findByConversationId("../x")).hasMessageContaining("not usable");
    }
}
