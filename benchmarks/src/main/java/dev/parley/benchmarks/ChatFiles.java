package dev.parley.benchmarks;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The same messages in a file of the store and in one of plain schema 11. Files are made once and kept in the folder of {@link
 * MessageFiles}. Session {@code s0} has 1,000 messages, every other a hundred.
 */
final class ChatFiles {
    static final Instant START = Instant.parse("2026-03-10T04:00:00Z");
    /** The session that is loaded. */
    static final String LONG = "s0";
    /** The session that is appended to. */
    static final String OPEN = "open";

    private static final int FORM = 2;
    private static final int LONG_MESSAGES = 1_000;
    private static final int PER_SESSION = 100;
    private static final int TOGETHER = 1_000;

    private ChatFiles() {}

    /** Returns the folder with {@code store.db} and {@code plain.db} of so many messages; not to be changed. */
    static Path of(int messages) throws IOException, SQLException {
        Path folder = Path.of(System.getProperty(MessageFiles.FOLDER, "benchmarks/target/data"));
        Path made = folder.resolve("chat-" + messages + "-" + FORM);
        if (Files.exists(made)) {
            return made;
        }
        Files.createDirectories(folder);
        Path making = Files.createTempDirectory(folder, "making-");
        System.err.println("Making databases with " + messages + " messages in " + made + " ...");
        store(making.resolve("store.db"), messages);
        plain(making.resolve("plain.db"), messages);
        Files.move(making, made, StandardCopyOption.ATOMIC_MOVE);
        return made;
    }

    /** Returns a folder with copies that may be changed. */
    static Path copy(int messages) throws IOException, SQLException {
        Path from = of(messages);
        Path to = Stores.folder();
        Files.copy(from.resolve("store.db"), to.resolve("store.db"));
        Files.copy(from.resolve("plain.db"), to.resolve("plain.db"));
        return to;
    }

    static Message message(long number) {
        return Message.builder(
                        new MessageId("m" + number),
                        Role.USER,
                        Content.text(ChatTexts.of(number)),
                        START.plusMillis(number))
                .build();
    }

    static double at(long number) {
        return START.getEpochSecond() + number / 1000.0;
    }

    private static String session(int number) {
        return number < LONG_MESSAGES ? LONG : "s" + (1 + (number - LONG_MESSAGES) / PER_SESSION);
    }

    private static void store(Path file, int messages) {
        try (Storage storage = Stores.sqlite(file, StorageSettings.Mode.READ_WRITE)) {
            List<Change> changes = new ArrayList<>();
            changes.add(create(OPEN, 0));
            String begun = OPEN;
            for (int from = 0; from < messages; from += PER_SESSION) {
                String session = session(from);
                if (!session.equals(begun)) {
                    changes.add(create(session, from));
                    begun = session;
                }
                List<Message> said = new ArrayList<>();
                for (int i = from; i < Math.min(messages, from + PER_SESSION); i++) {
                    said.add(message(i));
                }
                changes.add(new Change.AppendMessages(SessionId.of(session), said));
                if (from % TOGETHER == 0) {
                    commit(storage, changes);
                }
            }
            commit(storage, changes);
        }
    }

    private static void commit(Storage storage, List<Change> changes) {
        storage.ledger().commit(new Batch(SqliteFiles.id("fill"), List.of(), List.copyOf(changes)));
        changes.clear();
    }

    private static Change create(String session, int from) {
        return new Change.CreateSession(Session.builder(SessionId.of(session), "telegram", START.plusMillis(from))
                .model("m")
                .build());
    }

    private static void plain(Path file, int messages) throws SQLException {
        try (PlainSchema11 plain = new PlainSchema11(file)) {
            plain.begin();
            plain.createSession(OPEN, at(0));
            for (int i = 0; i < messages; i++) {
                if (i % PER_SESSION == 0) {
                    plain.createSession(session(i), at(i));
                }
                plain.add(session(i), ChatTexts.of(i), at(i));
                if (i % TOGETHER == 0) {
                    plain.commit();
                    plain.begin();
                }
            }
            plain.commit();
        }
    }
}
