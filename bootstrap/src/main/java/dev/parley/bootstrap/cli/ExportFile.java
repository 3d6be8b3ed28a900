package dev.parley.bootstrap.cli;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.spi.Storage;
import dev.parley.application.view.PlainRows;
import dev.parley.bootstrap.json.ExportedMessage;
import dev.parley.bootstrap.json.Json;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes sessions with their messages, one JSON line each (storage 6): most recently active first. Holds one session at a time, and
 * of all others only their ids and times.
 */
final class ExportFile {
    /** So many rows of the list are read at a time. */
    private static final int PAGE = 2_000;

    private static final Comparator<Place> LATEST_FIRST = Comparator.comparing(Place::lastActive)
            .thenComparing(Place::startedAt)
            .thenComparing(Place::id)
            .reversed();

    private final Storage storage;
    private final Workplace workplace;
    private final Optional<String> source;

    /** Where a session stands in the export. */
    private record Place(SessionId id, Instant startedAt, Instant lastActive) {}

    ExportFile(Storage storage, Workplace workplace, Optional<String> source) {
        this.storage = storage;
        this.workplace = workplace;
        this.source = source.filter(s -> !s.isEmpty());
    }

    /** Writes the sessions named, in that order, or all of one source or of every one; returns how many. */
    int write(PrintStream out, List<SessionId> wanted) {
        int written = 0;
        if (!wanted.isEmpty()) {
            for (SessionId id : wanted) {
                written += write(out, id, Optional.empty());
            }
        } else {
            List<Place> places = places();
            try (Progress progress = Progress.of(workplace, "exporting", places.size())) {
                for (Place place : places) {
                    written += write(out, place.id(), Optional.of(place.lastActive()));
                    progress.step();
                }
            }
        }
        return written;
    }

    private int write(PrintStream out, SessionId id, Optional<Instant> lastActive) {
        Optional<Session> session = storage.sessions().find(id);
        if (session.isEmpty()) {
            return 0;
        }
        List<StoredMessage> messages = storage.transcripts().load(id);
        Map<String, @Nullable Object> row = PlainRows.session(session.get());
        row.put("messages", messages.stream().map(ExportedMessage::row).toList());
        lastActive.ifPresent(at -> row.put("last_active", PlainRows.seconds(at)));
        out.print(Json.line(row));
        out.print('\n');
        return 1;
    }

    /** All sessions, those included that lists leave out or that a change moved from one page to another meanwhile. */
    private List<Place> places() {
        Map<SessionId, Place> places = new LinkedHashMap<>();
        SessionQuery all = SessionQuery.usual()
                .sources(source, Set.of())
                .shape(true, false)
                .withArchived()
                .window(PAGE, 0);
        Optional<Cursor> after = Optional.empty();
        do {
            Page<SessionListing> page = storage.sessions().page(all, after);
            for (SessionListing each : page.rows()) {
                Session session = each.session();
                places.put(session.id(), new Place(session.id(), session.startedAt(), each.lastActive()));
            }
            after = page.next();
        } while (after.isPresent());
        storage.sessions().forEach(session -> {
            if (source.filter(s -> !s.equals(session.source())).isEmpty()) {
                places.computeIfAbsent(session.id(), id -> new Place(id, session.startedAt(), session.startedAt()));
            }
        });
        List<Place> latestFirst = new ArrayList<>(places.values());
        latestFirst.sort(LATEST_FIRST);
        return latestFirst;
    }
}
