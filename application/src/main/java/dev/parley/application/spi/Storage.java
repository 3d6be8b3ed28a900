package dev.parley.application.spi;

import dev.parley.application.port.Cluster;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;
import java.util.Optional;

/** An open store: one way to write, and the reads. All parts are safe for concurrent use until it is closed. */
public interface Storage extends AutoCloseable {
    /** Returns the only way to write. */
    Ledger ledger();

    /** Returns the reads of the lanes. */
    Lanes lanes();

    /** Returns the reads of the sessions. */
    Sessions sessions();

    /** Returns the reads of the transcripts. */
    Transcripts transcripts();

    /** Returns the search in the transcripts. */
    TranscriptSearch search();

    /** Returns the reads of the queue. */
    TurnQueue queue();

    /** Returns the reads of the named values. */
    Meta meta();

    /** Returns the maintenance of the store: its health and state, checks and repairs. */
    StorageMaintenance maintenance();

    /** Returns how several gateways share the store; absent where one gateway has it to itself. */
    default Optional<Cluster> cluster() {
        return Optional.empty();
    }

    /** Returns the store's address, such as {@code sqlite:state.db}, for messages. */
    String location();

    /** Finishes what is under way and lets go of everything; does nothing the second time. Throws nothing. */
    @Override
    void close();
}
