package dev.parley.persistence.jsonl;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.TranscriptFileReader;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.jsonl.file.SessionFile;
import dev.parley.persistence.jsonl.file.SessionNames;
import dev.parley.persistence.jsonl.journal.Reasons;
import dev.parley.persistence.jsonl.state.TranscriptReading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads session files by the rules of the format, leniently (storage 7.5). */
public final class JsonlTranscriptFileReader implements TranscriptFileReader {
    private static final SessionId ANY = SessionId.of("file");

    /** Made by the service loader. */
    public JsonlTranscriptFileReader() {}

    @Override
    public String ending() {
        return SessionNames.ENDING;
    }

    @Override
    public TranscriptFile read(Path file) {
        TranscriptReading reading = new TranscriptReading(ANY, Instant.EPOCH, List.of());
        try (InputStream in = Files.newInputStream(file)) {
            SessionFile.forEachLine(in, reading);
        } catch (IOException e) {
            throw new StorageUnavailable("The file " + file + " cannot be read: " + Reasons.of(e) + ".", e);
        }
        if (!reading.isReadable()) {
            throw new StorageCorrupt(
                    "The file " + file
                            + " is no session file: its first line tells neither agent, created_by and created_at nor"
                            + " anything that was said. Check the path, or restore the file from a backup.",
                    null);
        }
        List<StoredMessage> rows = reading.rows();
        int marker = marker(rows);
        List<Message> context = rows.subList(Math.max(0, marker), rows.size()).stream()
                .filter(StoredMessage::isActive)
                .map(StoredMessage::message)
                .toList();
        List<SkippedLine> skipped = reading.bad().stream()
                .map(bad -> new SkippedLine(bad.line(), bad.why()))
                .toList();
        int archived = (int) rows.subList(0, Math.max(0, marker)).stream()
                .filter(row -> row.message().kind() == Message.Kind.PLAIN)
                .count();
        return new TranscriptFile(meta(file, reading), reading.meta().isEmpty(), context, archived, skipped);
    }

    private static int marker(List<StoredMessage> rows) {
        for (int i = rows.size() - 1; i >= 0; i--) {
            boolean summary = rows.get(i).message().kind() == Message.Kind.SUMMARY;
            if (summary && rows.get(i).isActive()) {
                return i;
            }
        }
        return -1;
    }

    private static FileMeta meta(Path file, TranscriptReading reading) {
        return reading.meta()
                .map(line -> new FileMeta(
                        line.agent(), line.createdBy(), Optional.of(line.createdAt()), line.title(), line.uptimeSecs()))
                .orElseGet(() -> fromName(file));
    }

    private static FileMeta fromName(Path file) {
        String[] parts = SessionNames.partsOf(file.getFileName().toString());
        return new FileMeta(parts[0], parts[1], Optional.empty(), "", 0);
    }
}
