package dev.parley.benchmarks;

import dev.parley.application.spi.StorageSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * Databases with many messages. They are made once and kept in a folder, {@code benchmarks/target/data} unless the system property
 * {@value #FOLDER} names another, because a million messages take minutes. The text is seeded: the same count gives the same rows.
 */
final class MessageFiles {
    static final String FOLDER = "parley.benchmarks.data";
    /** Each session has so many messages. */
    static final int PER_SESSION = 100;

    private static final int FORM = 1;
    private static final int WORDS = 5_000;
    private static final int WORDS_PER_MESSAGE = 40;
    private static final int ROWS_PER_TRANSACTION = 10_000;

    private MessageFiles() {}

    /** Makes files of these numbers of messages, where they are not there yet. */
    public static void main(String[] numbers) throws IOException, SQLException {
        for (String number : numbers) {
            of(Integer.parseInt(number));
        }
    }

    /** Returns the database with so many messages; not to be changed. */
    static Path of(int messages) throws IOException, SQLException {
        Path folder = Path.of(System.getProperty(FOLDER, "benchmarks/target/data"));
        Path made = folder.resolve("messages-" + messages + "-" + FORM);
        Path file = made.resolve("state.db");
        if (Files.exists(file)) {
            return file;
        }
        Files.createDirectories(folder);
        Path making = Files.createTempDirectory(folder, "making-");
        System.err.println("Making a database with " + messages + " messages in " + made + " ...");
        fill(making.resolve("state.db"), messages);
        Files.move(making, made, StandardCopyOption.ATOMIC_MOVE);
        return file;
    }

    /** Copies the database with so many messages to where it may be changed. */
    static void copy(int messages, Path to) throws IOException, SQLException {
        Files.copy(of(messages), to);
    }

    static String session(int number) {
        return "session-" + number;
    }

    private static void fill(Path file, int messages) throws SQLException {
        Stores.sqlite(file, StorageSettings.Mode.READ_WRITE).close();
        Random random = new Random(messages);
        try (Connection connection = Stores.plain(file);
                Statement statement = connection.createStatement()) {
            statement.execute("pragma synchronous = off");
            statement.execute("pragma cache_size = -400000");
            for (int from = 0; from < messages; from += ROWS_PER_TRANSACTION) {
                statement.execute("begin");
                fill(connection, random, from, Math.min(messages, from + ROWS_PER_TRANSACTION));
                statement.execute("commit");
            }
            statement.execute("pragma wal_checkpoint(truncate)");
        }
    }

    private static void fill(Connection connection, Random random, int from, int to) throws SQLException {
        try (PreparedStatement session = connection.prepareStatement("insert into sessions"
                        + " (id, source, started_at, message_count) values (?, 'telegram', ?, " + PER_SESSION + ")");
                PreparedStatement active = connection.prepareStatement(
                        "insert into parley_sessions (session_id, last_active) values (?, ?)");
                PreparedStatement message = connection.prepareStatement(
                        "insert into messages (id, session_id, role, content, timestamp) values (?, ?, ?, ?, ?)");
                PreparedStatement extra = connection.prepareStatement(
                        "insert into parley_messages (message_row, uid, session_id, kind) values (?, ?, ?, 'plain')")) {
            for (int i = from; i < to; i++) {
                String id = session(i / PER_SESSION);
                if (i % PER_SESSION == 0) {
                    session.setString(1, id);
                    session.setDouble(2, i);
                    session.executeUpdate();
                    active.setString(1, id);
                    active.setDouble(2, i + PER_SESSION - 1);
                    active.executeUpdate();
                }
                message.setLong(1, i + 1);
                message.setString(2, id);
                message.setString(3, i % 2 == 0 ? "user" : "assistant");
                message.setString(4, text(random, i));
                message.setDouble(5, i);
                message.executeUpdate();
                extra.setLong(1, i + 1);
                extra.setString(2, "m" + i);
                extra.setString(3, id);
                extra.executeUpdate();
            }
        }
    }

    /** Every tenth message has a common word, every hundredth some Chinese. */
    private static String text(Random random, int number) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS_PER_MESSAGE; i++) {
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
