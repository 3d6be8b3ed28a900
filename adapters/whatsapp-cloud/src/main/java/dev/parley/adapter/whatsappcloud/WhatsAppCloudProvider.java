package dev.parley.adapter.whatsappcloud;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code whatsapp_cloud}. */
public final class WhatsAppCloudProvider implements PlatformProvider {
    @Override
    public Platform name() {
        return Platform.WHATSAPP_CLOUD;
    }

    @Override
    public Set<String> settings() {
        return WhatsAppCloudSettings.NAMES;
    }

    @Override
    public boolean isOpenToTheWorld() {
        return true;
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return new WhatsAppCloudPlatform(settings, WhatsAppCloudSettings.of(settings));
    }
}
