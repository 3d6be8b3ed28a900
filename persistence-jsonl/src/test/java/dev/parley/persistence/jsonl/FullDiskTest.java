package dev.parley.persistence.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.StorageUnavailable;
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
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A real process that may write no more than so much to a file, killed afterwards without being asked. */
class FullDiskTest {
    private static final SessionId S = SessionId.of("s");
    private static final long BLOCKS = 600;

    @TempDir
    Path home;

    @Test
    @Timeout(60)
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void whatWasAcknowledgedBeforeTheDiskWasFullIsThereAfterwards() throws Exception {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -f " + BLOCKS + "; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-cp",
                        System.getProperty("jdk.module.path", "")
                                + File.pathSeparator
                                + System.getProperty("java.class.path")
                                + File.pathSeparator
                                + Path.of("target", "test-classes"),
                        Filler.class.getName(),
                        home.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int acknowledged = 0;
        boolean refused = false;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            while (!refused) {
                String line = out.readLine();
                assertThat(line).as("what the process says").isNotNull();
                refused = line.startsWith("refused");
                acknowledged += line.startsWith("stored") ? 1 : 0;
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(refused).isTrue();
        assertThat(acknowledged).isPositive();
        try (Storage storage =
                new JsonlStorageProvider().open(Settings.of(home, StorageSettings.Mode.READ_WRITE, warning -> {}))) {
            assertThat(storage.transcripts().load(S))
                    .extracting(row -> row.message().id().value())
                    .startsWith("m1")
                    .hasSizeBetween(acknowledged, acknowledged + 1);
            assertThat(storage.ledger().commit(Filler.batch(acknowledged + 10)).isCommitted())
                    .isTrue();
            assertThat(storage.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    /** Stores messages until it is refused, says so, and waits to be killed. */
    static final class Filler {
        private Filler() {}

        /** Fills the store in a home. */
        public static void main(String[] arguments) throws IOException {
            Storage storage = new JsonlStorageProvider()
                    .open(Settings.of(Path.of(arguments[0]), StorageSettings.Mode.READ_WRITE, warning -> {}));
            storage.ledger()
                    .commit(new Batch(
                            new BatchId("create", 1),
                            List.of(),
                            List.of(new Change.CreateSession(
                                    Session.builder(S, "test", Instant.EPOCH).build()))));
            for (int i = 1; true; i++) {
                try {
                    storage.ledger().commit(batch(i));
                    System.out.println("stored " + i);
                } catch (StorageUnavailable full) {
                    System.out.println("refused " + full.getMessage());
                    System.in.read();
                }
            }
        }

        static Batch batch(int i) {
            Message message = Message.builder(
                            new MessageId("m" + i), Role.USER, Content.text("x".repeat(3_000)), Instant.EPOCH)
                    .build();
            return new Batch(
                    new BatchId("fill", i), List.of(), List.of(new Change.AppendMessages(S, List.of(message))));
        }
    }
}
