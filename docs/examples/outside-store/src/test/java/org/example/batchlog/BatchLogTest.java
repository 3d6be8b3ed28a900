package org.example.batchlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the contract cannot know: the file itself, and the settings. */
class BatchLogTest {
    @TempDir
    private Path home;

    private final List<String> warnings = new ArrayList<>();

    private Storage open(Map<String, String> options) {
        return new BatchLogProvider()
                .open(new StorageSettings(
                        "log",
                        home,
                        StorageSettings.Mode.READ_WRITE,
                        new VirtualClock(Instant.EPOCH),
                        ZoneOffset.UTC,
                        new SeededIds(1),
                        Thread::new,
                        warnings::add,
                        options));
    }

    private Path log() {
        return home.resolve("log");
    }

    /** Stores the value N under the name N, in a batch of its own. */
    private void commit(int... numbers) {
        try (Storage storage = open(Map.of())) {
            for (int number : numbers) {
                storage.ledger().commit(batch(number, "v" + number));
            }
        }
    }

    private static Batch batch(int number, String value) {
        return new Batch(new BatchId("test", number), List.of(), List.of(new Change.PutMeta("k" + number, value)));
    }

    @Test
    void theLastBatchTornAtAnyByteIsCutOffAndTheOthersStay() throws IOException {
        commit(1);
        int whole = (int) Files.size(log());
        commit(2);
        byte[] both = Files.readAllBytes(log());
        for (int length = whole + 1; length < both.length; length++) {
            Files.write(log(), Arrays.copyOf(both, length));
            warnings.clear();

            try (Storage storage = open(Map.of())) {
                assertThat(storage.meta().all()).as("%s bytes", length).containsOnlyKeys("k1");
                assertThat(warnings).singleElement().asString().contains("cut off");
                storage.ledger().commit(batch(3, "v3"));
            }
            try (Storage storage = open(Map.of())) {
                assertThat(storage.meta().all()).containsOnlyKeys("k1", "k3");
            }
        }
    }

    @Test
    void aLogThatWasBeingMadeIsMade() throws IOException {
        for (int length = 0; length < LogFile.FORMAT.length(); length++) {
            Files.writeString(log(), LogFile.FORMAT.substring(0, length));
            try (Storage storage = open(Map.of())) {
                assertThat(storage.meta().all()).as("%s bytes", length).isEmpty();
            }
            Files.delete(log());
        }
    }

    @Test
    void aLogOfAnotherVersionIsNamedAndStaysAsItIs() throws IOException {
        commit(1);
        byte[] old = new String(Files.readAllBytes(log()), StandardCharsets.ISO_8859_1)
                .replaceFirst("changes [0-9]+", "changes 0")
                .getBytes(StandardCharsets.ISO_8859_1);
        Files.write(log(), old);

        assertThatThrownBy(() -> open(Map.of()))
                .isInstanceOf(StorageCorrupt.class)
                .hasMessageContaining(
                        "is \"batchlog 1, changes 0\", and this version reads \"" + LogFile.FORMAT.strip())
                .hasMessageContaining("`parley storage copy`");
        assertThat(log()).hasBinaryContent(old);
    }

    @Test
    void zerosBehindTheLastBatchAreCutOff() throws IOException {
        commit(1);
        Files.write(log(), new byte[4096], StandardOpenOption.APPEND);

        try (Storage storage = open(Map.of())) {
            assertThat(storage.meta().all()).containsOnlyKeys("k1");
        }
    }

    @Test
    void aChangedByteInAnEarlierBatchIsDamageAndTheFileStaysAsItIs() throws IOException {
        commit(1, 2, 3);
        byte[] right = Files.readAllBytes(log());
        for (int at = 0; at < right.length / 2; at++) {
            byte[] wrong = right.clone();
            wrong[at] ^= 4;
            Files.write(log(), wrong);
            if (isPadding(right, at)) {
                continue;
            }

            assertThatThrownBy(() -> open(Map.of()).close())
                    .as("byte %s", at)
                    .isInstanceOf(StorageCorrupt.class)
                    .hasMessageMatching("[^\n]+");
            assertThat(Files.readAllBytes(log())).isEqualTo(wrong);
        }
    }

    /** Zeros that fill a record up belong to nothing. */
    private static boolean isPadding(byte[] log, int at) {
        return at >= 16 && log[at] == 0 && Arrays.equals(log, at, (at | 15) + 1, new byte[16], 0, (at | 15) + 1 - at);
    }

    @Test
    void anotherFileIsNotTaken() throws IOException {
        Files.writeString(log(), "Dear diary, today I was not a batch log at all.");

        assertThatThrownBy(() -> open(Map.of()).close()).isInstanceOf(StorageCorrupt.class);
        assertThat(log()).hasContent("Dear diary, today I was not a batch log at all.");
    }

    @Test
    void theSettingsAreTyped() {
        for (Map<String, String> wrong :
                List.of(Map.of("sync", "perhaps"), Map.of("max_batch_bytes", "many"), Map.of("max_batch_bytes", "0"))) {
            String name = wrong.keySet().iterator().next();
            assertThatThrownBy(() -> open(wrong).close())
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("storage.options." + name)
                    .hasMessageContaining(wrong.get(name));
        }
        try (Storage storage = open(Map.of("sync", "false", "max_batch_bytes", "1000"))) {
            storage.ledger().commit(batch(1, "v1"));
            assertThatThrownBy(() -> storage.ledger().commit(batch(2, "v".repeat(1000))))
                    .isInstanceOf(InvalidRequest.class)
                    .hasMessageContaining("max_batch_bytes");
            assertThat(storage.meta().all()).containsOnlyKeys("k1");
        }
    }

    @Test
    void theServiceFileNamesTheProviderThatTheModuleProvides() throws IOException {
        String service = StorageProvider.class.getName();
        Module module = BatchLogProvider.class.getModule();
        try (InputStream file = module.getResourceAsStream("META-INF/services/" + service)) {
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8).strip())
                    .isEqualTo(BatchLogProvider.class.getName());
        }
        assertThat(Stream.ofNullable(module.getDescriptor())
                        .flatMap(descriptor -> descriptor.provides().stream())
                        .filter(provided -> provided.service().equals(service))
                        .flatMap(provided -> provided.providers().stream()))
                .isSubsetOf(BatchLogProvider.class.getName());
    }
}
