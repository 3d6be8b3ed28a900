package dev.parley.adapter.matrix;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code matrix}. */
public final class MatrixProvider implements PlatformProvider {
    @Override
    public Platform name() {
        return Platform.MATRIX;
    }

    @Override
    public Set<String> settings() {
        return MatrixSettings.NAMES;
    }

    @Override
    public boolean isOpenToTheWorld() {
        return true;
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return new MatrixPlatform(settings, MatrixSettings.of(settings));
    }
}
