package dev.parley.bootstrap.cli;

import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.view.Rows;
import dev.parley.bootstrap.json.Json;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes sessions with their messages, one JSON line each (storage 6): most recently active first. */
final class ExportFile {
    private static final Comparator<SessionListing> LATEST_FIRST = Comparator.comparing(SessionListing::lastActive)
            .thenComparing((SessionListing l) -> l.session().startedAt())
            .thenComparing((SessionListing l) -> l.session().id())
            .reversed();

    private final Storage storage;
    private final Workplace workplace;

    ExportFile(Storage storage, Workplace workplace) {
        this.storage = storage;
        this.workplace = workplace;
    }

    /** Writes the sessions named, in that order, or all of one source or of every one. */
    int write(PrintStream out, List<SessionId> wanted, @Nullable String source) {
        int written = 0;
        if (!wanted.isEmpty()) {
            for (SessionId id : wanted) {
                Optional<Session> session = storage.sessions().find(id);
                if (session.isPresent()) {
                    line(out, Rows.export(session.get(), storage.transcripts().load(id)));
                    written++;
                }
            }
        } else {
            SessionQuery all = SessionQuery.usual()
                    .window(-1, 0)
                    .sources(Optional.ofNullable(source), java.util.Set.of())
                    .shape(true, false);
            List<SessionListing> latestFirst =
                    storage.sessions().list(all).stream().sorted(LATEST_FIRST).toList();
            for (SessionListing listing : latestFirst) {
                Map<String, @Nullable Object> row = Rows.export(
                        listing.session(),
                        storage.transcripts().load(listing.session().id()));
                row.put("last_active", Rows.seconds(listing.lastActive()));
                line(out, row);
                written++;
            }
        }
        workplace.note(written + (written == 1 ? " session" : " sessions") + " exported");
        return ExitCode.DONE.code();
    }

    private static void line(PrintStream out, Map<String, @Nullable Object> row) {
        out.print(Json.line(row));
        out.print('\n');
    }
}
