package dev.parley.benchmarks;

import dev.parley.application.replay.SeededIds;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Two files with the same content: one behind the store's ports, one behind a plain connection. */
final class SqliteFiles implements AutoCloseable {
    static final Instant START = Instant.parse("2026-03-10T04:00:00Z");
    static final String TEXT =
            "The docker build fails in chat-send; please look at the log and tell me what to change.";

    private static final AtomicLong BATCHES = new AtomicLong();

    private final Path folder;
    private final Storage store;
    private final Connection plain;

    /** Makes both files and fills them alike. */
    SqliteFiles(Consumer<Storage> fill) throws IOException, SQLException {
        folder = Files.createTempDirectory("parley-benchmark-");
        try (Storage other = open(folder.resolve("plain.db"))) {
            fill.accept(other);
        }
        store = open(folder.resolve("store.db"));
        fill.accept(store);
        plain = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("plain.db"));
        try (Statement statement = plain.createStatement()) {
            statement.execute("pragma busy_timeout = 1000");
            statement.execute("pragma wal_autocheckpoint = 4000");
            statement.execute("pragma foreign_keys = on");
        }
    }

    Storage store() {
        return store;
    }

    Connection plain() {
        return plain;
    }

    @Override
    public void close() throws IOException, SQLException {
        plain.close();
        store.close();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private static Storage open(Path file) {
        StorageProvider provider = ServiceLoader.load(StorageProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.scheme().equals("sqlite"))
                .findFirst()
                .orElseThrow();
        return provider.open(new StorageSettings(
                file.toString(),
                file.resolveSibling("home"),
                StorageSettings.Mode.READ_WRITE,
                InstantSource.system(),
                ZoneOffset.UTC,
                new SeededIds(1),
                Thread::new,
                warning -> {},
                Map.of()));
    }

    /** Commits changes, many of them in batches of a thousand. */
    static void commit(Storage storage, List<Change> changes) {
        for (int from = 0; from < changes.size(); from += 1000) {
            List<Change> some = changes.subList(from, Math.min(changes.size(), from + 1000));
            storage.ledger().commit(new Batch(id("fill"), List.of(), List.copyOf(some)));
        }
    }

    static BatchId id(String writer) {
        return new BatchId(writer, BATCHES.incrementAndGet());
    }

    static Session session(String id, Instant at) {
        return Session.builder(SessionId.of(id), "cli", at).model("m").build();
    }

    static Message message(String id, Instant at) {
        return Message.builder(new MessageId(id), Role.USER, Content.text(TEXT), at)
                .build();
    }

    /** Returns sessions, each with some messages. */
    static List<Change> sessions(int sessions, int messages) {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < sessions; i++) {
            Instant at = START.plusSeconds(i);
            changes.add(new Change.CreateSession(session("s" + i, at)));
            List<Message> said = new ArrayList<>();
            for (int j = 0; j < messages; j++) {
                said.add(message("m" + i + "-" + j, at.plusSeconds(j)));
            }
            changes.add(new Change.AppendMessages(SessionId.of("s" + i), said));
        }
        return changes;
    }
}
