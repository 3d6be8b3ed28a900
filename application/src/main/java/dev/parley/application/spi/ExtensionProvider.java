package dev.parley.application.spi;

import java.util.Set;

/**
 * Makes what a plug-in adds to a gateway beside a storage, a platform or an agent. Its kinds are {@code CommandsProvider},
 * {@link HooksProvider}, {@link EventsProvider} and {@link AuthorizationProvider}, each found as a service. Providers of different kinds
 * may share a name, and with it a section of the configuration: {@code plugins.NAME}.
 *
 * @param <T> what it makes
 */
public interface ExtensionProvider<T> {
    /** Returns the name of its section under {@code plugins}: lower-case letters, digits, {@code _} and {@code -}. */
    String name();

    /** Returns the names of the settings it reads beside {@code enabled}; a name that ends in {@code .*} means every setting below it. */
    default Set<String> settings() {
        return Set.of();
    }

    /**
     * Returns what it adds. Opens nothing and waits for nothing: it is called by {@code config check} too.
     *
     * @throws dev.parley.application.port.InvalidRequest where it is not configured as it must be, naming the setting
     */
    T create(ProviderSettings settings);
}
