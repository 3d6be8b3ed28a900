package dev.parley.application.gateway;

import dev.parley.application.actor.Timing;
import dev.parley.application.guard.Guard;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.InboundListener;
import dev.parley.application.port.InvalidRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts the platforms, again where one fails, and stops them. Used by the gateway's own actor. */
final class PlatformSupervisor {
    private static final Duration FIRST = Duration.ofSeconds(5);
    private static final Duration LAST = Duration.ofMinutes(5);

    private final List<ChatPlatform> platforms;
    private final Announcer actor;
    private final Timing timing;
    private final Guard guard;
    private final Phase phase;
    private final List<ChatPlatform> started = new ArrayList<>();

    PlatformSupervisor(
            List<? extends ChatPlatform> platforms, Announcer actor, Timing timing, Guard guard, Phase phase) {
        this.platforms = List.copyOf(platforms);
        this.actor = actor;
        this.timing = timing;
        this.guard = guard;
        this.phase = phase;
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
            guard.tell(
                    Optional.empty(), "The platform " + platform.name() + " cannot be started as it is configured.", e);
        }
    }

    /** Stops those that were started; one that fails to is told and keeps no other from it. */
    void stop() {
        started.forEach(ChatPlatform::stop);
        started.clear();
    }
}
