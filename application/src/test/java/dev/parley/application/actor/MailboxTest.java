package dev.parley.application.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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
}
