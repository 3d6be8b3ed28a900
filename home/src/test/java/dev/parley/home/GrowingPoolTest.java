package dev.parley.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Phaser;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The threads of the gateway's tasks, where Java has no virtual ones. */
class GrowingPoolTest {
    private static final int BURST = 20_000;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final GrowingPool pool = new GrowingPool(GatewayThreads.named("test"), timer);

    @AfterEach
    void close() {
        pool.shutdownNow();
        timer.shutdownNow();
    }

    @Test
    @DisplayName("very many tasks at once that get on are run by few threads")
    void manyTasksTakeFewThreads() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(BURST);
        Semaphore one = new Semaphore(1);
        for (int i = 0; i < BURST; i++) {
            pool.execute(() -> {
                one.acquireUninterruptibly();
                one.release();
                done.countDown();
            });
        }
        done.await();

        assertThat(pool.getLargestPoolSize()).isLessThan(BURST / 20);
    }

    @Test
    @DisplayName("a task is run however many others block, though they wait for it")
    void aTaskIsRunHoweverManyOthersBlock() throws InterruptedException {
        int blocked = 3 * GrowingPool.USUAL;
        Phaser together = new Phaser(blocked);
        CountDownLatch over = new CountDownLatch(blocked);
        for (int i = 0; i < blocked; i++) {
            pool.execute(() -> {
                together.arriveAndAwaitAdvance();
                over.countDown();
            });
        }
        over.await();

        assertThat(pool.getLargestPoolSize()).isGreaterThanOrEqualTo(blocked);
    }

    @Test
    @DisplayName("a pool that has ended refuses what comes, though all its threads are at work")
    void whatComesAfterTheEndIsRefused() {
        CountDownLatch held = new CountDownLatch(1);
        for (int i = 0; i < GrowingPool.USUAL; i++) {
            pool.execute(() -> awaitIt(held));
        }
        pool.shutdown();

        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        held.countDown();
    }

    private static void awaitIt(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
