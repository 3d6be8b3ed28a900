package dev.parley.bootstrap.config;

import java.util.Map;

/**
 * The section of one extension, {@code plugins.NAME}.
 *
 * @param enabled whether it is used
 * @param settings the settings that its providers read, by name
 */
public record ExtensionConfiguration(boolean enabled, Map<String, String> settings) {
    public ExtensionConfiguration {
        settings = Map.copyOf(settings);
    }
}
