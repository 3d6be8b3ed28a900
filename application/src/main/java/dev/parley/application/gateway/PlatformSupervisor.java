package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.guard.Guard;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Timers;
import dev.parley.domain.text.Spans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Starts the platforms, again where one fails, and stops them, each as a task of its own that has a deadline. Used by the gateway's own
 * actor.
 */
final class PlatformSupervisor {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LAST = Duration.ofMinutes(5);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final List<ChatPlatform> platforms;
    private final Announcer actor;
    private final Timing timing;
    private final Guard guard;
    private final Phase phase;
    private final Executor executor;
    private final Standings standings;
    private final List<ChatPlatform> started = new ArrayList<>();

    PlatformSupervisor(
            List<? extends ChatPlatform> platforms,
            Announcer actor,
            Timing timing,
            Guard guard,
            Phase phase,
            Executor executor,
            Standings standings) {
        this.platforms = List.copyOf(platforms);
        this.actor = actor;
        this.timing = timing;
        this.guard = guard;
        this.phase = phase;
        this.executor = executor;
        this.standings = standings;
    }

    /**
     * Starts all; one that does not come up now is started again later, while the others go on (P7.6, P7.24).
     *
     * @throws InvalidRequest where one cannot start as it is configured
     */
    void start(InboundListener listener) {
        for (ChatPlatform platform : platforms) {
            start(platform, listener, FIRST);
        }
    }

    private void start(ChatPlatform platform, InboundListener listener, Duration pause) {
        try {
            platform.start(listener);
            started.add(platform);
        } catch (InvalidRequest e) {
            throw e;
        } catch (RuntimeException e) {
            guard.tell(Optional.empty(), "The platform " + platform.name() + " could not be started; trying again.", e);
            // A foreign message may hold what nobody should read; the log's owner reads it there.
            standings.failed(
                    platform.name(),
                    "It could not be started (" + e.getClass().getSimpleName()
                            + "); it is tried again, and the log says more.");
            Duration longer = pause.multipliedBy(2);
            timing.after(
                    pause,
                    () -> actor.post(() -> startAgain(platform, listener, longer.compareTo(LAST) > 0 ? LAST : longer)));
        }
    }

    private void startAgain(ChatPlatform platform, InboundListener listener, Duration pause) {
        if (!phase.is(Phase.State.RUNNING)) {
            return;
        }
        try {
            start(platform, listener, pause);
        } catch (InvalidRequest e) {
            standings.refused(platform.name(), String.valueOf(e.getMessage()));
            guard.tell(
                    Optional.empty(), "The platform " + platform.name() + " cannot be started as it is configured.", e);
        }
    }

    /**
     * Stops those that were started, then does what is {@code next}, on any thread. One that fails to stop or takes too long is told and
     * keeps neither the others nor what is next from happening.
     */
    void stop(Runnable next) {
        List<CompletableFuture<Void>> stops = started.stream().map(this::stop).toList();
        started.clear();
        var unused =
                CompletableFuture.allOf(stops.toArray(CompletableFuture[]::new)).thenRun(next);
    }

    /** Returns what is complete once a platform has stopped, or is waited for no longer. */
    private CompletableFuture<Void> stop(ChatPlatform platform) {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        Timers.Timer limit = timing.after(LIMIT, () -> {
            String late = "The platform " + platform.name() + " did not stop within " + Spans.inFull(LIMIT) + ".";
            if (!stopped.isDone()) {
                guard.tell(Optional.empty(), late, new TimeoutException(late));
                stopped.complete(null);
            }
        });
        Runnable stopping = () -> {
            platform.stop();
            limit.cancel();
            stopped.complete(null);
        };
        try {
            executor.execute(stopping);
        } catch (RejectedExecutionException e) {
            stopping.run();
        }
        return stopped;
    }
}
