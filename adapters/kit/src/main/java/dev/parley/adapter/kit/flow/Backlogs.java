package dev.parley.adapter.kit.flow;

import dev.parley.application.actor.Backoff;
import dev.parley.application.port.Ids;
import dev.parley.application.port.Timers;
import dev.parley.application.spi.ProviderSettings;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The backlogs of one platform's chats: whether somebody listens, how much may wait in all of them, and the reading of their histories, one
 * chat after the other, those first in which something waits. Safe for concurrent use.
 */
public final class Backlogs implements ChatBacklog.Host {
    private static final int MOST_WAITING = 512;
    private static final int MOST_DOUBLINGS = 4;

    private final ProviderSettings settings;
    private final Backoff tries;
    private final Set<ChatBacklog<?, ?>> unread = new LinkedHashSet<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private boolean looking;
    private int failures;
    private volatile boolean listening;
    private volatile boolean stopped;

    /**
     * No backlog, and nobody listens.
     *
     * @param settings what the platform was made with
     * @param leastPause how long to wait at least before a history is asked for again
     */
    public Backlogs(ProviderSettings settings, Duration leastPause) {
        this.settings = settings;
        this.tries = new Backoff(leastPause, MOST_DOUBLINGS);
    }

    /** Notes whether somebody listens. */
    public void listening(boolean now) {
        listening = now;
    }

    @Override
    public void lookInto(ChatBacklog<?, ?> backlog) {
        synchronized (this) {
            unread.add(backlog);
            if (looking) {
                return;
            }
            looking = true;
        }
        execute(this::look);
    }

    private void look() {
        List<ChatBacklog<?, ?>> all;
        synchronized (this) {
            all = List.copyOf(unread);
        }
        Optional<ChatBacklog<?, ?>> awaited =
                all.stream().filter(ChatBacklog::isWaitedFor).findFirst();
        Optional<ChatBacklog<?, ?>> next;
        synchronized (this) {
            next = awaited.filter(unread::contains).or(() -> unread.stream().findFirst());
            next.ifPresent(unread::remove);
            looking = next.isPresent() && !stopped;
        }
        if (next.isEmpty() || stopped) {
            return;
        }
        Optional<Duration> pause = look(next.get());
        if (stopped) {
            return;
        }
        if (pause.isPresent()) {
            synchronized (this) {
                unread.add(next.get());
            }
            after(pause.get(), () -> execute(this::look));
        } else {
            next.get().next();
            execute(this::look);
        }
    }

    private Optional<Duration> look(ChatBacklog<?, ?> backlog) {
        try {
            backlog.look();
            failures = 0;
            return Optional.empty();
        } catch (LookupFailed e) {
            return Optional.of(e.retryAfter().orElse(tries.pause(failures++, ids())));
        } catch (RuntimeException unknown) {
            // Without its place what was settled cannot be told from what was not.
            return Optional.of(tries.pause(failures++, ids()));
        }
    }

    @Override
    public boolean hasRoom() {
        return waiting.get() < MOST_WAITING;
    }

    @Override
    public void waits(int change) {
        waiting.addAndGet(change);
    }

    @Override
    public boolean isListening() {
        return listening;
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public void execute(Runnable task) {
        settings.executor().execute(task);
    }

    @Override
    public Timers.Timer after(Duration time, Runnable task) {
        return settings.timers().after(time, task);
    }

    @Override
    public Ids ids() {
        return settings.ids();
    }

    /** Ends: nothing more is read or handed in; what is not settled is told again. The backlogs are stopped behind it. */
    public void stop() {
        stopped = true;
        synchronized (this) {
            unread.clear();
        }
    }
}
