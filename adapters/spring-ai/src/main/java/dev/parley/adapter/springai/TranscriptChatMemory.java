package dev.parley.adapter.springai;

import dev.parley.application.agents.ConversationMemory;
import dev.parley.application.port.Ids;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.SessionId;
import java.time.InstantSource;
import java.util.List;
import org.springframework.ai.chat.memory.ChatMemoryRepository;
import org.springframework.ai.chat.messages.Message;

/**
 * A chat memory of Spring AI on Parley's transcripts: a conversation's id is a session's. What people and agents said in a chat is there by
 * the id of its session; what an application says elsewhere is found by Parley's search, exports and console. What a window of the last
 * messages leaves out, as that of {@code MessageWindowChatMemory}, is still found; the conversation of a chat keeps it too. Media and metadata
 * are not kept. Safe for concurrent use, and durable once a method returns; throws what the storage throws.
 */
public final class TranscriptChatMemory implements ChatMemoryRepository {
    private final ConversationMemory memory;

    /** A memory in a store that is open. Sessions that it begins come from {@code spring-ai}. */
    public TranscriptChatMemory(Storage storage, Ids ids, InstantSource clock) {
        this.memory = new ConversationMemory(storage, ids, clock, "spring-ai");
    }

    /** Returns the ids of all sessions, those of chats too, oldest start first. */
    @Override
    public List<String> findConversationIds() {
        return memory.conversations().stream().map(SessionId::value).toList();
    }

    @Override
    public List<Message> findByConversationId(String conversationId) {
        return memory.load(SessionId.of(conversationId)).stream()
                .map(SpringMessages::remembered)
                .toList();
    }

    @Override
    public void saveAll(String conversationId, List<Message> messages) {
        memory.keep(
                SessionId.of(conversationId),
                messages.stream().flatMap(SpringMessages::stored).toList());
    }

    /** Deletes a conversation that the application has begun; of one that belongs to a chat the messages, while its session goes on. */
    @Override
    public void deleteByConversationId(String conversationId) {
        memory.forget(SessionId.of(conversationId));
    }
}
