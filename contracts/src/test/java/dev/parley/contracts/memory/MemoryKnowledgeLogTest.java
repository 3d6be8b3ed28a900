package dev.parley.contracts.memory;

import dev.parley.application.port.KnowledgeLog;
import dev.parley.contracts.storage.KnowledgeLogContract;

class MemoryKnowledgeLogTest implements KnowledgeLogContract {
    private final MemoryKnowledgeLog knowledgeLog = new MemoryKnowledgeLog();

    @Override
    public KnowledgeLog open() {
        return knowledgeLog;
    }
}
