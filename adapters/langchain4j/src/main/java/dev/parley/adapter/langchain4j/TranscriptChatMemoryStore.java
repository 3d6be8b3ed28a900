package dev.parley.adapter.langchain4j;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import dev.parley.application.agents.ConversationMemory;
import dev.parley.application.port.Ids;
import dev.parley.application.spi.Storage;
import dev.parley.domain.session.SessionId;
import java.time.InstantSource;
import java.util.List;

/**
 * A chat memory of LangChain4j on Parley's transcripts, for AI services of an application: the text of a memory's id is the id of a session.
 * What people and agents said in a chat is there by the id of its session; what an application says elsewhere is found by Parley's search,
 * exports and console. What a window of the last messages leaves out is still found; the conversation of a chat keeps it too. Only texts and
 * calls of tools are kept. Safe for concurrent use, and durable once a method returns; throws what the storage throws.
 */
public final class TranscriptChatMemoryStore implements ChatMemoryStore {
    private final ConversationMemory memory;

    /** A memory in a store that is open. Sessions that it begins come from {@code langchain4j}. */
    public TranscriptChatMemoryStore(Storage storage, Ids ids, InstantSource clock) {
        this.memory = new ConversationMemory(storage, ids, clock, "langchain4j");
    }

    @Override
    public List<ChatMessage> getMessages(Object memoryId) {
        return memory.load(id(memoryId)).stream().map(Conversation::remembered).toList();
    }

    @Override
    public void updateMessages(Object memoryId, List<ChatMessage> messages) {
        memory.keep(id(memoryId), messages.stream().map(Conversation::stored).toList());
    }

    /** Deletes a conversation that the application has begun; of one that belongs to a chat the messages, while its session goes on. */
    @Override
    public void deleteMessages(Object memoryId) {
        memory.forget(id(memoryId));
    }

    private static SessionId id(Object memoryId) {
        return SessionId.of(String.valueOf(memoryId));
    }
}
