package dev.parley.benchmarks;

import dev.parley.application.spi.Storage;
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
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

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
        this(Stores.folder(), fill);
    }

    /** Makes both files with so many messages to begin with; 0 for none. */
    static SqliteFiles with(int messages, Consumer<Storage> fill) throws IOException, SQLException {
        Path folder = Stores.folder();
        if (messages > 0) {
            MessageFiles.copy(messages, folder.resolve("plain.db"));
            MessageFiles.copy(messages, folder.resolve("store.db"));
        }
        return new SqliteFiles(folder, fill);
    }

    private SqliteFiles(Path folder, Consumer<Storage> fill) throws IOException, SQLException {
        this.folder = folder;
        try (Storage other = Stores.sqlite(folder.resolve("plain.db"), StorageSettings.Mode.READ_WRITE)) {
            fill.accept(other);
        }
        store = Stores.sqlite(folder.resolve("store.db"), StorageSettings.Mode.READ_WRITE);
        fill.accept(store);
        plain = Stores.plain(folder.resolve("plain.db"));
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
        Stores.remove(folder);
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

    /** Returns one message of a conversation in which every other answer needs a tool. */
    static Message spoken(int number, Instant at) {
        MessageId id = new MessageId("l" + number);
        return switch (number % 4) {
            case 1 ->
                Message.builder(id, Role.ASSISTANT, Content.none(), at)
                        .toolCalls(ToolCalls.of(List.of(
                                new ToolCall("call-" + number, "shell", "{\"command\":\"docker logs chat-send\"}"))))
                        .finishReason("tool_calls")
                        .build();
            case 2 ->
                Message.builder(id, Role.TOOL, Content.text(TEXT), at)
                        .toolCallId("call-" + (number - 1))
                        .toolName("shell")
                        .build();
            case 3 ->
                Message.builder(id, Role.ASSISTANT, Content.text(TEXT), at)
                        .finishReason("stop")
                        .build();
            default -> message("l" + number, at);
        };
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
