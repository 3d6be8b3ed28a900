package dev.parley.adapter.terminal;

import dev.parley.application.port.ChatPlatform;
import dev.parley.application.spi.PlatformProvider;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.domain.source.Platform;
import java.util.Set;

/** Makes the platform {@code local}. Its only setting, {@code name}, is who talks; without it, the user of the process. */
public final class TerminalProvider implements PlatformProvider {
    static final String NAME = "name";

    /** For the service loader. */
    public TerminalProvider() {}

    @Override
    public Platform name() {
        return Platform.LOCAL;
    }

    @Override
    public Set<String> settings() {
        return Set.of(NAME);
    }

    @Override
    public ChatPlatform create(ProviderSettings settings) {
        return TerminalPlatform.of(settings, lane -> settings.inspection().interruptLane(lane));
    }
}
