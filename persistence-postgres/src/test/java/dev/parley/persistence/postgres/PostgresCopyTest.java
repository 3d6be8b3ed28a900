package dev.parley.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.contracts.storage.RandomStores;
import dev.parley.persistence.jsonl.JsonlStorageProvider;
import dev.parley.persistence.sqlite.SqliteStorageProvider;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is copied to PostgreSQL and back is the same on every way: stores and their copies have equal digests. */
class PostgresCopyTest {
    @TempDir
    Path folder;

    @Test
    void aStoreGoesFromSqliteToPostgresToJsonlAndBackUnchanged() {
        try (PostgresHarness harness = new PostgresHarness(folder);
                Storage sqlite = open(harness, new SqliteStorageProvider(), "first.db");
                Storage postgres = harness.open(StorageSettings.Mode.READ_WRITE);
                Storage jsonl = open(harness, new JsonlStorageProvider(), "files");
                Storage last = open(harness, new SqliteStorageProvider(), "last.db")) {
            RandomStores.fill(sqlite, 17, 150);

            copy(harness, sqlite, postgres);
            copy(harness, postgres, jsonl);
            copy(harness, jsonl, last);

            assertThat(new StorageCopy(sqlite, last, harness.clock(), harness.ids()).verify(progress -> {}))
                    .isEmpty();
            assertThat(last.transcripts().countAll()).isPositive();
            assertThat(postgres.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    private static void copy(PostgresHarness harness, Storage from, Storage to) {
        StorageCopy copy = new StorageCopy(from, to, harness.clock(), harness.ids(), 13);
        copy.copy(StorageCopy.Into.EMPTY, progress -> {});
        assertThat(copy.verify(progress -> {})).isEmpty();
    }

    private static Storage open(PostgresHarness harness, StorageProvider provider, String address) {
        StorageSettings usual = harness.settings(StorageSettings.Mode.READ_WRITE);
        return provider.open(new StorageSettings(
                address,
                usual.home(),
                usual.mode(),
                usual.clock(),
                usual.zone(),
                usual.ids(),
                usual.threads(),
                usual.warnings(),
                Map.of()));
    }
}
