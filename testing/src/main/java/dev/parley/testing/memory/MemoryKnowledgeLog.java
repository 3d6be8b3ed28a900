package dev.parley.testing.memory;

import dev.parley.application.port.KnowledgeLog;
import dev.parley.domain.change.Change;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** The reference knowledge log: what is noted here stays, whoever closes it. Safe for concurrent use. */
public final class MemoryKnowledgeLog implements KnowledgeLog {
    private static final int MOST = 20_000;

    private final Deque<Change> noted = new ArrayDeque<>();

    /** Remembers nothing yet. */
    public MemoryKnowledgeLog() {}

    @Override
    public synchronized void note(List<Change> changes) {
        noted.addAll(changes);
        while (noted.size() > MOST) {
            noted.removeFirst();
        }
    }

    @Override
    public synchronized void recall(Consumer<Change> each) {
        List.copyOf(noted).forEach(each);
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
