package dev.parley.bootstrap.cli;

import dev.parley.application.spi.Storage;
import dev.parley.domain.text.OneLine;
import java.util.List;
import java.util.Optional;

/** Names the sessions of other software that cannot be taken along, because their ids are none that Parley accepts (E2.6). */
final class LeftOut {
    /** So many are named; of more only the number is said. */
    private static final int NAMED = 20;

    private LeftOut() {}

    /** Returns the ids of those of one source or of all, and says on standard error that they are left out. */
    static List<String> of(Storage storage, Optional<String> source, Workplace workplace) {
        List<String> ids = storage.sessions().unusableIds(source);
        ids.stream()
                .limit(NAMED)
                .forEach(id -> workplace.note("The session " + OneLine.quoted(id)
                        + " is left out: its id is empty, holds \"..\", \"/\", \"\\\" or control characters, or starts"
                        + " with a letter and \":\". Give it another id in the source to take it along."));
        if (ids.size() > NAMED) {
            workplace.note((ids.size() - NAMED) + " more sessions are left out for the same reason.");
        }
        return ids;
    }
}
