package dev.parley.persistence.jsonl;

import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.spi.StorageSettings;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Consumer;

/** What a store is opened with in tests: the directory {@code sessions} of a home, in Berlin. */
final class Settings {
    private Settings() {}

    static StorageSettings of(Path home, StorageSettings.Mode mode, Consumer<String> warnings) {
        return of(home, mode, new VirtualClock(Instant.parse("2026-03-10T12:00:00Z")), warnings);
    }

    static StorageSettings of(Path home, StorageSettings.Mode mode, InstantSource clock, Consumer<String> warnings) {
        return of("sessions", home, mode, clock, warnings);
    }

    /** Settings of a directory beside {@code sessions}. */
    static StorageSettings of(
            String address, Path home, StorageSettings.Mode mode, InstantSource clock, Consumer<String> warnings) {
        return new StorageSettings(
                address,
                home,
                mode,
                clock,
                ZoneId.of("Europe/Berlin"),
                new SeededIds(1),
                task -> {
                    Thread thread = new Thread(task, "checkpoint");
                    thread.setDaemon(true);
                    return thread;
                },
                warnings,
                Map.of());
    }
}
