package dev.parley.contracts.storage;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.Precondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Commits two batches at the same moment, of which one must win and the other must meet a conflict, round after round, until commits
 * have overlapped often enough to say that a store which looks before it locks would have been seen.
 */
final class Race {
    /** In how many rounds both commits must have been under way at once. */
    static final int OVERLAPS = 60;

    private static final int AT_ONCE = 20;
    private static final int LIMIT = 4000;
    private static final int RACERS = 2;

    /** After how many looks for the other racer this one lets others have the processor, among them that racer. */
    private static final int LOOKS = 2_000;

    private static final int WEIGHT = 30;

    private Race() {}

    /**
     * What one racer of one round wants.
     *
     * @param precondition what must hold; both racers find that it does
     * @param changes what makes it hold no more
     */
    record Wish(Precondition precondition, List<Change> changes) {
        static Wish of(Precondition precondition, Change... changes) {
            return new Wish(precondition, List.of(changes));
        }
    }

    private record Run(boolean won, Optional<RuntimeException> thrown, long began, long ended) {
        boolean overlaps(Run other) {
            return began < other.ended && other.began < ended;
        }
    }

    /** Runs rounds; {@code round} stores what a round needs and returns what its two racers want. */
    static void hold(StoreUnderTest store, IntFunction<List<Wish>> round) {
        ExecutorService threads = Executors.newFixedThreadPool(RACERS);
        try {
            int overlaps = 0;
            for (int first = 1; overlaps < OVERLAPS; first += AT_ONCE) {
                if (first > LIMIT) {
                    abort("This machine let two commits overlap in " + overlaps + " of " + LIMIT + " rounds; "
                            + OVERLAPS + " are needed to say something of races.");
                }
                overlaps += rounds(
                        threads,
                        store,
                        first,
                        IntStream.range(first, first + AT_ONCE).mapToObj(round).toList());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Runs a few rounds in step and returns in how many of them both commits were under way at once. */
    private static int rounds(ExecutorService threads, StoreUnderTest store, int first, List<List<Wish>> rounds) {
        AtomicInteger arrived = new AtomicInteger();
        List<Callable<List<Run>>> racers = IntStream.range(0, RACERS)
                .mapToObj(racer -> (Callable<List<Run>>) () -> {
                    List<Run> runs = new ArrayList<>();
                    for (int i = 0; i < rounds.size(); i++) {
                        Batch batch = batch(racer, first + i, rounds.get(i).get(racer));
                        arrived.incrementAndGet();
                        for (int looks = 1; arrived.get() < (i + 1) * RACERS; looks++) {
                            if (looks % LOOKS == 0) {
                                letOthersWork();
                            } else {
                                Thread.onSpinWait();
                            }
                        }
                        runs.add(run(store, batch));
                    }
                    return runs;
                })
                .toList();
        int overlaps = 0;
        try {
            List<Future<List<Run>>> done = threads.invokeAll(racers);
            for (int i = 0; i < rounds.size(); i++) {
                Run one = done.get(0).get().get(i);
                Run other = done.get(1).get().get(i);
                check(first + i, rounds.get(i), List.of(one, other));
                if (one.overlaps(other)) {
                    overlaps++;
                }
            }
            return overlaps;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new AssertionError("A thread that committed batches failed: " + e.getCause(), e.getCause());
        }
    }

    /** Saves a busy machine the rest of a time slice; nothing relies on it. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void letOthersWork() {
        Thread.yield();
    }

    /** A batch that takes a moment to apply, so that two of them overlap. */
    private static Batch batch(int racer, int round, Wish wish) {
        List<Change> changes = new ArrayList<>(wish.changes());
        for (int i = 0; i < WEIGHT; i++) {
            changes.add(new Change.PutMeta("race-" + racer + "-" + i, Integer.toString(round)));
        }
        return new Batch(new BatchId("racer-" + racer, round), List.of(wish.precondition()), changes);
    }

    private static Run run(StoreUnderTest store, Batch batch) {
        long began = System.nanoTime();
        try {
            CommitResult result = store.ledger().commit(batch);
            return new Run(result.isCommitted(), Optional.empty(), began, System.nanoTime());
        } catch (RuntimeException e) {
            return new Run(false, Optional.of(e), began, System.nanoTime());
        }
    }

    private static void check(int round, List<Wish> wishes, List<Run> runs) {
        String done = "In round " + round + " two batches were committed at once, the first on the condition that "
                + wishes.get(0).precondition() + ", the second that "
                + wishes.get(1).precondition() + ", and each ends what the other needs: ";
        runs.stream().flatMap(run -> run.thrown().stream()).findFirst().ifPresent(thrown -> {
            throw new AssertionError(
                    done + "one must win and the other meet a conflict, but one threw " + thrown, thrown);
        });
        long won = runs.stream().filter(Run::won).count();
        if (won != 1) {
            throw new AssertionError(done + "one must win, and " + won
                    + " did. A store that looks at preconditions before it has its lock, or whose transactions do not"
                    + " see each other, does this.");
        }
    }
}
