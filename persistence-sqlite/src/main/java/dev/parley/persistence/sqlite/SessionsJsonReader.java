package dev.parley.persistence.sqlite;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.LaneFileReader;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.Platforms;
import dev.parley.persistence.sqlite.mirror.SessionsFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code sessions.json} wherever it lies, whoever wrote it. */
public final class SessionsJsonReader implements LaneFileReader {
    /** Made by the service loader. */
    public SessionsJsonReader() {}

    @Override
    public LaneFile read(Path file, ZoneId zone, Platforms platforms) {
        if (!Files.isReadable(file) || Files.isDirectory(file)) {
            throw new StorageUnavailable(
                    "The file " + file + " cannot be read; check the path and its permissions.", null);
        }
        SessionsFile sessions = new SessionsFile(file, zone, platforms);
        if (!sessions.isReadable()) {
            throw new StorageCorrupt(
                    "The file " + file + " is no JSON object, so it holds no lanes; name a sessions.json.", null);
        }
        List<String> leftOut = new ArrayList<>();
        List<SessionEntry> entries = sessions.read(leftOut::add);
        return new LaneFile(entries, leftOut);
    }
}
