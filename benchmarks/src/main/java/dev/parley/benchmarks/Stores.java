package dev.parley.benchmarks;

import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Opens stores by their provider, and plain connections with the settings a store has. */
final class Stores {
    private Stores() {}

    static Storage sqlite(Path file, StorageSettings.Mode mode) {
        return open("sqlite", file, mode);
    }

    /** Opens the store at an address behind {@code postgres:}. */
    static Storage postgres(String address, Path folder) {
        return open("postgres", address, folder.resolve("home"), StorageSettings.Mode.READ_WRITE);
    }

    static Storage jsonl(Path folder) {
        return open("jsonl", folder, StorageSettings.Mode.READ_WRITE);
    }

    /** The home is another folder than the store's, so no mirror is written beside what is measured. */
    private static Storage open(String scheme, Path location, StorageSettings.Mode mode) {
        return open(scheme, location.toString(), location.resolveSibling("home"), mode);
    }

    private static Storage open(String scheme, String address, Path home, StorageSettings.Mode mode) {
        StorageProvider provider = ServiceLoader.load(StorageProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.scheme().equals(scheme))
                .findFirst()
                .orElseThrow();
        return provider.open(new StorageSettings(
                address,
                home,
                mode,
                InstantSource.system(),
                ZoneOffset.UTC,
                new SeededIds(1),
                Thread::new,
                warning -> {},
                Map.of()));
    }

    static Connection plain(Path file) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        try (Statement statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = 1000");
            statement.execute("pragma wal_autocheckpoint = 4000");
            statement.execute("pragma foreign_keys = on");
            statement.execute("pragma temp_store = memory");
        }
        return connection;
    }

    static Path folder() throws IOException {
        return Files.createTempDirectory("parley-benchmark-");
    }

    static void remove(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
