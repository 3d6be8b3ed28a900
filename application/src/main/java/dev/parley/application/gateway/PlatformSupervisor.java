package dev.parley.application.gateway;

import dev.parley.application.actor.SerialTasks;
import dev.parley.application.actor.Timing;
import dev.parley.application.guard.Guard;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Timers;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.Spans;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts the platforms, again where one fails, and stops them. Starts and stops of one platform are tasks of its own, one at a time,
 * each with a deadline, so that a platform that hangs holds neither the gateway nor another platform. Used by the gateway's own actor.
 */
final class PlatformSupervisor {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LAST = Duration.ofMinutes(5);
    /** How long the gateway waits for a platform to start: long enough for a machine that is busy with other work. */
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final List<Supervised> platforms;
    private final GatewayActor actor;
    private final Timing timing;
    private final Guard guard;
    private final Phase phase;
    private final Standings standings;
    private final boolean sharing;

    PlatformSupervisor(
            List<? extends ChatPlatform> platforms,
            GatewayActor actor,
            Timing timing,
            Guard guard,
            Phase phase,
            Executor executor,
            Standings standings,
            boolean sharing) {
        this.platforms = platforms.stream()
                .map(platform -> new Supervised(
                        platform,
                        new SerialTasks(
                                executor,
                                failure -> guard.tell(
                                        Optional.empty(), "The platform " + platform.name() + " failed.", failure))))
                .toList();
        this.actor = actor;
        this.timing = timing;
        this.guard = guard;
        this.phase = phase;
        this.standings = standings;
        this.sharing = sharing;
    }

    /** How far a platform has come. */
    private enum Course {
        /** Nothing of it is left running. */
        DOWN,
        /** It was asked to start and has not returned yet. */
        STARTING,
        /** It has started. */
        UP
    }

    /** A platform, its tasks, and how far it has come, which only they write once it was asked to start. */
    private static final class Supervised {
        final ChatPlatform platform;
        final SerialTasks tasks;
        volatile Course course = Course.DOWN;
        /** The start that is to have it up; absent where it is to be down. A start that is not this one any more does nothing. */
        volatile Optional<FirstStart> wanted = Optional.empty();

        Supervised(ChatPlatform platform, SerialTasks tasks) {
            this.platform = platform;
            this.tasks = tasks;
        }

        boolean wants(Launch launch) {
            return wanted.equals(Optional.of(launch.first()));
        }

        @Override
        public String toString() {
            return "The platform " + platform.name();
        }
    }

    /** The start of the gateway, which waits for the first start of each platform. Used by the gateway's actor. */
    private static final class FirstStart {
        private final Set<Supervised> awaited;
        private final Runnable up;
        private final Consumer<? super InvalidRequest> refused;

        FirstStart(List<Supervised> platforms, Runnable up, Consumer<? super InvalidRequest> refused) {
            this.awaited = new HashSet<>(platforms);
            this.up = up;
            this.refused = refused;
        }

        /** A platform is waited for no longer. */
        void settled(Supervised each) {
            if (awaited.remove(each) && awaited.isEmpty()) {
                up.run();
            }
        }
    }

    /** How a platform is started: for whom, as a part of which start, and after which pause again. */
    private record Launch(InboundListener listener, FirstStart first, Duration pause) {
        Launch later() {
            Duration longer = pause.multipliedBy(2);
            return new Launch(listener, first, longer.compareTo(LAST) > 0 ? LAST : longer);
        }
    }

    /**
     * Starts all; one that does not come up is started again later, while the others go on (P7.6, P7.24). A start that takes too long
     * is waited for no longer, but not made a second time while it has not returned.
     *
     * @param up told once each has started, has failed or takes too long
     * @param refused told, before that, of one that cannot start as it is configured; the others are left as they are
     */
    void start(InboundListener listener, Runnable up, Consumer<? super InvalidRequest> refused) {
        List<Supervised> now =
                platforms.stream().filter(each -> !isExclusive(each)).toList();
        if (now.isEmpty()) {
            up.run();
            return;
        }
        Launch launch = new Launch(listener, new FirstStart(now, up, refused), FIRST);
        now.forEach(each -> {
            each.wanted = Optional.of(launch.first());
            start(each, launch);
        });
    }

    /**
     * Starts a platform that only one gateway may be connected as, behind a stop that is under way; does nothing where it is started.
     *
     * @param mine whether that gateway is this one; asked from any thread
     */
    void startExclusive(Platform name, InboundListener listener, BooleanSupplier mine) {
        for (Supervised each : platforms) {
            if (each.platform.name().equals(name) && each.wanted.isEmpty()) {
                FirstStart nobodyWaits = new FirstStart(List.of(), () -> {}, failure -> tellRefused(each, failure));
                each.wanted = Optional.of(nobodyWaits);
                if (mine.getAsBoolean()) {
                    start(each, new Launch(listener, nobodyWaits, FIRST));
                } else {
                    each.wanted = Optional.empty();
                }
            }
        }
    }

