package dev.parley.contracts.port;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.Timers;
import dev.parley.contracts.level.ContractReport;
import dev.parley.contracts.level.Core;
import dev.parley.contracts.level.NoSilencedTests;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link Timers}. */
@ExtendWith({NoSilencedTests.class, ContractReport.class})
public interface TimersContract {
    /** Returns timers and a way to let time pass. */
    TimersUnderTest timers();

    /** Timers whose time the test moves, or waits for. */
    interface TimersUnderTest {
        /** Returns the timers. */
        Timers timers();

        /** Returns once so much time has passed and everything due has run. */
        void letPass(Duration time);
    }

    @Core
    default void aTaskRunsOnceItsTimeHasCome() {
        TimersUnderTest given = timers();
        List<String> ran = new CopyOnWriteArrayList<>();

        given.timers().after(Duration.ofMillis(200), () -> ran.add("task"));
        assertThat(ran).isEmpty();
        given.letPass(Duration.ofMillis(300));
        assertThat(ran).containsExactly("task");
        given.letPass(Duration.ofMillis(300));
        assertThat(ran).containsExactly("task");
    }

    @Core
    default void aTaskNeverRunsInsideTheCall() {
        TimersUnderTest given = timers();
        List<String> order = new CopyOnWriteArrayList<>();
        Object lock = new Object();

        synchronized (lock) {
            given.timers().after(Duration.ZERO, () -> {
                synchronized (lock) {
                    order.add("task");
                }
            });
            order.add("caller");
        }
        given.letPass(Duration.ofMillis(50));

        assertThat(order).containsExactly("caller", "task");
    }

    @Core
    default void aTaskThatWasCancelledDoesNotRun() {
        TimersUnderTest given = timers();
        List<String> ran = new CopyOnWriteArrayList<>();
        Timers.Timer timer = given.timers().after(Duration.ofMillis(100), () -> ran.add("cancelled"));
        Timers.Timer other = given.timers().after(Duration.ofMillis(100), () -> ran.add("kept"));

        timer.cancel();
        timer.cancel();
        given.letPass(Duration.ofMillis(200));
        other.cancel();

        assertThat(ran).containsExactly("kept");
    }

    @Core
    default void tasksRunByTheirTime() {
        TimersUnderTest given = timers();
        List<String> ran = new CopyOnWriteArrayList<>();

        given.timers().after(Duration.ofMillis(300), () -> ran.add("third"));
        given.timers().after(Duration.ofMillis(100), () -> ran.add("first"));
        given.timers().after(Duration.ofMillis(200), () -> ran.add("second"));
        given.letPass(Duration.ofMillis(500));

        assertThat(ran).containsExactly("first", "second", "third");
    }

    @Core
    default void aTaskCanSetAnother() {
        TimersUnderTest given = timers();
        List<String> ran = new CopyOnWriteArrayList<>();

        given.timers()
                .after(
                        Duration.ofMillis(50),
                        () -> given.timers().after(Duration.ofMillis(50), () -> ran.add("second")));
        given.letPass(Duration.ofMillis(300));

        assertThat(ran).containsExactly("second");
    }
}
