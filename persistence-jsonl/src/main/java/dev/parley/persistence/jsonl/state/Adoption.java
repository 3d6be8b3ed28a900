package dev.parley.persistence.jsonl.state;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.scan.Digest;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.persistence.jsonl.file.MetaLine;
import dev.parley.persistence.jsonl.file.SessionFile;
import dev.parley.persistence.jsonl.file.SessionNames;
import dev.parley.persistence.jsonl.record.Json;
import dev.parley.persistence.jsonl.record.RecordFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Takes in what other programs did to the directory while it was closed: session files of theirs, and lines behind ours. */
final class Adoption {
    private static final RecordFormat<Session> SESSION = RecordFormat.of(Session.class);

    private final Layout layout;
    private final Store store;
    private final JsonlLedger writer;

    Adoption(Layout layout, Store store, JsonlLedger writer) {
        this.layout = layout;
        this.store = store;
        this.writer = writer;
    }

    /** A file that is not known, and what it says. */
    private record Found(Path file, long size, Session session, TranscriptReading reading) {}

    void adopt() throws IOException {
        boolean wasEmpty = store.allStored().isEmpty() && store.nextSequence() == 1;
        List<JournalEntry.Moved> taken = new ArrayList<>();
        for (StoredSession stored : List.copyOf(store.allStored())) {
            Path file = layout.directory().resolve(stored.file);
            if (!stored.missing && Files.exists(file) && Files.size(file) > stored.length) {
                taken.add(grown(stored, Files.size(file)));
            }
        }
        List<Found> found = unknown();
        if (wasEmpty) {
            long greatest = found.stream()
                    .mapToLong(each -> each.reading.greatest())
                    .max()
                    .orElse(0);
            store.nextSequence(greatest + 1);
        }
        for (Found each : found) {
            taken.add(install(each, !wasEmpty));
        }
        writer.adopt(taken);
    }

    private JournalEntry.Moved grown(StoredSession stored, long size) throws IOException {
        stored.foreign.add(new SessionRow.ForeignPart(stored.length, size, store.nextSequence(), true));
        stored.length = size;
        finish(stored);
        return new JournalEntry.Moved(stored.row(), stored.file, "");
    }

    private JournalEntry.Moved install(Found found, boolean renumbered) {
        StoredSession stored =
                new StoredSession(free(found.session), found.file.getFileName().toString());
        stored.length = found.size;
        stored.foreign.add(new SessionRow.ForeignPart(0, found.size, store.nextSequence(), renumbered));
        store.install(stored);
        finish(stored);
        return new JournalEntry.Moved(stored.row(), stored.file, "");
    }

    /** Gives the messages their places and counts them. */
    private void finish(StoredSession stored) {
        List<StoredMessage> rows = store.passingMessages(stored.id());
        stored.digest = Digest.of(rows);
        long greatest = rows.stream().mapToLong(StoredMessage::sequence).max().orElse(0);
        store.nextSequence(Math.max(store.nextSequence(), greatest + 1));
    }

    /** A title belongs to one session only, and a parent must be there. */
    private Session free(Session session) {
        Session.Builder free = session.toBuilder();
        if (session.title().flatMap(store::titled).isPresent()) {
            free.title(null);
        }
        if (session.parent().flatMap(store::session).isEmpty()) {
            free.parent(null);
        }
        return free.build();
    }

    private List<Found> unknown() throws IOException {
        Set<String> known = new HashSet<>(store.doomed());
        store.allStored().forEach(stored -> known.add(stored.file));
        List<Found> found = new ArrayList<>();
        Set<SessionId> ids = new HashSet<>();
        try (Stream<Path> files = Files.list(layout.directory())) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                String name = file.getFileName().toString();
                if (name.endsWith(SessionNames.ENDING)
                        && !known.contains(name)
                        && Files.isRegularFile(file)
                        && Files.size(file) > 0) {
                    look(file).filter(each -> ids.add(each.session.id())).ifPresent(found::add);
                }
            }
        }
        found.sort((one, other) -> Store.NEWEST_FIRST.compare(other.session, one.session));
        return found;
    }

    private Optional<Found> look(Path file) throws IOException {
        String name = file.getFileName().toString();
        String stem = name.substring(0, name.length() - SessionNames.ENDING.length());
        if (!SessionId.isSafe(stem)) {
            return ignored(file, "its name cannot be a session id");
        }
        Instant changed = Files.getLastModifiedTime(file).toInstant();
        TranscriptReading reading = new TranscriptReading(SessionId.of(stem), changed, List.of());
        try (InputStream in = Files.newInputStream(file)) {
            SessionFile.forEachLine(in, reading);
        }
        if (!reading.isReadable()) {
            return ignored(file, "it does not begin like a session file");
        }
        Session session = own(reading).orElseGet(() -> foreign(stem, changed, reading));
        if (store.session(session.id()).isPresent()) {
            return ignored(file, "its session " + session.id() + " is stored in another file");
        }
        return Optional.of(new Found(file, Files.size(file), session, reading));
    }

    private Optional<Found> ignored(Path file, String why) {
        store.warnings().accept("The file " + file + " is left alone: " + why + ".");
        return Optional.empty();
    }

    private static Optional<Session> own(TranscriptReading reading) {
        Optional<JsonNode> extra = reading.meta().flatMap(MetaLine::extra);
        if (extra.isEmpty()) {
            return Optional.empty();
        }
        try {
            Session session = SESSION.fromBytes(Json.MAPPER.writeValueAsBytes(extra.get()));
            long messages = Math.max(session.messageCount(), reading.rows().size());
            return Optional.of(session.toBuilder()
                    .counts(messages, Math.max(session.toolCallCount(), toolCalls(reading)))
                    .build());
        } catch (IOException notOurs) {
            return Optional.empty();
        }
    }

    private static Session foreign(String stem, Instant changed, TranscriptReading reading) {
        Optional<MetaLine> meta = reading.meta();
        Session.Builder session = Session.builder(
                SessionId.of(stem),
                "jsonl",
                meta.flatMap(line -> time(line.createdAt())).orElse(changed));
        meta.map(MetaLine::createdBy).filter(text -> !text.isEmpty()).ifPresent(session::userId);
        meta.map(MetaLine::title).filter(text -> !text.isBlank()).ifPresent(session::title);
        return session.counts(reading.rows().size(), toolCalls(reading)).build();
    }

    private static long toolCalls(TranscriptReading reading) {
        return reading.rows().stream()
                .mapToLong(
                        row -> row.message().toolCalls().map(ToolCalls::count).orElse(0))
                .sum();
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException notATime) {
            return Optional.empty();
        }
    }
}
