package dev.parley.persistence.jsonl.state;

import dev.parley.domain.session.Session;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.jsonl.file.MetaLine;
import dev.parley.persistence.jsonl.file.SessionFile;
import dev.parley.persistence.jsonl.file.SessionLine;
import dev.parley.persistence.jsonl.file.SessionNames;
import dev.parley.persistence.jsonl.journal.Directories;
import dev.parley.persistence.jsonl.journal.PrivateFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a session file anew, beside the old one, so that its first line, its name and what was taken back stand as other readers of
 * the format should see them (storage 7.3, 7.6). Lines are carried as bytes unless a message in them was taken back or replaced.
 */
final class Settling {
    private final Layout layout;
    private final Store store;

    Settling(Layout layout, Store store) {
        this.layout = layout;
        this.store = store;
    }

    /** Writes the new file, durably, and says what became of the old one; nothing else changes yet. */
    JournalEntry.Moved write(StoredSession stored, long place) throws IOException {
        Path old = layout.directory().resolve(stored.file);
        TranscriptReading reading = new TranscriptReading(stored.id(), stored.session.startedAt(), stored.foreign);
        try (InputStream in = open(old, stored.length)) {
            SessionFile.forEachLine(in, reading);
        }
        Optional<byte[]> first = SessionFile.firstLine(old);
        MetaLine own = store.metaOf(stored);
        byte[] meta = reading.meta()
                .map(before ->
                        before.with(own.title(), own.uptimeSecs(), own.extra().orElse(null)))
                .orElse(own)
                .toBytes();
        String written = layout.rewritten(place);
        Path target = layout.directory().resolve(written);
        Files.deleteIfExists(target);
        long dropped =
                reading.meta().isPresent() ? first.map(line -> line.length + 1L).orElse(0L) : 0;
        try (FileChannel channel = PrivateFiles.open(target, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            out.write(meta);
            if (reading.isRewritable()) {
                rewrite(old, stored.length, dropped, reading, out);
            } else {
                copy(old, stored.length, dropped, out);
            }
            out.flush();
            channel.force(true);
        }
        List<SessionRow.ForeignPart> foreign = reading.isRewritable()
                ? List.of()
                : stored.foreign.stream()
                        .map(part -> part.moved(meta.length - dropped))
                        .toList();
        SessionRow row =
                new SessionRow(stored.session, nameOf(stored), Files.size(target), stored.uptimeNanos, true, foreign);
        return new JournalEntry.Moved(row, stored.file, written);
    }

    private static InputStream open(Path file, long length) throws IOException {
        return new Bounded(Files.newInputStream(file), length);
    }

    /** The name with the title; the old one where the new one is taken. */
    private String nameOf(StoredSession stored) {
        Session session = stored.session;
        SessionNames names = store.namesOf(session);
        if (names.numberOf(stored.file).isEmpty()) {
            return stored.file;
        }
        String name = names.titled(stored.file, session.title().orElse(""));
        return Files.exists(layout.directory().resolve(name)) ? stored.file : name;
    }

    private static void copy(Path old, long length, long from, OutputStream out) throws IOException {
        try (InputStream in = open(old, length)) {
            in.skipNBytes(Math.min(from, length));
            byte[] buffer = new byte[1 << 16];
            byte last = '\n';
            for (int n = in.read(buffer); n > 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
                last = buffer[n - 1];
            }
            if (last != '\n') {
                out.write('\n');
            }
        }
    }

    private static void rewrite(Path old, long length, long from, TranscriptReading reading, OutputStream out)
            throws IOException {
        Map<Long, StoredMessage> rows = new HashMap<>();
        reading.rows().forEach(row -> rows.put(row.sequence(), row));
        Map<Long, Long> places = new HashMap<>();
        reading.places().forEach(place -> places.put(place.from(), place.sequence()));
        List<byte[]> lines = new ArrayList<>();
        try (InputStream in = open(old, length)) {
            SessionFile.forEachLine(in, (number, at, raw) -> {
                if (at < from) {
                    return;
                }
                SessionLine line = SessionLine.parse(SessionFile.withoutReturn(raw));
                if (line instanceof SessionLine.Said) {
                    StoredMessage row = rows.get(places.getOrDefault(at, 0L));
                    if (row != null) {
                        lines.add(SessionLine.of(row));
                    }
                } else if (line instanceof SessionLine.Skipped) {
                    lines.add(raw);
                    lines.add(new byte[] {'\n'});
                }
                for (byte[] each : lines) {
                    out.write(each);
                }
                lines.clear();
            });
        }
    }

    /** Puts new files in the place of the old ones, once that stands in the journal. */
    void finish(List<JournalEntry> entries) throws IOException {
        store.writeLock().lock();
        try {
            for (JournalEntry entry : entries) {
                finish(entry.moved().orElseThrow());
            }
        } finally {
            store.writeLock().unlock();
        }
        Directories.sync(layout.directory().resolve("any"));
    }

    private void finish(JournalEntry.Moved moved) throws IOException {
        Path file = layout.directory().resolve(moved.row().file());
        Files.move(
                layout.directory().resolve(moved.written()),
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        if (!moved.before().equals(moved.row().file())) {
            Files.deleteIfExists(layout.directory().resolve(moved.before()));
        }
        StoredSession stored = store.stored(moved.row().session().id()).orElseThrow();
        stored.file = moved.row().file();
        stored.length = moved.row().length();
        stored.settled = true;
        stored.endChecked = true;
        stored.foreign.clear();
        stored.foreign.addAll(moved.row().foreign());
    }
}
