package dev.parley.adapter.signal;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code signal}. */
public final class SignalProvider implements PlatformProvider {
    @Override
    public Platform name() {
        return SignalPlatform.NAME;
    }

    @Override
    public Set<String> settings() {
        return SignalSettings.NAMES;
    }

    @Override
    public boolean isOpenToTheWorld() {
        return true;
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return new SignalPlatform(settings, SignalSettings.of(settings));
    }
}
