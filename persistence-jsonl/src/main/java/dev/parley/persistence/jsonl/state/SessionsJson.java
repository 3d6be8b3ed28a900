package dev.parley.persistence.jsonl.state;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import dev.parley.domain.session.EntryDictionary;
import dev.parley.domain.session.Lane;
import dev.parley.persistence.jsonl.journal.Directories;
import dev.parley.persistence.jsonl.journal.PrivateFiles;
import dev.parley.persistence.jsonl.record.Json;
import dev.parley.persistence.jsonl.record.Times;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * The lanes in the form that other software keeps them in (E2.4), for people and other programs. Written with each checkpoint;
 * what counts is the checkpoint.
 */
final class SessionsJson {
    private static final String NOTE = "_README";
    private static final String TEXT =
            "Written by Parley with each checkpoint and when it stops: the current session of each lane."
                    + " Changes made here are not read back.";

    private final ZoneId zone;

    SessionsJson(ZoneId zone) {
        this.zone = zone;
    }

    /** Replaces the file, atomically and durably. A file that Parley did not write is kept under another name. */
    void write(Path file, List<Lane> lanes) throws IOException {
        keepForeign(file);
        Path begun = file.resolveSibling(".sessions_parley.tmp");
        try {
            Files.deleteIfExists(begun);
            try (FileChannel channel =
                    PrivateFiles.open(begun, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
                JsonGenerator json = Json.FACTORY.createGenerator(out).setPrettyPrinter(new DefaultPrettyPrinter());
                json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
                json.writeStartObject();
                json.writeStringField(NOTE, TEXT);
                for (Lane lane : lanes) {
                    json.writeFieldName(lane.key().value());
                    json.writePOJO(EntryDictionary.write(lane.entry(), this::local));
                }
                json.writeEndObject();
                json.close();
                out.flush();
                channel.force(true);
            }
            Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Directories.sync(file);
        } finally {
            Files.deleteIfExists(begun);
        }
    }

    private static void keepForeign(Path file) throws IOException {
        Path kept = file.resolveSibling("sessions.json.original");
        if (Files.exists(file) && !Files.exists(kept) && !isOurs(file)) {
            Files.move(file, kept);
        }
    }

    private static boolean isOurs(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return new String(in.readNBytes(200), StandardCharsets.UTF_8)
                    .contains("\"" + NOTE + "\" : \"Written by Parley");
        }
    }

    private String local(Instant at) {
        return Times.local(at, zone);
    }
}
