package dev.parley.application.guard;

import dev.parley.application.port.LifecycleHooks;
import dev.parley.domain.key.SessionKey;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Calls the hooks beside the lanes: those of one lane one at a time and in the order in which things happened, those of different lanes
 * independently, and each of several that {@link LifecycleHooks#all} has put together independently of the others. A hook that does not
 * return in time is told, and the next of its lane follows. Safe for concurrent use.
 */
public final class LifecycleCalls {
    private final List<Line> lines;
    private final Guard guard;
    private final TimedCalls calls;

    /** Calls {@code hooks} with {@code calls}; {@code guard} tells which fail. */
    public LifecycleCalls(LifecycleHooks hooks, Guard guard, TimedCalls calls) {
        this.lines = LifecycleHooks.each(hooks).stream().map(Line::new).toList();
        this.guard = guard;
        this.calls = calls;
    }

    private record Call(Consumer<LifecycleHooks> hook, Consumer<? super Optional<Throwable>> ended) {}

    /** Calls a hook for a lane; what it throws, or that it is late, is told. */
    public void call(SessionKey lane, Consumer<LifecycleHooks> hook) {
        Call call =
                new Call(hook, failure -> failure.ifPresent(e -> guard.tell(Optional.of(lane), "A hook failed.", e)));
        lines.forEach(line -> line.call(lane, call));
    }

    /**
     * Calls a hook for a lane and tells the operator nothing.
     *
     * @param ended told once, on any thread, what the hook threw, or that it is late; nothing where it returned. Of several hooks it is
     *     told once each of them has ended, with the first failure
     */
    public void call(SessionKey lane, Consumer<LifecycleHooks> hook, Consumer<? super Optional<Throwable>> ended) {
        if (lines.isEmpty()) {
            ended.accept(Optional.empty());
            return;
        }
        AtomicInteger left = new AtomicInteger(lines.size());
        AtomicReference<Optional<Throwable>> first = new AtomicReference<>(Optional.empty());
        Call call = new Call(hook, failure -> {
            first.accumulateAndGet(failure, (before, now) -> before.isPresent() ? before : now);
            if (left.decrementAndGet() == 0) {
                ended.accept(first.get());
            }
        });
        lines.forEach(line -> line.call(lane, call));
    }

    /** The calls of one of several hooks. */
    private final class Line {
        private final LifecycleHooks hooks;
        private final Map<SessionKey, Deque<Call>> waiting = new HashMap<>();

        Line(LifecycleHooks hooks) {
            this.hooks = hooks;
        }

        void call(SessionKey lane, Call call) {
            synchronized (waiting) {
                Deque<Call> mine = waiting.computeIfAbsent(lane, key -> new ArrayDeque<>());
                mine.add(call);
                if (mine.size() > 1) {
                    return;
                }
            }
            make(lane, call);
        }

        private void make(SessionKey lane, Call call) {
            calls.attempt(() -> call.hook().accept(hooks), failure -> {
                call.ended().accept(failure);
                next(lane).ifPresent(next -> make(lane, next));
            });
        }

        private Optional<Call> next(SessionKey lane) {
            synchronized (waiting) {
                Deque<Call> mine = waiting.get(lane);
                if (mine == null) {
                    return Optional.empty();
                }
                mine.poll();
                if (mine.isEmpty()) {
                    waiting.remove(lane);
                }
                return Optional.ofNullable(mine.peek());
            }
        }
    }
}
