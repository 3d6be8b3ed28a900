package dev.parley.persistence.sqlite;

import dev.parley.application.spi.Storage;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionId;
import java.nio.file.Path;

/** A process that deletes a session and dies after the first step of what is done behind that. */
public final class DeleteInProcess {
    /** What the process ends with where it dies in that place. */
    public static final int DIED = 57;

    private DeleteInProcess() {}

    /** Deletes the session named second from the file named first. */
    public static void main(String[] args) {
        HeldThreads threads = new HeldThreads();
        try (Storage storage = Stores.write(Path.of(args[0]), threads)) {
            Stores.commit(storage, new Change.DeleteSession(SessionId.of(args[1])));
            storage.maintenance()
                    .finishDeletions((done, total) -> Runtime.getRuntime().halt(DIED));
        }
    }
}
