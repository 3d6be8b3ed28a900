package dev.parley.application.spi;

/** Makes a {@link WebSurface}. Found as a service. */
public interface WebSurfaceProvider {
    /** Returns the name, which is also that of its setting under {@code platforms.http}: {@code off} there leaves it out. */
    String name();

    /**
     * Returns the surface.
     *
     * @param settings the settings of the HTTP platform
     * @throws dev.parley.application.port.InvalidRequest where it is not configured as it must be, naming the setting
     */
    WebSurface create(ProviderSettings settings);
}
