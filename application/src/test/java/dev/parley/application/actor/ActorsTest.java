package dev.parley.application.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.Ledger;
import dev.parley.application.replay.SeededIds;
import dev.parley.domain.change.CommitResult;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ActorsTest {
    private static final int ROUNDS = 20_000;

    private final Timing timing = new Timing(InstantSource.system(), (delay, task) -> () -> {}, new SeededIds(1));
    private final Ledger none = batch -> new CommitResult.Committed();
    private final ActorHost host =
            new ActorHost(Runnable::run, none, new Writers(timing.ids()), timing, GatewayEvents.NONE, () -> false);
    private final Actors<Integer, Lasting> actors = new Actors<>((key, gone) -> new Lasting(host, key, gone));

    /** A stop of the gateway tells all lanes something while some of them end their last turn. */
    @Test
    void thoseThatAreThereAreToldWhileOthersComeAndGo() throws Exception {
        actors.on(-1, actor -> {});
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
            for (int key = 0; !over.get(); key = (key + 1) % 64) {
                actors.on(key, actor -> actor.lasts = !actor.lasts);
            }
        });
        try {
            int[] told = {0};
            for (int round = 0; round < ROUNDS; round++) {
                // Only this thread has tasks for the one that stays; those of the others may run on either.
                actors.onEach(actor -> {
                    if (actor.key == -1) {
                        told[0]++;
                    }
                });
                assertThat(actors.all()).anyMatch(actor -> actor.key == -1);
            }
            assertThat(told[0]).isEqualTo(ROUNDS);
        } finally {
            over.set(true);
            others.join();
        }
    }

    @Test
    void thoseThatAreThereAreInTheOrderOfTheirKeys() {
        for (int key : new int[] {3, 1, 2}) {
            actors.on(key, actor -> actor.lasts = true);
        }
        assertThat(actors.all()).extracting(actor -> actor.key).containsExactly(1, 2, 3);
    }

    /** An actor that retires once it is told not to last. */
    private static final class Lasting extends Actor {
        final int key;
        boolean lasts;

        Lasting(ActorHost host, int key, Consumer<? super Actor> gone) {
            super(host, Optional.empty(), gone);
            this.key = key;
            this.lasts = key == -1;
        }

        @Override
        protected boolean isIdle() {
            return !lasts;
        }

        @Override
        protected void faulted(Throwable failure) {
            throw new AssertionError(failure);
        }
    }
}
