package dev.parley.adapter.console;

import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebSurface;
import dev.parley.application.spi.WebSurfaceProvider;

/** Makes the surface {@code /console}. */
public final class ConsoleProvider implements WebSurfaceProvider {
    @Override
    public String name() {
        return "console";
    }

    @Override
    public WebSurface create(ProviderSettings settings) {
        return new Console(settings);
    }
}
