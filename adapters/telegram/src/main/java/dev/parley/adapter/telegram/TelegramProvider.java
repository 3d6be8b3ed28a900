package dev.parley.adapter.telegram;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code telegram}. */
public final class TelegramProvider implements PlatformProvider {
    @Override
    public Platform name() {
        return Platform.TELEGRAM;
    }

    @Override
    public Set<String> settings() {
        return TelegramSettings.NAMES;
    }

    @Override
    public boolean isOpenToTheWorld() {
        return true;
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return new TelegramPlatform(settings, TelegramSettings.of(settings));
    }
}
