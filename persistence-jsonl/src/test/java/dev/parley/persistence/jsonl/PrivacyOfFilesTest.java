package dev.parley.persistence.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Journal;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.StorageSettings.Mode;
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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is said is its owner's only, whatever the process's mask says. */
@DisabledOnOs(OS.WINDOWS)
class PrivacyOfFilesTest {
    private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

    @TempDir
    Path home;

    private static Batch batch() {
        Message message = Message.builder(new MessageId("m"), Role.USER, Content.text("secret"), NOW)
                .build();
        SessionId session = SessionId.of("s");
        return new Batch(
                new BatchId("w", 1),
                List.of(),
                List.of(
                        new Change.CreateSession(
                                Session.builder(session, "cli", NOW).build()),
                        new Change.AppendMessages(session, List.of(message))));
    }

    private void everythingIsItsOwnersOnly() throws IOException {
        try (Stream<Path> all = Files.walk(home)) {
            for (Path each : all.filter(path -> !path.equals(home)).toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .as("%s", each)
                        .isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------");
            }
        }
    }

    @Test
    void filesOfAStoreAre() throws IOException {
        StorageSettings settings = Settings.of(home, Mode.READ_WRITE, line -> {});
        try (Storage storage = new JsonlStorageProvider().open(settings)) {
            storage.ledger().commit(batch());
            everythingIsItsOwnersOnly();
        }
        everythingIsItsOwnersOnly();
    }

    @Test
    void filesOfAJournalAre() throws IOException {
        StorageSettings settings = Settings.of(home, Mode.READ_WRITE, line -> {});
        try (Journal journal = new JsonlStorageProvider().openJournal(settings).orElseThrow()) {
            new JsonlStorageProvider().openKnowledgeLog(settings).orElseThrow().note(batch().changes());
            journal.append(batch());
            journal.putAside(1);
            everythingIsItsOwnersOnly();
        }
    }
}
