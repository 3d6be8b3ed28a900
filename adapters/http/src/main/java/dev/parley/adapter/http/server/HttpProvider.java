package dev.parley.adapter.http.server;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code webhook}. */
public final class HttpProvider implements PlatformProvider {
    @Override
    public Platform name() {
        return Platform.WEBHOOK;
    }

    @Override
    public String section() {
        return "http";
    }

    @Override
    public Set<String> settings() {
        return HttpSettings.NAMES;
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return new HttpPlatform(settings, HttpSettings.of(settings));
    }
}
