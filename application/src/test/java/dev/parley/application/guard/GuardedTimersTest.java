package dev.parley.application.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Timers;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever timers refuse runs in the end, though nobody asks them for anything else. */
class GuardedTimersTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualTimers real = new VirtualTimers(new VirtualClock(Instant.EPOCH), new SerialExecutor());
    private final List<Duration> pauses = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();
    private int refusals;

    private final Timers timers = new GuardedTimers(this::refusing, new Guard(GatewayEvents.NONE), pause -> task -> {
        pauses.add(pause);
        later.add(task);
    });

    private Timers.Timer refusing(Duration delay, Runnable task) {
        if (refusals-- > 0) {
            throw new IllegalStateException("No timer is free.");
        }
        return real.after(delay, task);
    }

    private void comeBack() {
        List<Runnable> due = List.copyOf(later);
        later.clear();
        due.forEach(Runnable::run);
    }

    @Test
    void aTimerThatIsRefusedAgainAndAgainIsSetWithoutAnother() {
        refusals = 6;
        timers.after(MINUTE, () -> ran.add("one"));
        comeBack();
        real.advance(MINUTE);
        assertThat(ran).containsExactly("one");
        assertThat(later).isEmpty();
    }

    @Test
    void itIsTriedLessAndLessOftenWhileTheyRefuse() {
        refusals = 18;
        timers.after(MINUTE, () -> ran.add("one"));
        comeBack();
        comeBack();
        comeBack();
        real.advance(MINUTE);
        assertThat(ran).containsExactly("one");
        assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
    }

    @Test
    void aRefusedTimerThatAnotherBroughtAlongRunsOnce() {
        refusals = 6;
        timers.after(MINUTE, () -> ran.add("one"));
        timers.after(MINUTE, () -> ran.add("two"));
        comeBack();
        real.advance(MINUTE);
        assertThat(ran).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void aRefusedTimerThatIsCancelledDoesNotRun() {
        refusals = 6;
        timers.after(MINUTE, () -> ran.add("one")).cancel();
        comeBack();
        real.advance(MINUTE);
        assertThat(ran).isEmpty();
        assertThat(later).isEmpty();
    }
}
