package dev.parley.application.lane;

import dev.parley.application.actor.SerialTasks;
import dev.parley.application.guard.Guard;
import dev.parley.application.port.LifecycleHooks;
import dev.parley.domain.key.SessionKey;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Calls the hooks beside the lanes, in the order in which things happened; what they throw is told. Safe for concurrent use. */
public final class LifecycleCalls {
    private final LifecycleHooks hooks;
    private final Guard guard;
    private final SerialTasks tasks;

    /** Calls {@code hooks} on {@code executor}. */
    public LifecycleCalls(LifecycleHooks hooks, Guard guard, Executor executor) {
        this.hooks = hooks;
        this.guard = guard;
        this.tasks = new SerialTasks(executor, failure -> guard.tell(Optional.empty(), "A hook failed.", failure));
    }

    /** Calls a hook for a lane; does nothing where the executor has ended. */
    void call(SessionKey lane, Consumer<LifecycleHooks> hook) {
        try {
            tasks.execute(() -> guard.run(Optional.of(lane), "A hook failed.", () -> hook.accept(hooks)));
        } catch (RejectedExecutionException e) {
            guard.tell(Optional.of(lane), "The gateway's executor has ended.", e);
        }
    }
}
