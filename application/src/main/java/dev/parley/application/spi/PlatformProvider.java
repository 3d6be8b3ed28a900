package dev.parley.application.spi;

import dev.parley.application.port.ChatPlatform;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes a platform. Found as a service. */
public interface PlatformProvider {
    /** Returns the platform's name. */
    Platform name();

    /** Returns the name of its section under {@code platforms} in the configuration; usually the platform's name. */
    default String section() {
        return name().name();
    }

    /**
     * Returns the names of the settings it reads beside {@code enabled}, {@code home_channel}, {@code allow} and the like. A name
     * that ends in {@code .*} means every setting below it.
     */
    Set<String> settings();

    /**
     * Returns whether anybody in the world can write to it, as to a bot of a public service. Such a platform does not start unless the
     * configuration says who may talk: {@code allow}, with {@code "*"} for everybody, or {@code pairing: true}.
     */
    default boolean isOpenToTheWorld() {
        return false;
    }

    /**
     * Returns the platform, not yet started.
     *
     * @throws dev.parley.application.port.InvalidRequest where it is not configured as it must be, naming the setting
     */
    ChatPlatform create(ProviderSettings settings);
}
