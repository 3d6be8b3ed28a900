package dev.parley.adapter.slack;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code slack}. */
public final class SlackProvider implements PlatformProvider {
    @Override
    public Platform name() {
        return Platform.SLACK;
    }

    @Override
    public Set<String> settings() {
        return SlackSettings.NAMES;
    }

    @Override
    public boolean isOpenToTheWorld() {
        return true;
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return new SlackPlatform(settings, SlackSettings.of(settings));
    }
}
