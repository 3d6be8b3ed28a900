package dev.parley.application.actor;

import dev.parley.application.port.Ids;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Lends writers to mailboxes, so that a store remembers as many writers as lanes were ever busy at once in a process life, not
 * one for each message. Safe for concurrent use.
 */
public final class Writers {
    private final Ids ids;
    private final Deque<BatchWriter> free = new ArrayDeque<>();

    /** Makes the writers of one process life. */
    public Writers(Ids ids) {
        this.ids = ids;
    }

    /** Returns a writer that nobody else uses until it is given back. */
    public BatchWriter lend() {
        synchronized (free) {
            BatchWriter writer = free.poll();
            if (writer != null) {
                return writer;
            }
        }
        return new BatchWriter(ids.unique("w"));
    }

    /** Takes a writer back. */
    public void giveBack(BatchWriter writer) {
        synchronized (free) {
            free.push(writer);
        }
    }
}
