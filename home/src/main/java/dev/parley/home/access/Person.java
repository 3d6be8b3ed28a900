package dev.parley.home.access;

import dev.parley.domain.source.Platform;
import java.util.Optional;

/**
 * Somebody on a platform.
 *
 * @param platform the platform
 * @param user their id there, in the one form that all their ids share
 * @param name their name, as they call themselves
 */
public record Person(Platform platform, String user, Optional<String> name) {
    /** Returns whether another is the same person, whatever they call themselves. */
    boolean isSame(Person other) {
        return platform.equals(other.platform) && user.equals(other.user);
    }
}
