package dev.parley.persistence.jsonl;

import dev.parley.application.scan.ScannedSearch;
import dev.parley.application.scan.ScannedSessions;
import dev.parley.application.spi.ComposedStorage;
import dev.parley.application.spi.StorageParts;
import dev.parley.persistence.jsonl.state.OpenStore;
import java.util.concurrent.atomic.AtomicBoolean;

/** An open directory of session files. */
final class JsonlStorage implements ComposedStorage {
    private final String location;
    private final OpenStore open;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final StorageParts parts;

    JsonlStorage(String location, OpenStore open) {
        this.location = location;
        this.open = open;
        this.parts = new StorageParts(
                open.ledger(),
                new JsonlLanes(open.store()),
                new ScannedSessions(new StoreRows(open.store())),
                new JsonlTranscripts(open.store()),
                new ScannedSearch(new PassingRows(open.store())),
                new JsonlTurnQueue(open.store()),
                new JsonlMeta(open.store()),
                new JsonlMaintenance(open));
    }

    @Override
    public StorageParts parts() {
        return parts;
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            open.close();
        }
    }
}
