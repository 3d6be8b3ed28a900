package dev.parley.application.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.replay.SeededIds;
import dev.parley.domain.change.CommitResult;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ActorTest {
    private final List<Runnable> timers = new ArrayList<>();
    private final Timing timing = new Timing(
            InstantSource.system(),
            (delay, task) -> {
                timers.add(task);
                return () -> {};
            },
            new SeededIds(1));
    private final ActorHost host = new ActorHost(
            Runnable::run,
            batch -> new CommitResult.Committed(),
            new Writers(timing.ids()),
            timing,
            GatewayEvents.NONE,
            () -> false);
    private final Working actor = new Working(host);

    @Test
    void aStoreThatCanBeReadAgainIsNoTroubleAnyMoreThoughNothingIsCommitted() {
        List<String> read = new ArrayList<>();
        actor.post(() -> {
            if (timers.isEmpty()) {
                throw new StorageUnavailable("The disk is away.", null);
            }
            read.add("row");
        });
        assertThat(actor.trouble()).hasValue("The disk is away.");

        timers.get(0).run();
        assertThat(read).containsExactly("row");
        assertThat(actor.trouble()).isEmpty();
    }

    @Test
    void aStoreThatFailsAtEveryStepStaysTheTroubleThatItIs() {
        actor.post(() -> {
            throw new StorageUnavailable("The disk is away.", null);
        });
        timers.get(0).run();
        timers.get(1).run();
        assertThat(actor.trouble()).hasValue("The disk is away.");
    }

    @Test
    void whatEndsOnceTheGatewayIsOverIsLeftWithoutAWord() {
        List<GatewayEvent> told = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        Executor closed = task -> {
            throw new RejectedExecutionException("closed");
        };
        Actor late = new Working(new ActorHost(
                closed,
                batch -> new CommitResult.Committed(),
                new Writers(timing.ids()),
                timing,
                told::add,
                over::get));
        assertThatThrownBy(() -> late.post(() -> {})).isInstanceOf(RejectedExecutionException.class);

        over.set(true);

        assertThat(late.post(() -> {})).isTrue();
        assertThat(told).isEmpty();
    }

    @Test
    void aTaskThatFailsBecauseTheGatewayIsOverIsNoTrouble() {
        List<GatewayEvent> told = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        Actor last = new Working(new ActorHost(
                Runnable::run,
                batch -> new CommitResult.Committed(),
                new Writers(timing.ids()),
                timing,
                told::add,
                over::get));

        last.post(() -> {
            over.set(true);
            throw new RejectedExecutionException("closed");
        });

        assertThat(told).isEmpty();
    }

    @Test
    void whatEndsAWaitTwiceEndsNoOtherWait() {
        List<Throwable> failures = new ArrayList<>();
        Working waiting = new Working(host) {
            @Override
            protected void faulted(Throwable failure) {
                failures.add(failure);
            }
        };
        List<String> done = new ArrayList<>();
        List<Consumer<Runnable>> resumes = new ArrayList<>();
        waiting.post(() -> waiting.await(resume -> {
            resumes.add(resume);
            throw new IllegalStateException("broken");
        }));
        assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
        waiting.post(() -> waiting.await(resumes::add));

        resumes.get(0).accept(() -> done.add("late"));
        waiting.post(() -> done.add("behind"));
        assertThat(done).isEmpty();
        resumes.get(1).accept(() -> done.add("first"));
        assertThat(done).containsExactly("first", "behind");
    }

    @Test
    void aStepThatWaitsTwiceIsToldAsAFailureAndGoesOnOnceTheFirstWaitIsOver() {
        List<Throwable> failures = new ArrayList<>();
        Working waiting = new Working(host) {
            @Override
            protected void faulted(Throwable failure) {
                failures.add(failure);
            }
        };
        List<String> done = new ArrayList<>();
        List<Consumer<Runnable>> resumes = new ArrayList<>();
        waiting.post(() -> {
            waiting.await(resumes::add);
            waiting.await(resumes::add);
        });
        waiting.post(() -> done.add("behind"));
        assertThat(resumes).hasSize(1);
        resumes.get(0).accept(() -> done.add("first"));

        assertThat(done).containsExactly("first", "behind");
        assertThat(failures).singleElement().isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anErrorAtTheBeginningOfAWaitEndsIt() {
        List<Throwable> failures = new ArrayList<>();
        Working waiting = new Working(host) {
            @Override
            protected void faulted(Throwable failure) {
                failures.add(failure);
            }
        };
        List<String> done = new ArrayList<>();
        waiting.post(() -> waiting.await(resume -> {
            throw new NoSuchMethodError("ask");
        }));
        waiting.post(() -> done.add("behind"));

        assertThat(failures).singleElement().isInstanceOf(NoSuchMethodError.class);
        assertThat(done).containsExactly("behind");
    }

    /** An actor that stays. */
    private static class Working extends Actor {
        Working(ActorHost host) {
            super(host, Optional.empty(), gone -> {});
        }

        @Override
        protected boolean isIdle() {
            return false;
        }

        @Override
        protected void faulted(Throwable failure) {
            throw new AssertionError(failure);
        }
    }
}
