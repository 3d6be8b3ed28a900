package dev.parley.contracts.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.Durable;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.SessionEdit;
import dev.parley.testing.memory.MemoryStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random runs compared with the reference store through every read. A run that differs is shortened as far as it still differs,
 * and shown with its seed. The system property {@code parley.contracts.seeds} sets how many seeds are run.
 */
public interface RandomRunContract extends StoreContract {
    /** How many batches a run has. */
    int BATCHES_OF_A_RUN = 60;

    /** After how many batches the reads are compared, and the store is opened again. */
    int BETWEEN_LOOKS = 15;

    private static long seeds() {
        return Long.getLong("parley.contracts.seeds", 6);
    }

    @Core
    default void aRandomRunReadsLikeTheReference(@TempDir Path directory) {
        for (long seed = 1; seed <= seeds(); seed++) {
            checkRun(seed, directory.resolve("reopened-" + seed), Interruption.REOPEN);
        }
    }

    @Durable
    default void aRandomRunReadsLikeTheReferenceAcrossCrashes(@TempDir Path directory) {
        for (long seed = 101; seed < 101 + seeds(); seed++) {
            checkRun(seed, directory.resolve("crashed-" + seed), Interruption.CRASH);
        }
    }

    /** How a run is interrupted between looks. */
    enum Interruption {
        /** The store is closed and opened. */
        REOPEN,
        /** The store is lost and opened. */
        CRASH
    }

    private void checkRun(long seed, Path directory, Interruption interruption) {
        List<Batch> batches = capabilities().contains(Capability.TITLES)
                ? generate(seed)
                : generate(seed).stream().map(RandomRunContract::untitled).toList();
        Optional<String> difference = difference(batches, directory.resolve("run"), interruption);
        if (difference.isEmpty()) {
            return;
        }
        List<Batch> shortest = new ArrayList<>(batches);
        int tries = 0;
        for (int size = shortest.size() / 2; size >= 1; size /= 2) {
            for (int from = 0; from + size <= shortest.size() && tries < 80; ) {
                List<Batch> shorter = new ArrayList<>(shortest);
                shorter.subList(from, from + size).clear();
                Optional<String> still = difference(shorter, directory.resolve("shorter-" + ++tries), interruption);
                if (still.isPresent()) {
                    shortest = shorter;
                    difference = still;
                } else {
                    from += size;
                }
            }
        }
        StringBuilder told = new StringBuilder("The run with seed " + seed
                + " differs from the reference, also in these " + shortest.size() + " batches:\n");
        shortest.forEach(batch -> told.append("  ").append(batch).append('\n'));
        throw new AssertionError(told.append(difference.orElse("")).toString());
    }

    private static List<Batch> generate(long seed) {
        List<Batch> batches = new ArrayList<>();
        try (Storage model = new MemoryStorage()) {
            RandomOperations operations = new RandomOperations(seed, model);
            for (int i = 0; i < BATCHES_OF_A_RUN; i++) {
                Batch batch = operations.next();
                batches.add(batch);
                outcome(model, batch);
            }
        }
        assertThat(batches).hasSize(BATCHES_OF_A_RUN);
        return batches;
    }

    /** Returns a batch that gives no session a title. */
    private static Batch untitled(Batch batch) {
        List<Change> changes = batch.changes().stream()
                .map(change -> {
                    if (change instanceof Change.CreateSession created) {
                        return new Change.CreateSession(
                                created.session().toBuilder().title(null).build());
                    }
                    return change instanceof Change.EditSession edited && edited.edit() instanceof SessionEdit.Retitle
                            ? new Change.EditSession(edited.session(), new SessionEdit.Retitle(Optional.empty()))
                            : change;
                })
                .toList();
        return new Batch(batch.id(), batch.preconditions(), changes);
    }

    private static String outcome(Storage storage, Batch batch) {
        try {
            return storage.ledger().commit(batch).toString();
        } catch (InvalidRequest refused) {
            return "refused";
        }
    }

    /** Runs the batches on a new store and on a new reference, and tells the first difference. */
    private Optional<String> difference(List<Batch> batches, Path directory, Interruption interruption) {
        directory.toFile().mkdirs();
        try (Storage model = new MemoryStorage();
                StoreUnderTest store = new StoreUnderTest(harness(directory), capabilities())) {
            for (int i = 0; i < batches.size(); i++) {
                Batch batch = batches.get(i);
                String expected = outcome(model, batch);
                String actual = outcome(store.storage(), batch);
                if (!expected.equals(actual)) {
                    return Optional.of(
                            "Batch " + (i + 1) + " should be: " + expected + "\nbut was:          " + actual);
                }
                if ((i + 1) % BETWEEN_LOOKS == 0 || i + 1 == batches.size()) {
                    Optional<String> difference = compare(model, store);
                    if (difference.isPresent()) {
                        return difference;
                    }
                    switch (interruption) {
                        case REOPEN -> store.reopen();
                        case CRASH -> store.crash();
                    }
                }
            }
            return compare(model, store);
        }
    }

    private static Optional<String> compare(Storage model, StoreUnderTest store) {
        List<String> words = store.has(Capability.SEARCH) ? RandomOperations.WORDS : List.of();
        List<String> expected = StoreSnapshot.of(model, words, RandomOperations.viewers());
        List<String> actual = StoreSnapshot.of(store.storage(), words, RandomOperations.viewers());
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            String wanted = i < expected.size() ? expected.get(i) : "nothing more";
            String found = i < actual.size() ? actual.get(i) : "nothing more";
            if (!wanted.equals(found)) {
                return Optional.of("The reads should say: " + wanted + "\nbut they say:         " + found);
            }
        }
        return Optional.empty();
    }
}
