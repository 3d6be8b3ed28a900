package dev.parley.contracts.storage;

import dev.parley.application.port.KnowledgeLog;
import dev.parley.testing.memory.MemoryKnowledgeLog;

class MemoryKnowledgeLogTest implements KnowledgeLogContract {
    private final MemoryKnowledgeLog knowledgeLog = new MemoryKnowledgeLog();

    @Override
    public KnowledgeLog open() {
        return knowledgeLog;
    }
}
