package dev.parley.adapter.whatsapp;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code whatsapp}. */
public final class WhatsAppProvider implements PlatformProvider {
    @Override
    public Platform name() {
        return Platform.WHATSAPP;
    }

    @Override
    public Set<String> settings() {
        return WhatsAppSettings.NAMES;
    }

    @Override
    public boolean isOpenToTheWorld() {
        return true;
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return new WhatsAppPlatform(settings, WhatsAppSettings.of(settings));
    }
}
