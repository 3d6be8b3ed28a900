package dev.parley.contracts.store;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageMaintenance;

/** A store whose writes go elsewhere. */
class OtherLedger implements Storage {
    private final Storage storage;
    private final Ledger ledger;

    OtherLedger(Storage storage, Ledger ledger) {
        this.storage = storage;
        this.ledger = ledger;
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Lanes lanes() {
        return storage.lanes();
    }

    @Override
    public Sessions sessions() {
        return storage.sessions();
    }

    @Override
    public Transcripts transcripts() {
        return storage.transcripts();
    }

    @Override
    public TranscriptSearch search() {
        return storage.search();
    }

    @Override
    public TurnQueue queue() {
        return storage.queue();
    }

    @Override
    public Meta meta() {
        return storage.meta();
    }

    @Override
    public StorageMaintenance maintenance() {
        return storage.maintenance();
    }

    @Override
    public String location() {
        return storage.location();
    }

    @Override
    public void close() {
        storage.close();
    }
}
