package dev.parley.persistence.sqlite;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.SessionId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A process that does with a store what commands do, and says after each how far it has come. */
public final class SmallHeapInProcess {
    private SmallHeapInProcess() {}

    /** Works on the file named first and copies it to the one named second. */
    public static void main(String[] args) {
        try (Storage storage = Stores.atHome(Path.of(args[0]))) {
            List<SessionId> sessions = new ArrayList<>();
            storage.sessions().forEach(session -> sessions.add(session.id()));
            storage.sessions().page(SessionQuery.usual(), Optional.empty());
            System.out.println("listed " + sessions.size());
            long[] messages = new long[2];
            for (SessionId session : sessions) {
                messages[0] += storage.transcripts().load(session).size();
            }
            storage.transcripts().forEach(message -> messages[1]++);
            System.out.println("read " + messages[0] + " " + messages[1]);
            System.out.println("found "
                    + storage.search().search(SearchQuery.of("zanzibar")).size());
            System.out.println("checked " + storage.maintenance().check((done, total) -> {}));
            Change deletion = new Change.DeleteSession(sessions.get(0));
            storage.ledger().commit(new Batch(new BatchId("small-heap", 1), List.of(), List.of(deletion)));
            storage.maintenance().finishDeletions((done, total) -> {});
            System.out.println("deleted");
            try (Storage copy = Stores.write(Path.of(args[1]))) {
                StorageCopy copying = new StorageCopy(storage, copy, () -> Openings.NOW, new Openings.CountedIds());
                copying.copy(StorageCopy.Into.EMPTY, progress -> {});
                System.out.println("copied " + copy.transcripts().countAll() + " " + copying.verify(progress -> {}));
            }
        }
    }
}
