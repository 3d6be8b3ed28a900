package dev.parley.contracts.gateway;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.parley.application.gateway.ScheduledTimers;
import dev.parley.application.port.Timers;
import dev.parley.contracts.port.TimersContract;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScheduledTimersTest implements TimersContract {
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stop() {
        scheduler.shutdownNow();
    }

    @Override
    public TimersUnderTest timers() {
        ScheduledTimers timers = new ScheduledTimers(scheduler, scheduler);
        return new TimersUnderTest() {
            @Override
            public Timers timers() {
                return timers;
            }

            /** Waits for a task of its own, which is due behind everything that is due by then. */
            @Override
            public void letPass(Duration time) {
                CountDownLatch passed = new CountDownLatch(1);
                timers.after(time, passed::countDown);
                try {
                    passed.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    @Test
    void whatIsDueAfterTheEndDoesNotRunAndTroublesNobody() {
        ScheduledTimers timers = new ScheduledTimers(scheduler, task -> {
            throw new java.util.concurrent.RejectedExecutionException("The gateway has stopped.");
        });
        CountDownLatch other = new CountDownLatch(1);
        timers.after(Duration.ZERO, () -> {});
        scheduler.execute(other::countDown);

        assertThatCode(other::await).doesNotThrowAnyException();
    }
}
