package dev.parley.testing.memory;

import dev.parley.application.port.Journal;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.change.Batch;
import java.util.List;

/** The reference journal. Safe for concurrent use. */
public final class MemoryJournal implements Journal {
    private final MemoryData data;
    private boolean closed;

    /** Opens an empty journal of its own. */
    public MemoryJournal() {
        this(new MemoryData());
    }

    MemoryJournal(MemoryData data) {
        this.data = data;
    }

    @Override
    public long append(Batch batch) {
        synchronized (data) {
            checkOpen();
            long place = data.journal.size() + data.journalPutAside.size() + 1L;
            data.journal.add(new Entry(place, batch));
            return place;
        }
    }

    @Override
    public List<Entry> read(long after, int limit) {
        synchronized (data) {
            checkOpen();
            return data.journal.stream()
                    .filter(e -> e.place() > after)
                    .limit(Math.max(0, limit))
                    .toList();
        }
    }

    @Override
    public long size() {
        synchronized (data) {
            checkOpen();
            return data.journal.size();
        }
    }

    @Override
    public void putAside(long upTo) {
        synchronized (data) {
            checkOpen();
            data.journal.stream().filter(e -> e.place() <= upTo).forEach(data.journalPutAside::add);
            data.journal.removeIf(e -> e.place() <= upTo);
        }
    }

    @Override
    public void close() {
        synchronized (data) {
            closed = true;
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new StorageUnavailable("The journal is closed; open it again.", null);
        }
    }
}
