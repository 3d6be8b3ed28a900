package dev.parley.persistence.sqlite;

import dev.parley.application.port.Ids;
import dev.parley.application.spi.StorageSettings;
import dev.parley.persistence.sqlite.connection.BusyRetry;
import dev.parley.persistence.sqlite.connection.DatabaseFile;
import dev.parley.persistence.sqlite.schema.OpenDatabase;
import dev.parley.persistence.sqlite.schema.SchemaOpener;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** Opens databases for tests, with a fixed clock and warnings that are kept. */
public final class Openings {
    /** The clock. */
    public static final Instant NOW = Instant.parse("2026-03-10T04:00:00Z");

    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final SchemaOpener opener =
            new SchemaOpener(() -> NOW, new BusyRetry(new CountedIds(), BusyRetry.Pause.parked()), warnings::add);

    /** Opens for reading and writing. */
    public OpenDatabase write(Path file) {
        return opener.open(new DatabaseFile(file), StorageSettings.Mode.READ_WRITE);
    }

    /** Opens for reading. */
    public OpenDatabase read(Path file) {
        return opener.open(new DatabaseFile(file), StorageSettings.Mode.READ_ONLY);
    }

    /** Returns the warnings so far. */
    public List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Ids that count, and the shortest jitter. */
    public static class CountedIds implements Ids {
        private final AtomicLong next = new AtomicLong();

        @Override
        public String sessionSuffix() {
            return String.format("%08x", next.incrementAndGet());
        }

        @Override
        public String unique(String prefix) {
            return prefix + "-" + next.incrementAndGet();
        }

        @Override
        public Duration jitter(Duration least, Duration most) {
            return least;
        }
    }
}
