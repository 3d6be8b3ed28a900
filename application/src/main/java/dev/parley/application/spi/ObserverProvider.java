package dev.parley.application.spi;

import dev.parley.application.port.GatewayEvents;
import java.util.Optional;
import java.util.Set;

/** Makes an {@link Observer}. Found as a service. */
public interface ObserverProvider {
    /** Returns the name, which is also that of its section under {@code observers}. */
    String name();

    /** Returns the names of its settings. */
    Set<String> settings();

    /**
     * Returns the observer, not yet started; absent where it is not asked for. Opens nothing.
     *
     * @param settings the settings of its section
     * @param failures told of what could not be passed on, as {@link dev.parley.application.port.GatewayEvent.NotExported}; never
     *     blocks
     * @throws dev.parley.application.port.InvalidRequest where it is not configured as it must be, naming the setting
     */
    Optional<Observer> create(ProviderSettings settings, GatewayEvents failures);
}
