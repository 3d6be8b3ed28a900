package dev.parley.adapter.discord;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code discord}. */
public final class DiscordProvider implements PlatformProvider {
    @Override
    public Platform name() {
        return Platform.DISCORD;
    }

    @Override
    public Set<String> settings() {
        return DiscordSettings.NAMES;
    }

    @Override
    public boolean isOpenToTheWorld() {
        return true;
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return new DiscordPlatform(settings, DiscordSettings.of(settings));
    }
}
