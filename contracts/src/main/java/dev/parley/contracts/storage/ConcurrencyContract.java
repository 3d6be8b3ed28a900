package dev.parley.contracts.storage;

import static dev.parley.contracts.storage.Samples.append;
import static dev.parley.contracts.storage.Samples.created;
import static dev.parley.contracts.storage.Samples.id;
import static dev.parley.contracts.storage.Samples.key;
import static dev.parley.contracts.storage.Samples.lane;
import static dev.parley.contracts.storage.Samples.put;
import static dev.parley.contracts.storage.Samples.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.Storage;
import dev.parley.contracts.level.Concurrent;
import dev.parley.domain.change.Batch;
import dev.parley.domain.change.BatchId;
import dev.parley.domain.change.Change;
import dev.parley.domain.change.CommitResult;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.change.Precondition;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageUpdate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** What holds when several threads, and where that is offered several processes, use a store at once. */
public interface ConcurrencyContract extends StoreContract {
    /** How many threads use the store at once. */
    int THREADS = 8;

    /** How many batches each of them commits. */
    int BATCHES = 25;

    /** How many batches are committed at most until enough reads have begun during one. */
    int MOST_ROUNDS = 4000;

    private static Batch batch(String writer, long sequence, List<Precondition> preconditions, Change... changes) {
        return new Batch(new BatchId(writer, sequence), preconditions, List.of(changes));
    }

    /** Runs the work of each thread at once and returns what they came to; what one throws comes out. */
    private static <T> List<T> atOnce(int threads, ThreadWork<T> work) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch begin = new CountDownLatch(threads);
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                tasks.add(() -> {
                    begin.countDown();
                    begin.await();
                    return work.run(number);
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : pool.invokeAll(tasks)) {
                results.add(future.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new AssertionError("A thread failed: " + e.getCause(), e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    /** What one of several threads does. */
    interface ThreadWork<T> {
        /** Does the work of the thread with this number. */
        T run(int thread) throws Exception;
    }

    @Concurrent
    default void noCommitIsLost(StoreUnderTest store) {
        store.commit(created("shared"));

        atOnce(THREADS, thread -> {
            for (int i = 1; i <= BATCHES; i++) {
                String name = thread + "-" + i;
                store.ledger()
                        .commit(batch(
                                "w" + thread,
                                i,
                                List.of(),
                                append("shared", user(name, "text")),
                                new Change.AppendHistory(Samples.event("" + thread, i, name))));
            }
            return thread;
        });

        List<StoredMessage> messages = store.transcripts().load(id("shared"));
        assertThat(messages).hasSize(THREADS * BATCHES);
        assertThat(messages).extracting(StoredMessage::sequence).isSorted().doesNotHaveDuplicates();
        assertThat(store.sessions().find(id("shared")).orElseThrow().messageCount())
                .isEqualTo(THREADS * BATCHES);
        for (int thread = 0; thread < THREADS; thread++) {
            List<String> mine = store.lanes().history(key("" + thread), Integer.MAX_VALUE).stream()
                    .map(LaneEvent::reason)
                    .toList();
            assertThat(mine).hasSize(BATCHES).startsWith(thread + "-" + BATCHES);
        }
    }

    @Concurrent
    default void messagesOfOneThreadStayInItsOrder(StoreUnderTest store) {
        store.commit(created("shared"));

        atOnce(THREADS, thread -> {
            for (int i = 1; i <= BATCHES; i++) {
                store.ledger().commit(batch("w" + thread, i, List.of(), append("shared", user(thread + "-" + i, "x"))));
            }
            return thread;
        });

        Map<String, Integer> last = new HashMap<>();
        for (StoredMessage message : store.transcripts().load(id("shared"))) {
            String[] name = message.message().id().value().split("-", 2);
            int number = Integer.parseInt(name[1]);
            assertThat(number).isEqualTo(last.getOrDefault(name[0], 0) + 1);
            last.put(name[0], number);
        }
    }

    @Concurrent
    default void touchesOfManyThreadsAddUp(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)));

        atOnce(THREADS, thread -> {
            for (int i = 1; i <= BATCHES; i++) {
                store.ledger()
                        .commit(batch(
                                "w" + thread,
                                i,
                                List.of(),
                                new Change.TouchLane(
                                        key("1"),
                                        id("s"),
                                        Samples.at(thread + 10L * i),
                                        new TokenUsage(1, 0, 0, 0, 0),
                                        0.5,
                                        Optional.empty(),
                                        Optional.empty())));
            }
            return thread;
        });

        SessionEntry entry = store.lanes().find(key("1")).orElseThrow().entry();
        assertThat(entry.usage().totalTokens()).isEqualTo(THREADS * BATCHES);
        assertThat(entry.usage().estimatedCostUsd()).isEqualTo(0.5 * THREADS * BATCHES);
        assertThat(entry.updatedAt()).isEqualTo(Samples.at(THREADS - 1 + 10L * BATCHES));
    }

    @Concurrent
    default void onlyOneOfManyWinsAnEpoch(StoreUnderTest store) {
        store.commit(created("s"), put(lane("1", "s", 1)));

        for (long epoch = 1; epoch <= 10; epoch++) {
            long seen = epoch;
            List<CommitResult> results = atOnce(
                    THREADS,
                    thread -> store.ledger()
                            .commit(batch(
                                    "w" + thread + "-" + seen,
                                    1,
                                    List.of(new Precondition.LaneEpoch(key("1"), seen)),
                                    put(lane("1", "s", seen + 1)),
                                    new Change.AppendHistory(Samples.event("1", seen, "by " + thread)))));

            assertThat(results).filteredOn(CommitResult::isCommitted).hasSize(1);
        }
        assertThat(store.lanes().history(key("1"), 99)).hasSize(10);
        assertThat(store.lanes().find(key("1")).map(Lane::epoch)).hasValue(11L);
    }

    @Concurrent
    default void aBatchGivenByManyThreadsIsAppliedOnce(StoreUnderTest store) {
        for (int round = 1; round <= 5; round++) {
            Batch same =
                    batch("writer", round, List.of(), new Change.AppendHistory(Samples.event("1", round, "r" + round)));

            assertThat(atOnce(THREADS, thread -> store.ledger().commit(same)))
                    .containsOnly(new CommitResult.Committed());
        }

        assertThat(store.lanes().history(key("1"), 99)).hasSize(5);
    }

    @Concurrent
    default void aConflictOfOneThreadLeavesTheOthersAlone(StoreUnderTest store) {
        List<Integer> committed = atOnce(THREADS, thread -> {
            int mine = 0;
            for (int i = 1; i <= BATCHES; i++) {
                Precondition precondition = thread % 2 == 0
                        ? new Precondition.SessionAbsent(id("never"))
                        : new Precondition.SessionExists(id("never"));
                boolean stored = store.ledger()
                        .commit(batch(
                                "w" + thread,
                                i,
                                List.of(precondition),
                                created("s-" + thread + "-" + i),
                                append("s-" + thread + "-" + i, user("m", "x"))))
                        .isCommitted();
                mine += stored ? 1 : 0;
            }
            return mine;
        });

        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(committed.get(thread)).isEqualTo(thread % 2 == 0 ? BATCHES : 0);
        }
        assertThat(store.sessions().count(Optional.empty())).isEqualTo(THREADS / 2 * BATCHES);
        assertThat(store.transcripts().countAll()).isEqualTo(THREADS / 2 * BATCHES);
    }

