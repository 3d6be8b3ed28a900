package dev.parley.application.spi;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.Ledger;
import dev.parley.application.port.Meta;
import dev.parley.application.port.Sessions;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.application.port.Transcripts;
import dev.parley.application.port.TurnQueue;

/** A store that is made of parts: it says once what they are, and where it lies and how it is closed. */
public interface ComposedStorage extends Storage {
    /** Returns the parts; the same each time. */
    StorageParts parts();

    @Override
    default Ledger ledger() {
        return parts().ledger();
    }

    @Override
    default Lanes lanes() {
        return parts().lanes();
    }

    @Override
    default Sessions sessions() {
        return parts().sessions();
    }

    @Override
    default Transcripts transcripts() {
        return parts().transcripts();
    }

    @Override
    default TranscriptSearch search() {
        return parts().search();
    }

    @Override
    default TurnQueue queue() {
        return parts().queue();
    }

    @Override
    default Meta meta() {
        return parts().meta();
    }

    @Override
    default StorageMaintenance maintenance() {
        return parts().maintenance();
    }
}
