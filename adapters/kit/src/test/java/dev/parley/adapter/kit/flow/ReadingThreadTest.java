package dev.parley.adapter.kit.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.replay.SeededIds;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ReadingThreadTest {
    private final List<Runnable> timers = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final ReadingThread thread = new ReadingThread(
            "reading",
            (delay, task) -> {
                timers.add(task);
                return () -> {};
            },
            new SeededIds(1),
            failures::add);

    @Test
    void aPauseEndsWithItsTimerAndStoppingEndsOneThatWouldNotEnd() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        thread.start(() -> {
            thread.pause(Duration.ofDays(1));
            first.countDown();
            while (!thread.isStopped()) {
                thread.pause(Duration.ofDays(1));
            }
            ended.countDown();
        });
        while (timers.isEmpty()) {
            Thread.onSpinWait();
        }
        timers.get(0).run();
        first.await();

        thread.stop();

        ended.await();
        assertThat(thread.isStopped()).isTrue();
    }

    @Test
    void aPauseSaysWhetherItWasCutShort() throws Exception {
        List<Boolean> passed = new CopyOnWriteArrayList<>();
        CountDownLatch ended = new CountDownLatch(1);
        thread.start(() -> {
            thread.wake();
            passed.add(thread.pause(Duration.ofDays(1)));
            passed.add(thread.pause(Duration.ofDays(1)));
            passed.add(thread.pause(Duration.ofDays(1)));
            ended.countDown();
        });
        while (timers.size() < 2) {
            Thread.onSpinWait();
        }
        timers.get(1).run();
        while (timers.size() < 3) {
            Thread.onSpinWait();
        }
        thread.stop();
        ended.await();

        assertThat(passed).containsExactly(false, true, false);
    }

    @Test
    void aRestIsNotCutShortByWhatHasWokenTheThread() throws Exception {
        CountDownLatch rested = new CountDownLatch(1);
        thread.start(() -> {
            thread.wake();
            thread.rest(Duration.ofDays(1));
            rested.countDown();
            thread.pause(Duration.ofDays(1));
            thread.rest(Duration.ofDays(1));
        });
        while (timers.isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(rested.getCount()).isOne();
        timers.get(0).run();
        rested.await();
        while (timers.size() < 3) {
            Thread.onSpinWait();
        }

        thread.stop();

        assertThat(thread.isStopped()).isTrue();
    }

    @Test
    void readingThatThrowsIsToldAndBeginsAgainAfterAPauseWhateverItThrows() throws Exception {
        Error error = new AssertionError("no more stack");
        RuntimeException exception = new IllegalStateException("no more luck");
        CountDownLatch third = new CountDownLatch(1);
        Iterator<Throwable> thrown = List.of(error, exception).iterator();
        thread.start(() -> {
            if (thrown.hasNext()) {
                throw ReadingThreadTest.<RuntimeException>any(thrown.next());
            }
            third.countDown();
            thread.pause(Duration.ofDays(1));
        });

        for (int begun = 1; begun <= 2; begun++) {
            while (timers.size() < begun) {
                Thread.onSpinWait();
            }
            assertThat(third.getCount()).isOne();
            timers.get(begun - 1).run();
        }

        third.await();
        assertThat(failures).containsExactly(error, exception);
        thread.stop();
    }

    @Test
    void readingThatThrowsSinceItIsStoppedDoesNotBeginAgain() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        thread.start(() -> {
            reads.countDown();
            thread.pause(Duration.ofDays(1));
            throw new IllegalStateException("closed");
        });
        reads.await();

        thread.stop();

        assertThat(failures).isEmpty();
    }

    /** Throws anything, unchecked or not. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T any(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void whatNeverRanCanBeStopped() {
        thread.stop();

        assertThat(thread.isStopped()).isTrue();
    }
}
