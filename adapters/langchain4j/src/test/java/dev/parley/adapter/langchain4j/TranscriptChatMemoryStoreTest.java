package dev.parley.adapter.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.SessionId;
import dev.parley.testing.TestGateway;
import dev.parley.testing.memory.MemoryStorage;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** LangChain4j's memory on transcripts. */
class TranscriptChatMemoryStoreTest {
    private final Storage storage = new MemoryStorage();
    private final TranscriptChatMemoryStore store =
            new TranscriptChatMemoryStore(storage, new SeededIds(1), InstantSource.system());

    @Test
    void everyKindOfMessageComesBackAsItWas() {
        ToolExecutionRequest request = ToolExecutionRequest.builder()
                .id("1")
                .name("weather")
                .arguments("{\"in\":\"Rome\"}")
                .build();
        List<ChatMessage> said = List.of(
                SystemMessage.from("Be kind."),
                UserMessage.from("The weather?"),
                AiMessage.from(List.of(request)),
                ToolExecutionResultMessage.from(request, "sunny"),
                AiMessage.from("It is sunny."));
        store.updateMessages("talk", said);

        assertThat(store.getMessages("talk")).isEqualTo(said);
        store.updateMessages("talk", said);
        assertThat(storage.transcripts().countAll()).isEqualTo(5);
        store.deleteMessages("talk");
        assertThat(store.getMessages("talk")).isEmpty();
    }

    @Test
    void whatAWindowLeavesOutIsStillInTheTranscript() {
        store.updateMessages(7, List.of(UserMessage.from("one"), AiMessage.from("two"), UserMessage.from("three")));
        store.updateMessages(7, List.of(UserMessage.from("three"), AiMessage.from("four")));

        assertThat(store.getMessages(7)).containsExactly(UserMessage.from("three"), AiMessage.from("four"));
        assertThat(storage.transcripts().loadAll(SessionId.of("7"))).hasSize(4);
    }

    @Test
    void whatWasSaidInAChatIsFoundByTheIdOfItsSession() {
        try (TestGateway gateway = TestGateway.builder()
                .storage(storage)
                .answering(text -> "You said " + text)
                .start()) {
            gateway.ask("hello");
            SessionId session = gateway.transcript().get(0).session();
            assertThat(store.getMessages(session))
                    .containsExactly(UserMessage.from("hello"), AiMessage.from("You said hello"));
        }
    }

    @Test
    void anIdThatNoSessionCanHaveIsRefused() {
        assertThatThrownBy(() -> store.getMessages("../x")).hasMessageContaining("not usable");
    }
}
