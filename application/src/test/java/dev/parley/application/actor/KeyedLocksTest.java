package dev.parley.application.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.replay.SeededIds;
import dev.parley.application.replay.SerialExecutor;
import dev.parley.application.replay.VirtualClock;
import dev.parley.application.replay.VirtualTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KeyedLocksTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final VirtualClock clock = new VirtualClock(Instant.EPOCH);
    private final VirtualTimers timers = new VirtualTimers(clock, new SerialExecutor());
    private final KeyedLocks<String> locks = new KeyedLocks<>(new Timing(clock, timers, new SeededIds(1)), PATIENCE);
    private final List<String> had = new ArrayList<>();

    private KeyedLocks.Lock ask(String name, String... keys) {
        KeyedLocks.Lock lock = locks.ask(List.of(keys));
        lock.whenHeld(() -> had.add(name));
        return lock;
    }

    @Test
    void aLockIsHadInTheOrderInWhichItWasAskedFor() {
        KeyedLocks.Lock first = ask("first", "a");
        KeyedLocks.Lock second = ask("second", "a");
        KeyedLocks.Lock third = ask("third", "a");
        ask("of another key", "b");
        assertThat(had).containsExactly("first", "of another key");
        assertThat(second.isHeld()).isFalse();

        first.release();
        assertThat(had).containsExactly("first", "of another key", "second");
        second.release();
        third.release();
        assertThat(had).containsExactly("first", "of another key", "second", "third");
        assertThat(locks.ask(List.of("a")).isHeld()).isTrue();
    }

    @Test
    void oneOfSeveralKeysIsHadOnceAllAreFree() {
        KeyedLocks.Lock a = ask("a", "a");
        KeyedLocks.Lock b = ask("b", "b");
        KeyedLocks.Lock both = ask("both", "b", "a");
        KeyedLocks.Lock behind = ask("behind", "a");
        a.release();
        assertThat(had).containsExactly("a", "b");
        b.release();
        assertThat(had).containsExactly("a", "b", "both");
        both.release();
        behind.release();
        assertThat(had).containsExactly("a", "b", "both", "behind");
    }

    @Test
    void oneOfNoKeysIsHeldAtOnce() {
        ask("first");
        ask("second");
        assertThat(had).containsExactly("first", "second");
    }

    @Test
    void whoGoesBeforeTheTurnComesKeepsNobodyWaiting() {
        KeyedLocks.Lock first = ask("first", "a");
        KeyedLocks.Lock second = locks.ask(List.of("a"));
        ask("third", "a");
        second.release();
        second.release();
        first.release();
        assertThat(had).containsExactly("first", "third");
    }

    @Test
    void aHolderThatKeepsOthersWaitingForTooLongLosesTheLock() {
        KeyedLocks.Lock hanging = ask("hanging", "a");
        ask("second", "a");
        ask("third", "a");
        timers.advance(PATIENCE.minusMillis(1));
        assertThat(had).containsExactly("hanging");
        timers.advance(Duration.ofMillis(1));
        assertThat(had).containsExactly("hanging", "second");

        hanging.release();
        timers.advance(PATIENCE.minusMillis(1));
        assertThat(had).as("the second has its time, too").containsExactly("hanging", "second");
        timers.advance(Duration.ofMillis(1));
        assertThat(had).containsExactly("hanging", "second", "third");
        assertThat(locks.ask(List.of("a")).isHeld()).isFalse();
    }

    @Test
    void nobodyWaitsForOneThatIsNotWaitedFor() {
        KeyedLocks.Lock alone = ask("alone", "a");
        timers.advance(PATIENCE.multipliedBy(3));
        KeyedLocks.Lock next = ask("next", "a");
        assertThat(had).containsExactly("alone");
        alone.release();
        next.release();
        timers.advance(PATIENCE);
        assertThat(had).containsExactly("alone", "next");
        assertThat(timers.next()).isEmpty();
    }

    @Test
    void ofManyThreadsOneHoldsItAtATime() {
        KeyedLocks<String> shared =
                new KeyedLocks<>(new Timing(clock, (delay, task) -> () -> {}, new SeededIds(1)), PATIENCE);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Runnable all = () -> {
            for (int i = 0; i < 2_000; i++) {
                KeyedLocks.Lock lock = shared.ask(List.of(i % 3 == 0 ? "a" : "b", "both"));
                CompletableFuture<Void> held = new CompletableFuture<>();
                lock.whenHeld(() -> held.complete(null));
                held.join();
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                inside.decrementAndGet();
                lock.release();
            }
        };
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            running.add(CompletableFuture.runAsync(all));
        }
        running.forEach(CompletableFuture::join);
        assertThat(most).hasValue(1);
    }
}
