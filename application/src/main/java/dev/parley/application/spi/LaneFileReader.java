package dev.parley.application.spi;

import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.source.Platforms;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;

/** Reads lanes from a file in the form of {@code sessions.json} (E2.4–E2.9). Found as a service. */
public interface LaneFileReader {
    /**
     * Reads a file; changes nothing.
     *
     * @param zone the zone of the file's times, which stand there without an offset
     * @param platforms the platforms that an entry may come from
     * @throws StorageUnavailable where it cannot be read
     * @throws StorageCorrupt where it is no JSON object
     */
    LaneFile read(Path file, ZoneId zone, Platforms platforms);

    /**
     * What such a file holds.
     *
     * @param entries the entries that can be read, under the keys that they have in the file, in its order
     * @param leftOut one line for each entry that cannot be read, saying why (E2.5)
     */
    record LaneFile(List<SessionEntry> entries, List<String> leftOut) {
        public LaneFile {
            entries = List.copyOf(entries);
            leftOut = List.copyOf(leftOut);
        }
    }
}
