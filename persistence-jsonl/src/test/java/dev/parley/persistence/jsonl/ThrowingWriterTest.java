package dev.parley.persistence.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An Error in the midst of a commit: everybody is answered, and nothing more is written before the store is opened again. */
class ThrowingWriterTest {
    private static final int THREADS = 8;

    @TempDir
    Path home;

    private final AtomicBoolean failing = new AtomicBoolean();

    private Storage open() {
        return new JsonlStorageProvider().open(Settings.of(home, Mode.READ_WRITE, this::now, line -> {}));
    }

    private Instant now() {
        if (failing.get()) {
            throw new NoSuchMethodError("of a clock made for another release");
        }
        return Instant.parse("2026-03-10T12:00:00Z");
    }

    private static Batch batch(String writer, long sequence) {
        return new Batch(
                new BatchId(writer, sequence),
                List.of(),
                List.of(new Change.PutMeta(writer + "-" + sequence, "stored")));
    }

    @Test
    void whatIsStoredIsAnsweredAndNothingMoreIsWrittenBeforeTheNextOpening() {
        Storage storage = open();
        failing.set(true);
        assertThat(storage.ledger().commit(batch("w", 1)).isCommitted()).isTrue();
        assertThatThrownBy(() -> storage.ledger().commit(batch("w", 2)))
                .isInstanceOf(StorageUnavailable.class)
                .hasMessageContaining("of a clock made for another release")
                .hasCauseInstanceOf(NoSuchMethodError.class);
        failing.set(false);
        storage.close();

        try (Storage again = open()) {
            assertThat(again.meta().all()).containsEntry("w-1", "stored").doesNotContainKey("w-2");
            assertThat(again.ledger().commit(batch("w", 2)).isCommitted()).isTrue();
        }
    }

    @Test
    void nobodyWaitsForEver() throws Exception {
        Storage storage = open();
        ExecutorService callers = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier together = new CyclicBarrier(THREADS);
        try {
            List<Future<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String writer = "w" + i;
                Callable<Boolean> commit = () -> {
                    together.await(30, TimeUnit.SECONDS);
                    failing.set(true);
                    try {
                        return storage.ledger().commit(batch(writer, 1)).isCommitted();
                    } catch (StorageUnavailable e) {
                        return false;
                    }
                };
                answers.add(callers.submit(commit));
            }
            List<Boolean> committed = new ArrayList<>();
            for (Future<Boolean> answer : answers) {
                committed.add(answer.get(30, TimeUnit.SECONDS));
            }
            assertThat(committed).contains(true);

            failing.set(false);
            storage.close();
            try (Storage again = open()) {
                for (int i = 0; i < THREADS; i++) {
                    assertThat(again.meta().get("w" + i + "-1").isPresent()).isEqualTo(committed.get(i));
                }
            }
        } finally {
            callers.shutdownNow();
        }
    }
}
