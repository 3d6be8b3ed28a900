package dev.parley.application.gateway;

import dev.parley.application.ability.Diagnosing;
import dev.parley.application.guard.Guard;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.PlatformState.Standing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** How each platform of a gateway is: what it told, and what it says of itself when asked. Safe for concurrent use. */
final class Standings {
    /** How long an error or an advice may be. */
    private static final int MOST = 500;

    private final List<ChatPlatform> platforms;
    private final Guard guard;
    private final Supplier<Instant> now;
    private final Map<Platform, Seen> seen = new ConcurrentHashMap<>();

    /** All are connecting. */
    Standings(List<? extends ChatPlatform> platforms, Guard guard, Supplier<Instant> now) {
        this.platforms = List.copyOf(platforms);
        this.guard = guard;
        this.now = now;
        Instant begun = now.get();
        platforms.forEach(platform ->
                seen.put(platform.name(), new Seen(Standing.CONNECTING, begun, Optional.empty(), Optional.empty())));
    }

    private record Seen(Standing standing, Instant since, Optional<String> error, Optional<String> advice) {
        Seen next(Standing standing, Instant now, Optional<String> error, Optional<String> advice) {
            return new Seen(standing, standing == this.standing ? since : now, error.or(this::error), advice);
        }

        Seen unadvised() {
            return new Seen(standing, since, error, Optional.empty());
        }
    }

    void connected(Platform platform) {
        become(platform, Standing.CONNECTED, Optional.empty(), Optional.empty());
    }

    /** It lost its connection; why is absent where it does not say. */
    void disconnected(Platform platform, Optional<String> why) {
        become(platform, Standing.AWAY, why, Optional.empty());
    }

    /** It was asked to start and has not returned for {@code time}; the gateway goes on without it. */
    void startsSlowly(Platform platform, String time) {
        become(
                platform,
                Standing.CONNECTING,
                Optional.of("Its start has not returned for " + time + "; the others go on without it."),
                Optional.of("Look whether its server can be reached; if it stays like this, restart the gateway."));
    }

    /** Its start has returned; whether it is able to send it says itself. */
    void started(Platform platform) {
        seen.computeIfPresent(platform, (name, before) -> before.unadvised());
    }

    /** Its start failed; it is started again. */
    void failed(Platform platform, String what) {
        become(platform, Standing.AWAY, Optional.of(what), Optional.empty());
    }

    /** It cannot start as it is configured. */
    void refused(Platform platform, String what) {
        become(
                platform,
                Standing.REFUSED,
                Optional.of(what),
                Optional.of("Correct its configuration and restart the gateway."));
    }

    /** Names that a platform only bridges have no standing of their own. */
    private void become(Platform platform, Standing standing, Optional<String> error, Optional<String> advice) {
        seen.computeIfPresent(
                platform, (name, before) -> before.next(standing, now.get(), error.map(Standings::line), advice));
    }

    /** Returns how each platform is, in the order they were given. */
    List<PlatformState> all() {
        return platforms.stream().map(this::state).toList();
    }

    private PlatformState state(ChatPlatform platform) {
        Seen known = seen.getOrDefault(
                platform.name(), new Seen(Standing.CONNECTING, now.get(), Optional.empty(), Optional.empty()));
        Optional<Diagnosing.Ailment> ailment = platform.as(Diagnosing.class)
                .flatMap(asked -> guard.get(
                        Optional.empty(),
                        "The platform " + platform.name() + " does not say how it is.",
                        asked::ailment,
                        Optional.<Diagnosing.Ailment>empty()));
        boolean troubled = ailment.isPresent() && known.standing() == Standing.CONNECTED;
        return new PlatformState(
                platform.name(),
                troubled ? Standing.TROUBLED : known.standing(),
                known.since(),
                ailment.map(Diagnosing.Ailment::what)
                        .map(Standings::line)
                        .filter(Predicate.not(String::isEmpty))
                        .or(known::error),
                ailment.map(Diagnosing.Ailment::advice)
                        .map(Standings::line)
                        .filter(Predicate.not(String::isEmpty))
                        .or(known::advice));
    }

    private static String line(String text) {
        return OneLine.of(text, MOST);
    }
}
