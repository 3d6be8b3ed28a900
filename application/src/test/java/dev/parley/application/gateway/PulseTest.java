package dev.parley.application.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.actor.Timing;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** An executor whose threads are all taken is told once, and once more when it is over. */
class PulseTest {
    private static final Instant BEGIN = Instant.parse("2026-03-10T09:00:00Z");
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final VirtualClock clock = new VirtualClock(BEGIN);
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Deque<Runnable> looks = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final Timers timers = new Timers() {
        @Override
        public Timer after(Duration delay, Runnable task) {
            throw new AssertionError("The executor's own timers may be starved too.");
        }

        @Override
        public Timer beside(Duration delay, Runnable task) {
            looks.add(task);
            return () -> looks.remove(task);
        }
    };

    private Pulse pulse(Duration limit) {
        return new Pulse(
                tasks::add,
                new Timing(clock, timers, new SeededIds(1)),
                GatewayEvents.prompt(event -> told.add(((GatewayEvent.Trouble) event).what())),
                limit);
    }

    private void lookAfter(Duration time) {
        clock.set(clock.instant().plus(time));
        looks.remove().run();
    }

    @Test
    void anExecutorThatRunsItsTasksIsNotToldOf() {
        Pulse pulse = pulse(LIMIT);
        pulse.start();
        for (int i = 0; i < 10; i++) {
            tasks.remove().run();
            lookAfter(Duration.ofSeconds(5));
        }
        assertThat(told).isEmpty();
        assertThat(pulse.starvedSince()).isEmpty();
    }

    @Test
    void anExecutorThatRunsNoTaskIsToldOfOnceAndAgainWhenItDoes() {
        Pulse pulse = pulse(LIMIT);
        pulse.start();
        lookAfter(Duration.ofSeconds(5));
        assertThat(told).isEmpty();
        lookAfter(Duration.ofSeconds(5));
        lookAfter(Duration.ofSeconds(5));
        assertThat(told).singleElement().asString().contains("has run no task for 10 seconds", "executor of their own");
        assertThat(pulse.starvedSince()).contains(BEGIN);
        assertThat(tasks).as("tasks that wait").hasSize(1);

        tasks.remove().run();
        assertThat(told).hasSize(2).last().asString().contains("runs tasks again", "15 seconds");
        assertThat(pulse.starvedSince()).isEmpty();
        lookAfter(Duration.ofSeconds(5));
        assertThat(tasks).hasSize(1);
    }

    @Test
    void aMachineThatSleptIsNoAlarm() {
        Pulse pulse = pulse(LIMIT);
        pulse.start();
        lookAfter(Duration.ofHours(8));
        tasks.remove().run();
        lookAfter(Duration.ofSeconds(5));
        assertThat(told).isEmpty();
    }

    @Test
    void nothingIsLookedAtWhereItIsSwitchedOffNorAfterTheEnd() {
        pulse(Duration.ZERO).start();
        assertThat(looks).isEmpty();
        Pulse pulse = pulse(LIMIT);
        pulse.start();
        pulse.start();
        assertThat(looks).hasSize(1);
        pulse.end();
        assertThat(looks).isEmpty();
    }

    @Test
    void anExecutorThatHasEndedEndsTheLooking() {
        Pulse pulse = new Pulse(
                task -> {
                    throw new RejectedExecutionException("The executor has ended.");
                },
                new Timing(clock, timers, new SeededIds(1)),
                GatewayEvents.NONE,
                LIMIT);
        pulse.start();
        assertThat(looks).isEmpty();
    }
}