    @Concurrent
    default void aRefusedBatchOfOneThreadLeavesTheOthersAlone(StoreUnderTest store) {
        List<Integer> refused = atOnce(THREADS, thread -> {
            int mine = 0;
            for (int i = 1; i <= BATCHES; i++) {
                String session = "s-" + thread + "-" + i;
                try {
                    store.ledger()
                            .commit(batch(
                                    "w" + thread + "-" + i,
                                    1,
                                    List.of(),
                                    created(session),
                                    append(thread % 2 == 0 ? session : "missing", user("m", "x"))));
                } catch (InvalidRequest e) {
                    mine++;
                }
            }
            return mine;
        });

        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(refused.get(thread)).isEqualTo(thread % 2 == 0 ? 0 : BATCHES);
        }
        assertThat(store.sessions().count(Optional.empty())).isEqualTo(THREADS / 2 * BATCHES);
    }

    @Concurrent
    default void aBatchThatCannotBeAppliedLeavesTheOthersAlone(StoreUnderTest store) {
        List<Integer> refused = atOnce(THREADS, thread -> {
            int mine = 0;
            for (int i = 1; i <= BATCHES; i++) {
                String session = "s-" + thread + "-" + i;
                Change second = thread % 2 == 0 ? append(session, user("m", "x")) : append("missing", user("m", "x"));
                try {
                    store.ledger().commit(batch("w" + thread + "-" + i, 1, List.of(), created(session), second));
                } catch (InvalidRequest e) {
                    mine++;
                }
            }
            return mine;
        });

        for (int thread = 0; thread < THREADS; thread++) {
            assertThat(refused.get(thread)).isEqualTo(thread % 2 == 0 ? 0 : BATCHES);
        }
        assertThat(store.sessions().count(Optional.empty())).isEqualTo(THREADS / 2 * BATCHES);
        assertThat(store.transcripts().countAll()).isEqualTo(THREADS / 2 * BATCHES);
    }

    @Concurrent
    default void readersNeverSeeHalfABatch(StoreUnderTest store) {
        store.commit(created("a"), created("b"), append("a", user("a0", "0")), append("b", user("b0", "0")));
        AtomicInteger committing = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();

        List<String> problems = atOnce(3, thread -> {
            if (thread == 0) {
                try {
                    for (int i = 1; i <= MOST_ROUNDS && overlaps.get() < Race.OVERLAPS; i++) {
                        Batch batch = spoken(i);
                        committing.incrementAndGet();
                        store.ledger().commit(batch);
                        committing.incrementAndGet();
                    }
                } finally {
                    done.set(true);
                }
                return "";
            }
            boolean last = false;
            while (!last) {
                last = done.get();
                int before = committing.get();
                List<String> both = store.transcripts().load(List.of(id("a"), id("b"))).stream()
                        .map(row -> row.message().content().plainText())
                        .toList();
                if (both.size() != 2 || !both.get(0).equals(both.get(1))) {
                    return "Each batch puts its number into two sessions, and a reader saw " + both
                            + " in them: a part of a batch that was not committed yet.";
                }
                if (before % 2 == 1 && committing.get() == before) {
                    overlaps.incrementAndGet();
                }
            }
            return "";
        });

        assertThat(problems).containsOnly("");
        assumeTrue(
                overlaps.get() >= Race.OVERLAPS,
                () -> "This machine let a read happen during a commit " + overlaps.get() + " times; " + Race.OVERLAPS
                        + " are needed to say something of readers.");
    }

    /** A batch that puts its number into two sessions, and takes a moment between them. */
    private static Batch spoken(int number) {
        String text = Integer.toString(number);
        List<Change> changes = new ArrayList<>();
        changes.add(new Change.ReplaceMessages(id("a"), List.of(user("a" + number, text))));
        for (int i = 0; i < 20; i++) {
            changes.add(new Change.PutMeta("between-" + i, text));
        }
        changes.add(new Change.ReplaceMessages(id("b"), List.of(user("b" + number, text))));
        return new Batch(new BatchId("writer", number), List.of(), changes);
    }

    @Concurrent
    default void aThreadReadsWhatItHasWritten(StoreUnderTest store) {
        assertThat(atOnce(THREADS, thread -> {
                    for (int i = 1; i <= BATCHES; i++) {
                        String name = thread + "-" + i;
                        store.ledger()
                                .commit(batch("w" + thread, i, List.of(), created(name), append(name, user("m", "x"))));
                        if (store.sessions().find(id(name)).isEmpty()
                                || store.transcripts().load(id(name)).size() != 1) {
                            return "thread " + thread + " did not see its batch " + i;
                        }
                    }
                    return "";
                }))
                .containsOnly("");
    }

    @Concurrent
    @Having(Capability.TITLES)
    default void aTitleGoesToOneOfMany(StoreUnderTest store) {
        for (int thread = 0; thread < THREADS; thread++) {
            store.commit(created("s" + thread));
        }

        List<CommitResult> results = atOnce(
                THREADS,
                thread -> store.ledger()
                        .commit(batch(
                                "w" + thread,
                                1,
                                List.of(new Precondition.TitleFree("Docker", id("s" + thread))),
                                Samples.retitle("s" + thread, "Docker"))));

        assertThat(results).filteredOn(CommitResult::isCommitted).hasSize(1);
    }

    @Concurrent
    default void usageOfManyThreadsAddsUp(StoreUnderTest store) {
        store.commit(created("s"));

        atOnce(THREADS, thread -> {
            for (int i = 1; i <= BATCHES; i++) {
                UsageUpdate one = UsageUpdate.added(new TokenUsage(1, 0, 0, 0, 0), 1, Optional.of("model"));
                store.ledger()
                        .commit(batch(
                                "w" + thread,
                                i,
                                List.of(),
                                new Change.AddUsage(id("s"), one, Optional.of(Samples.at(0)))));
            }
            return thread;
        });

        assertThat(store.sessions().find(id("s")).orElseThrow().apiCalls()).isEqualTo(THREADS * BATCHES);
        assertThat(store.sessions().usage(Samples.at(-3600), Samples.at(3600)))
                .extracting(UsageSlot::apiCalls)
                .containsExactly((long) THREADS * BATCHES);
    }

    @Concurrent
    default void aMessageThatManyThreadsAppendIsStoredAndCountedOnce(StoreUnderTest store) {
        store.commit(created("s"));

        atOnce(THREADS, thread -> {
            for (int i = 1; i <= BATCHES; i++) {
                store.ledger().commit(batch("w" + thread, i, List.of(), append("s", user("m" + i, "x"))));
            }
            return thread;
        });

        assertThat(store.transcripts().load(id("s"))).hasSize(BATCHES);
        assertThat(store.sessions().find(id("s")).orElseThrow().messageCount()).isEqualTo(BATCHES);
    }

    @Concurrent
    default void anInterruptedThreadHarmsNobodyElse(StoreUnderTest store) {
        store.commit(created("s"));

        List<Long> acknowledged = atOnce(THREADS, thread -> {
            long stored = 0;
            for (int i = 1; i <= BATCHES; i++) {
                if (thread == 0) {
                    Thread.currentThread().interrupt();
                }
                try {
                    store.ledger()
                            .commit(batch("w" + thread, i, List.of(), append("s", user(thread + "-" + i, "text"))));
                    stored = i;
                    store.transcripts().tail(id("s"), 1);
                } catch (StorageUnavailable e) {
                    assertThat(thread)
                            .as("the thread that is refused (%s) is the one that was interrupted", e.getMessage())
                            .isZero();
                }
                assertThat(Thread.currentThread().isInterrupted())
                        .as("a thread that was interrupted stays so")
                        .isEqualTo(thread == 0);
            }
            return stored;
        });

        store.commit(new Change.PutMeta("afterwards", "v"));
        store.reopen();
        assertThat(store.meta().get("afterwards")).hasValue("v");
        assertThat(acknowledged.subList(1, THREADS)).containsOnly((long) BATCHES);
        assertThat(store.transcripts().load(id("s")))
                .filteredOn(message -> !message.message().id().value().startsWith("0-"))
                .hasSize((THREADS - 1) * BATCHES);
    }

    @Concurrent
    default void closingLetsNoThreadHang(StoreUnderTest store) {
        Storage storage = store.storage();

        List<Long> acknowledged = atOnce(THREADS, thread -> {
            if (thread == 0) {
                storage.ledger().commit(batch("w0", 1, List.of(), new Change.PutMeta("w0", "1")));
                storage.close();
                return 1L;
            }
            for (long i = 1; i <= BATCHES; i++) {
                try {
                    storage.ledger()
                            .commit(batch("w" + thread, i, List.of(), new Change.PutMeta("w" + thread, "" + i)));
                } catch (StorageUnavailable closed) {
                    return i - 1;
                }
            }
            return (long) BATCHES;
        });

        store.reopen();
        for (int thread = 0; thread < THREADS; thread++) {
            long stored = Long.parseLong(store.meta().get("w" + thread).orElse("0"));
            assertThat(stored)
                    .as("what was acknowledged is stored, at most one unknown batch more")
                    .isBetween(acknowledged.get(thread), acknowledged.get(thread) + 1);
        }
    }

    @Concurrent
    @Having({Capability.SHARED, Capability.DURABLE})
    default void processesWriteAtOnceWithoutLosingAnything(StoreUnderTest store) {
        store.storage();
        store.closeStorage();
        StorageHarness.Elsewhere elsewhere = store.harness().elsewhere().orElseThrow();
        try (WriterProcess first = WriterProcess.start(elsewhere, "p1", BATCHES);
                WriterProcess second = WriterProcess.start(elsewhere, "p2", BATCHES)) {
            assertThat(first.awaitEnd()).isEqualTo(BATCHES);
            assertThat(second.awaitEnd()).isEqualTo(BATCHES);
        }

        assertThat(store.sessions().count(Optional.empty())).isEqualTo(2L * BATCHES);
        assertThat(store.transcripts().countAll()).isEqualTo(2L * BATCHES * KillableWriter.MESSAGES);
        assertThat(store.meta().get("p1")).hasValue("" + BATCHES);
        assertThat(store.meta().get("p2")).hasValue("" + BATCHES);
    }
}
