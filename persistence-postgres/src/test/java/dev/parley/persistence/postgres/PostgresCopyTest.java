package dev.parley.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.transfer.StorageCopy;
import dev.parley.contracts.storage.RandomStores;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import dev.parley.persistence.jsonl.JsonlStorageProvider;
import dev.parley.persistence.sqlite.SqliteStorageProvider;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is copied to PostgreSQL and back is the same on every way: stores and their copies have equal digests. */
class PostgresCopyTest {
    private static final List<String> ODD = List.of(
            "before\0behind",
            "\0",
            "\uFDD0",
            "\uFDD00",
            "\uFDD1 and \uFDD00 and \0",
            "  blanks around\t\r\n ",
            "\uFEFFmark\u2028line\u0085",
            "e\u0301 and \u00E9",
            "\uD83D\uDC69\uD83C\uDFFD\u200D\uD83D\uDE80",
            "'; drop table sessions; --",
            "\\0 \\u0000 %s %%",
            "{\"json\": \"\\u0000\"}",
            "\u0001\u001B[31m\u007F");

    private static final List<Instant> TIMES = List.of(
            Instant.EPOCH, Instant.parse("1901-01-01T00:00:00.000001Z"), Instant.parse("2199-12-31T23:59:59.999999Z"));

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

    /** Texts and names that databases change, old and late times, and the greatest numbers. */
    @Test
    void whatOtherStoresWouldChangeGoesFromEachToEachUnchanged() {
        try (PostgresHarness harness = new PostgresHarness(folder);
                Storage files = open(harness, new JsonlStorageProvider(), "files");
                Storage postgres = harness.open(StorageSettings.Mode.READ_WRITE);
                Storage sqlite = open(harness, new SqliteStorageProvider(), "state.db");
                PostgresHarness another = new PostgresHarness(folder);
                Storage again = another.open(StorageSettings.Mode.READ_WRITE);
                Storage last = open(harness, new JsonlStorageProvider(), "last")) {
            long number = 0;
            for (String odd : ODD) {
                number++;
                SessionId session = SessionId.of("s" + number);
                Instant time = TIMES.get((int) number % TIMES.size());
                files.ledger()
                        .commit(new Batch(
                                new BatchId("w", number),
                                List.of(),
                                List.of(
                                        new Change.CreateSession(Session.builder(session, "cli", time)
                                                .title("Title " + number + odd)
                                                .systemPrompt(odd)
                                                .build()),
                                        new Change.AppendMessages(
                                                session,
                                                List.of(Message.builder(
                                                                new MessageId("m" + odd),
                                                                Role.USER,
                                                                Content.text("text " + odd),
                                                                time)
                                                        .build())),
                                        new Change.AddUsage(
                                                session,
                                                UsageUpdate.added(
                                                        new TokenUsage(
                                                                Long.MAX_VALUE,
                                                                Long.MAX_VALUE,
                                                                number,
                                                                Long.MAX_VALUE,
                                                                1),
                                                        Long.MAX_VALUE,
                                                        Optional.of("m" + odd))),
                                        new Change.PutMeta("k" + odd, odd))));
            }

            copy(harness, files, postgres);
            copy(harness, postgres, sqlite);
            copy(harness, sqlite, again);
            copy(harness, again, last);

            assertThat(new StorageCopy(files, last, harness.clock(), harness.ids()).verify(progress -> {}))
                    .isEmpty();
            assertThat(postgres.maintenance().check((done, total) -> {})).isEmpty();
        }
    }

    @Test
    void sessionsWithTimesThatADatabaseDoesNotReachAreNamedByTheComparison() {
        try (PostgresHarness harness = new PostgresHarness(folder);
                Storage files = open(harness, new JsonlStorageProvider(), "files");
                Storage postgres = harness.open(StorageSettings.Mode.READ_WRITE)) {
            files.ledger()
                    .commit(new Batch(
                            new BatchId("w", 1),
                            List.of(),
                            List.of(
                                    created("past", Instant.parse("0001-01-01T00:00:00Z")),
                                    created("usual", Instant.EPOCH),
                                    created("future", Instant.parse("9999-12-31T23:59:59Z")))));
            StorageCopy copy = new StorageCopy(files, postgres, harness.clock(), harness.ids());
            copy.copy(StorageCopy.Into.EMPTY, progress -> {});

            assertThat(copy.verify(progress -> {}))
                    .hasSize(2)
                    .anyMatch(line -> line.startsWith("The session past is not the same"))
                    .anyMatch(line -> line.startsWith("The session future is not the same"));
        }
    }

    private static Change created(String id, Instant at) {
        return new Change.CreateSession(
                Session.builder(SessionId.of(id), "cli", at).build());
    }

    @Test
    void anEmptyStoreIsCopiedToEachAsAnEmptyOne() {
        try (PostgresHarness harness = new PostgresHarness(folder);
                Storage sqlite = open(harness, new SqliteStorageProvider(), "first.db");
                Storage postgres = harness.open(StorageSettings.Mode.READ_WRITE);
                Storage jsonl = open(harness, new JsonlStorageProvider(), "files")) {
            copy(harness, sqlite, postgres);
            copy(harness, postgres, jsonl);

            assertThat(jsonl.sessions().count(Optional.empty())).isZero();
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
