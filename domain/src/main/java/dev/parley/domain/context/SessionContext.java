package dev.parley.domain.context;

import dev.parley.domain.key.KeyRules;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What is known about the conversation of a message (X9.1).
 *
 * @param source where the message came from
 * @param connectedPlatforms the platforms that are enabled and configured well enough to work (X9.2), in order
 * @param homeChannels the home channels of connected platforms; others are left out (X9.2)
 * @param shared whether several users are in the session
 * @param sessionKey the lane, if it has an entry
 * @param sessionId the session, if the lane has an entry
 * @param createdAt when the session began, if the lane has an entry
 * @param updatedAt when the session was last active, if the lane has an entry
 */
public record SessionContext(
        SessionSource source,
        List<Platform> connectedPlatforms,
        List<HomeChannel> homeChannels,
        boolean shared,
        Optional<SessionKey> sessionKey,
        Optional<String> sessionId,
        Optional<Instant> createdAt,
        Optional<Instant> updatedAt) {
    /** Copies the lists and leaves out home channels of platforms that are not connected. */
    public SessionContext {
        connectedPlatforms = List.copyOf(connectedPlatforms);
        List<Platform> connected = connectedPlatforms;
        homeChannels = homeChannels.stream()
                .filter(home -> connected.contains(home.platform()))
                .toList();
    }

    /** The context of a source whose lane has no entry yet. */
    public static SessionContext of(
            SessionSource source,
            KeyRules rules,
            Collection<Platform> connectedPlatforms,
            Collection<HomeChannel> homeChannels) {
        return new SessionContext(
                source,
                List.copyOf(connectedPlatforms),
                List.copyOf(homeChannels),
                rules.isShared(source),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** This context with what the lane's entry says. */
    public SessionContext withSession(SessionKey key, String id, Instant created, Instant updated) {
        return new SessionContext(
                source,
                connectedPlatforms,
                homeChannels,
                shared,
                Optional.of(key),
                Optional.of(id),
                Optional.of(created),
                Optional.of(updated));
    }
}
