package dev.parley.application.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SerialTasksTest {
    private final List<Runnable> given = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private final SerialTasks tasks = new SerialTasks(given::add, failures::add);

    private void run() {
        while (!given.isEmpty()) {
            given.remove(0).run();
        }
    }

    @Test
    void tasksRunInTheOrderGivenAlsoThoseThatTasksGive() {
        tasks.execute(() -> {
            done.add("1");
            tasks.execute(() -> done.add("3"));
        });
        tasks.execute(() -> done.add("2"));
        run();
        assertThat(done).containsExactly("1", "2", "3");
        assertThat(tasks.isIdle()).isTrue();
    }

    @Test
    void whatATaskThrowsIsReportedAndTheNextOneRuns() {
        RuntimeException exception = new IllegalStateException("no");
        Error error = new NoSuchMethodError("of another release");
        tasks.execute(() -> {
            throw exception;
        });
        tasks.execute(() -> {
            throw error;
        });
        tasks.execute(() -> done.add("next"));
        run();
        assertThat(failures).containsExactly(exception, error);
        assertThat(done).containsExactly("next");
        tasks.execute(() -> done.add("later"));
        run();
        assertThat(done).containsExactly("next", "later");
    }

    @Test
    void aReportThatFailsKeepsNoTaskFromRunning() {
        List<Throwable> uncaught = new ArrayList<>();
        SerialTasks badlyReported = new SerialTasks(given::add, failure -> {
            throw new AssertionError("the report");
        });
        Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
        try {
            badlyReported.execute(() -> {
                throw new IllegalStateException("the task");
            });
            badlyReported.execute(() -> done.add("next"));
            run();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }
        assertThat(done).containsExactly("next");
        assertThat(uncaught).singleElement().satisfies(failure -> {
            assertThat(failure).hasMessage("the report");
            assertThat(failure.getSuppressed()).singleElement().isInstanceOf(IllegalStateException.class);
        });
    }

    @Test
    void othersGetTheThreadAfterAFewTasks() {
        for (int i = 0; i < 100; i++) {
            tasks.execute(() -> done.add("x"));
        }
        given.remove(0).run();
        assertThat(done).hasSizeLessThan(100);
        assertThat(given).hasSize(1);
        run();
        assertThat(done).hasSize(100);
    }

    @Test
    void aTaskThatTheExecutorRefusesIsNotRunLater() {
        AtomicInteger refused = new AtomicInteger(1);
        SerialTasks some = new SerialTasks(
                task -> {
                    if (refused.getAndDecrement() > 0) {
                        throw new RejectedExecutionException("full");
                    }
                    given.add(task);
                },
                failures::add);
        assertThatThrownBy(() -> some.execute(() -> done.add("refused")))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(some.isIdle()).isTrue();
        some.execute(() -> done.add("taken"));
        run();
        assertThat(done).containsExactly("taken");
    }

    @Test
    void tasksThatWereTakenRunAlsoWhereTheExecutorEndsMeanwhile() {
        SerialTasks some = new SerialTasks(
                task -> {
                    if (!done.isEmpty()) {
                        throw new RejectedExecutionException("ended");
                    }
                    given.add(task);
                },
                failures::add);
        for (int i = 0; i < 100; i++) {
            some.execute(() -> done.add("x"));
        }
        run();
        assertThat(done).hasSize(100);
    }

    @Test
    void tasksThatWereTakenRunAlsoWhereTheMachineHasNoThreadLeft() {
        SerialTasks some = new SerialTasks(
                task -> {
                    if (!done.isEmpty()) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    given.add(task);
                },
                failures::add);
        for (int i = 0; i < 100; i++) {
            some.execute(() -> done.add("x"));
        }
        run();
        assertThat(done).hasSize(100);
        assertThat(failures).isEmpty();
    }

    @Test
    void aTaskThatMayNotBeRefusedRunsHereBehindTheOthersWhereTheExecutorTakesNothing() {
        SerialTasks some = new SerialTasks(
                task -> {
                    throw new RejectedExecutionException("full");
                },
                failures::add);
        some.executeInAnyCase(() -> {
            some.executeInAnyCase(() -> done.add("second"));
            done.add("first");
        });
        assertThat(done).containsExactly("first", "second");
        assertThat(some.isIdle()).isTrue();
    }

    @Test
    void twoThreadsGiveTasksAndOneRunsAtATime() throws InterruptedException {
        int each = 20_000;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        AtomicInteger failed = new AtomicInteger();
        SerialTasks serial = new SerialTasks(pool, failure -> failed.incrementAndGet());
        int[] unguarded = {0};
        CountDownLatch over = new CountDownLatch(2 * each);
        Runnable gives = () -> {
            for (int i = 0; i < each; i++) {
                boolean bad = i % 10 == 0;
                serial.execute(() -> {
                    unguarded[0]++;
                    over.countDown();
                    if (bad) {
                        throw new AssertionError("bad");
                    }
                });
            }
        };
        Thread one = new Thread(gives);
        Thread two = new Thread(gives);
        one.start();
        two.start();
        one.join();
        two.join();
        assertThat(over.await(1, TimeUnit.MINUTES)).isTrue();
        pool.shutdown();
        assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(unguarded[0]).isEqualTo(2 * each);
        assertThat(failed).hasValue(2 * each / 10);
    }
}
