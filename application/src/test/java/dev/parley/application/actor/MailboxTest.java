package dev.parley.application.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ledger;
import dev.parley.application.replay.SeededIds;
import dev.parley.domain.change.CommitResult;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private final List<Runnable> given = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private boolean idle;
    private final Mailbox mailbox = new Mailbox(given::add, () -> idle, () -> done.add("retired"), failures::add);

    private void run() {
        while (!given.isEmpty()) {
            given.remove(0).run();
        }
    }

    private boolean post(String name) {
        return mailbox.post(() -> done.add(name));
    }

    @Test
    void whatWaitsDuringAPauseRunsBehindWhatEndsIt() {
        mailbox.post(() -> {
            done.add("pauses");
            mailbox.pause();
        });
        post("before");
        run();
        post("during");
        run();
        assertThat(done).containsExactly("pauses");
        mailbox.resume(() -> done.add("first"));
        run();
        post("after");
        run();
        assertThat(done).containsExactly("pauses", "first", "before", "during", "after");
    }

    @Test
    void aPauseEndsAlsoWhereNoThreadIsLeft() {
        boolean[] full = {false};
        Mailbox narrow = new Mailbox(
                task -> {
                    if (full[0]) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    given.add(task);
                },
                () -> false,
                () -> {},
                failures::add);
        narrow.post(() -> {
            done.add("pauses");
            narrow.pause();
        });
        narrow.post(() -> done.add("during"));
        run();
        full[0] = true;
        narrow.resume(() -> done.add("first"));
        assertThat(done).containsExactly("pauses", "first", "during");

        assertThatThrownBy(() -> narrow.post(() -> done.add("refused"))).isInstanceOf(OutOfMemoryError.class);
        full[0] = false;
        narrow.post(() -> done.add("after"));
        run();
        assertThat(done).containsExactly("pauses", "first", "during", "after");
        assertThat(failures).isEmpty();
    }

    @Test
    void anIdleMailboxRetiresOnceAndTakesNothingMore() {
        idle = true;
        post("last");
        run();
        assertThat(done).containsExactly("last", "retired");
        assertThat(post("late")).isFalse();
        run();
        assertThat(done).hasSize(2);
    }

    @Test
    void aTaskThatThrowsAnErrorDoesNotStopTheMailbox() {
        mailbox.post(() -> {
            throw new NoSuchMethodError("of another release");
        });
        post("next");
        run();
        assertThat(done).containsExactly("next");
        assertThat(failures).singleElement().isInstanceOf(NoSuchMethodError.class);
        idle = true;
        post("last");
        run();
        assertThat(done).containsExactly("next", "last", "retired");
    }

    @Test
    void pausesOfAMailboxOnTwoThreadsLoseNoTask() throws InterruptedException {
        int each = 5_000;
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Mailbox shared = new Mailbox(pool, () -> false, () -> {}, failure -> {});
        CountDownLatch over = new CountDownLatch(2 * each);
        int[] unguarded = {0};
        Runnable gives = () -> {
            for (int i = 0; i < each; i++) {
                boolean pauses = i % 50 == 0;
                shared.post(() -> {
                    unguarded[0]++;
                    over.countDown();
                    if (pauses) {
                        shared.pause();
                        pool.execute(() -> shared.resume(() -> {}));
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
    }

    /** A task that two threads give while the mailbox may retire is run once where it is taken, and not at all where it is not. */
    @Test
    void aTaskThatMeetsTheRetirementIsRunOnceOrRefused() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        CyclicBarrier round = new CyclicBarrier(2);
        for (int i = 0; i < 2_000; i++) {
            AtomicInteger run = new AtomicInteger();
            AtomicInteger retired = new AtomicInteger();
            CountDownLatch gone = new CountDownLatch(1);
            Mailbox mailbox = new Mailbox(
                    pool,
                    () -> true,
                    () -> {
                        retired.incrementAndGet();
                        gone.countDown();
                    },
                    failure -> {});
            Future<Boolean> other = pool.submit(() -> {
                round.await();
                return mailbox.post(run::incrementAndGet);
            });
            round.await();
            boolean taken = mailbox.post(run::incrementAndGet);
            int expected = (taken ? 1 : 0) + (other.get() ? 1 : 0);
            assertThat(gone.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(run).hasValue(expected);
            assertThat(retired).hasValue(1);
            assertThat(mailbox.post(run::incrementAndGet)).isFalse();
        }
        pool.shutdown();
    }

    /** What is posted for a key while its actor retires is done by the next one. */
    @Test
    void whatIsPostedWhileAnActorRetiresIsDoneByTheNext() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Timing timing = new Timing(InstantSource.system(), (delay, task) -> () -> {}, new SeededIds(1));
        Ledger none = batch -> new CommitResult.Committed();
        ActorHost host = new ActorHost(pool, none, new Writers(timing.ids()), timing, GatewayEvents.NONE, () -> false);
        Set<Object> all = ConcurrentHashMap.newKeySet();
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Actors<String, Passing> actors = new Actors<>((key, gone) -> {
            Passing made = new Passing(host, gone);
            all.add(made);
            return made;
        });
        int each = 5_000;
        CountDownLatch done = new CountDownLatch(2 * each);
        CyclicBarrier begin = new CyclicBarrier(2);
        Callable<Boolean> gives = () -> {
            begin.await();
            for (int i = 0; i < each; i++) {
                actors.on("lane", actor -> {
                    most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                    atOnce.decrementAndGet();
                    done.countDown();
                });
            }
            return true;
        };
        ExecutorService givers = Executors.newFixedThreadPool(2);
        List<Future<Boolean>> both = givers.invokeAll(List.of(gives, gives));
        for (Future<Boolean> giver : both) {
            assertThat(giver.get()).isTrue();
        }
        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(all).isNotEmpty();
        assertThat(most).hasValue(1);
        givers.shutdown();
        pool.shutdown();
    }

    /** An actor that retires as soon as it has nothing to do. */
    private static final class Passing extends Actor {
        Passing(ActorHost host, Consumer<? super Actor> gone) {
            super(host, Optional.empty(), gone);
        }

        @Override
        protected boolean isIdle() {
            return true;
        }

        @Override
        protected void faulted(Throwable failure) {
            throw new AssertionError(failure);
        }
    }
}