    /** Returns the platforms that only one of the gateways that share a store may be connected as. */
    List<ChatPlatform> exclusive() {
        return platforms.stream()
                .filter(this::isExclusive)
                .map(each -> each.platform)
                .toList();
    }

    /** Returns where platforms are reached, of those that are. */
    List<URI> addresses() {
        return platforms.stream()
                .flatMap(each -> each.platform.address().stream())
                .toList();
    }

    private boolean isExclusive(Supervised each) {
        return sharing && !each.platform.isShared();
    }

    /** Stops the platforms that another gateway may be connected as by now; from any thread, returns at once. */
    void stopExclusive() {
        platforms.stream().filter(this::isExclusive).forEach(each -> {
            var unused = stop(each);
        });
    }

    private void start(Supervised each, Launch launch) {
        each.course = Course.STARTING;
        Timers.Timer deadline = timing.after(START_LIMIT, () -> actor.post(() -> takesLong(each, launch)));
        Runnable starting = () -> {
            @Nullable RuntimeException failure = null;
            each.course = Course.STARTING;
            if (!each.wants(launch)) {
                each.course = Course.DOWN;
                deadline.cancel();
                return;
            }
            try {
                each.platform.start(launch.listener());
                each.course = Course.UP;
            } catch (RuntimeException e) {
                each.course = Course.DOWN;
                failure = e;
            }
            deadline.cancel();
            Optional<RuntimeException> outcome = Optional.ofNullable(failure);
            actor.post(() -> returned(each, launch, outcome));
        };
        try {
            each.tasks.execute(starting);
        } catch (RejectedExecutionException e) {
            each.course = Course.DOWN;
            deadline.cancel();
            returned(each, launch, Optional.of(e));
        }
    }

    private void takesLong(Supervised each, Launch launch) {
        if (each.course == Course.STARTING) {
            String late =
                    each + " has not started within " + Spans.inFull(START_LIMIT) + "; the gateway goes on without it.";
            guard.tell(Optional.empty(), late, new TimeoutException(late));
            standings.startsSlowly(each.platform.name(), Spans.inFull(START_LIMIT));
            launch.first().settled(each);
        }
    }

    private void returned(Supervised each, Launch launch, Optional<RuntimeException> failure) {
        if (failure.isEmpty()) {
            standings.started(each.platform.name());
        } else if (failure.get() instanceof InvalidRequest invalid) {
            refused(each, launch, invalid);
            return;
        } else {
            failed(each, launch, failure.get());
        }
        launch.first().settled(each);
    }

    private void refused(Supervised each, Launch launch, InvalidRequest failure) {
        if (phase.is(Phase.State.STARTING)) {
            launch.first().refused.accept(failure);
            return;
        }
        tellRefused(each, failure);
    }

    private void tellRefused(Supervised each, InvalidRequest failure) {
        String why = String.valueOf(failure.getMessage());
        standings.refused(each.platform.name(), why);
        guard.tell(Optional.empty(), each + " cannot be started as it is configured: " + why, failure);
    }

    private void failed(Supervised each, Launch launch, RuntimeException failure) {
        guard.tell(Optional.empty(), each + " could not be started; trying again.", failure);
        // A foreign message may hold what nobody should read; the log's owner reads it there.
        standings.failed(
                each.platform.name(),
                "It could not be started (" + failure.getClass().getSimpleName()
                        + "); it is tried again, and the log says more.");
        timing.after(launch.pause(), () -> actor.post(() -> startAgain(each, launch.later())));
    }

    private void startAgain(Supervised each, Launch launch) {
        if (each.wants(launch) && phase.stop().isEmpty()) {
            start(each, launch);
        }
    }

    /**
     * Stops those that were started, and those that are starting once they have, then does what is {@code next}, on any thread. One that
     * fails to stop or takes too long is told and keeps neither the others nor what is next from happening.
     */
    void stop(Runnable next) {
        List<CompletableFuture<Void>> stops = platforms.stream().map(this::stop).toList();
        var unused =
                CompletableFuture.allOf(stops.toArray(CompletableFuture[]::new)).thenRun(next);
    }

    /** Returns what is complete once a platform has stopped, or is waited for no longer; at once where it is down. */
    private CompletableFuture<Void> stop(Supervised each) {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        each.wanted = Optional.empty();
        if (each.course == Course.DOWN) {
            stopped.complete(null);
            return stopped;
        }
        Timers.Timer limit = timing.after(STOP_LIMIT, () -> {
            String late = each + " did not stop within " + Spans.inFull(STOP_LIMIT) + ".";
            if (!stopped.isDone()) {
                guard.tell(Optional.empty(), late, new TimeoutException(late));
                stopped.complete(null);
            }
        });
        Runnable stopping = () -> {
            if (each.course == Course.UP) {
                each.course = Course.DOWN;
                each.platform.stop();
            }
            limit.cancel();
            stopped.complete(null);
        };
        try {
            each.tasks.execute(stopping);
        } catch (RejectedExecutionException e) {
            stopping.run();
        }
        return stopped;
    }
}
