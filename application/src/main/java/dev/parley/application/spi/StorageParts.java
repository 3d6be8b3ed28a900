package dev.parley.application.spi;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;

/**
 * The parts of a store, for those that make one of others.
 *
 * @param ledger the only way to write
 * @param lanes the reads of the lanes
 * @param sessions the reads of the sessions
 * @param transcripts the reads of the transcripts
 * @param search the search in the transcripts
 * @param queue the reads of the queue
 * @param meta the reads of the named values
 * @param maintenance the maintenance
 */
public record StorageParts(
        Ledger ledger,
        Lanes lanes,
        Sessions sessions,
        Transcripts transcripts,
        TranscriptSearch search,
        TurnQueue queue,
        Meta meta,
        StorageMaintenance maintenance) {

    /** Returns the parts of a store. */
    public static StorageParts of(Storage storage) {
        return new StorageParts(
                storage.ledger(),
                storage.lanes(),
                storage.sessions(),
                storage.transcripts(),
                storage.search(),
                storage.queue(),
                storage.meta(),
                storage.maintenance());
    }

    /** Returns these with another way to write. */
    public StorageParts withLedger(Ledger other) {
        return new StorageParts(other, lanes, sessions, transcripts, search, queue, meta, maintenance);
    }

    /** Returns these with other maintenance. */
    public StorageParts withMaintenance(StorageMaintenance other) {
        return new StorageParts(ledger, lanes, sessions, transcripts, search, queue, meta, other);
    }
}
