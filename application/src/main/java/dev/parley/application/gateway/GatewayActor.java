package dev.parley.application.gateway;

import dev.parley.application.actor.SerialTasks;
import dev.parley.application.guard.Guard;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The gateway's own actor: what happens to the whole gateway happens here, one task at a time. It never waits for the store to come back,
 * so that a stop begins whatever the store does; what may have to wait is the {@link StoreActor}'s. What a task throws is told and ends that
 * task alone. Safe for concurrent use.
 */
final class GatewayActor {
    private final SerialTasks tasks;
    private final Phase phase;

    /** Has nothing to do yet; {@code guard} tells what tasks throw. */
    GatewayActor(Executor executor, Phase phase, Guard guard) {
        this.phase = phase;
        this.tasks = new SerialTasks(executor, failure -> {
            if (!phase.isOver()) {
                guard.tell(Optional.empty(), "A task failed.", failure);
            }
        });
    }

    /** Runs a task behind the others, none any more once the gateway is over. */
    void post(Runnable task) {
        try {
            tasks.execute(() -> {
                if (!phase.isOver()) {
                    task.run();
                }
            });
        } catch (RejectedExecutionException e) {
            if (!phase.isOver()) {
                throw e;
            }
        }
    }

    /** Returns what completes once the tasks that were posted before have run. */
    CompletionStage<Void> alive() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        tasks.execute(() -> answer.complete(null));
        return answer.minimalCompletionStage();
    }
}
