package dev.parley.benchmarks;

import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.persistence.sqlite.SqliteStorageProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** Makes databases to be measured. The text is seeded: the same count gives the same file. */
final class SearchFiles {
    private static final int WORDS = 5_000;
    private static final int MESSAGES_PER_SESSION = 100;

    private SearchFiles() {}

    static Path folder() throws IOException {
        return Files.createTempDirectory("parley-benchmark");
    }

    static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(SearchFiles::delete);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Storage open(Path home, StorageSettings.Mode mode) {
        return new SqliteStorageProvider()
                .open(new StorageSettings(
                        "state.db",
                        home,
                        mode,
                        Instant::now,
                        ZoneOffset.UTC,
                        new SeededIds(1),
                        Thread::new,
                        warning -> {},
                        Map.of()));
    }

    static Connection connect(Path home) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + home.resolve("state.db"));
    }

    /** Makes a database with so many messages, a hundred in each session, of about forty words. */
    static void fill(Path home, int messages) throws SQLException {
        open(home, StorageSettings.Mode.READ_WRITE).close();
        Random random = new Random(messages);
        try (Connection connection = connect(home)) {
            connection.setAutoCommit(false);
            try (PreparedStatement session = connection.prepareStatement(
                            "INSERT INTO sessions (id, source, started_at) VALUES (?, 'telegram', ?)");
                    PreparedStatement message = connection.prepareStatement(
                            "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, ?, ?, ?)")) {
                for (int i = 0; i < messages; i++) {
                    String id = "session-" + i / MESSAGES_PER_SESSION;
                    if (i % MESSAGES_PER_SESSION == 0) {
                        session.setString(1, id);
                        session.setDouble(2, i);
                        session.executeUpdate();
                    }
                    message.setString(1, id);
                    message.setString(2, i % 2 == 0 ? "user" : "assistant");
                    message.setString(3, text(random, i));
                    message.setDouble(4, i);
                    message.executeUpdate();
                }
            }
            connection.commit();
        }
    }

    /** Every tenth message has a common word, every hundredth some Chinese. */
    private static String text(Random random, int number) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            text.append("word").append(random.nextInt(WORDS)).append(' ');
        }
        if (number % 10 == 0) {
            text.append("common ");
        }
        if (number % 100 == 0) {
            text.append("大别山项目的通信协议已经实现");
        }
        return text.toString();
    }
}
