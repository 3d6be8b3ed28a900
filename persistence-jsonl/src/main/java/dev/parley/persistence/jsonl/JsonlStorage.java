package dev.parley.persistence.jsonl;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.scan.ScannedSearch;
import dev.parley.application.scan.ScannedSessions;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;
import dev.parley.persistence.jsonl.state.OpenStore;
import java.util.concurrent.atomic.AtomicBoolean;

/** An open directory of session files. */
final class JsonlStorage implements Storage {
    private final String location;
    private final OpenStore open;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Transcripts transcripts;

    JsonlStorage(String location, OpenStore open) {
        this.location = location;
        this.open = open;
        this.transcripts = new JsonlTranscripts(open.store());
    }

    @Override
    public Ledger ledger() {
        return open.ledger();
    }

    @Override
    public Lanes lanes() {
        return new JsonlLanes(open.store());
    }

    @Override
    public Sessions sessions() {
        return new ScannedSessions(new StoreRows(open.store()));
    }

    @Override
    public Transcripts transcripts() {
        return transcripts;
    }

    @Override
    public TranscriptSearch search() {
        return new ScannedSearch(new PassingRows(open.store()));
    }

    @Override
    public TurnQueue queue() {
        return new JsonlTurnQueue(open.store());
    }

    @Override
    public Meta meta() {
        return new JsonlMeta(open.store());
    }

    @Override
    public StorageMaintenance maintenance() {
        return new JsonlMaintenance(open);
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
