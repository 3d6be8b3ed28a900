package dev.parley.bootstrap.wiring;

import dev.parley.application.degrade.Fallback;
import dev.parley.application.degrade.Primary;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.StorageConfiguration;
import dev.parley.home.HomeDirectory;
import dev.parley.home.StorageAt;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Opens storage by address.
 *
 * @param providers the backends there are
 * @param home the home directory, against which relative addresses are resolved
 * @param clock time
 * @param zone the gateway's zone
 * @param ids chance
 * @param threads makes the threads of backends
 * @param warnings takes what an operator should know
 * @param environment the variables of the process, for passwords
 */
public record Storages(
        Providers providers,
        HomeDirectory home,
        InstantSource clock,
        ZoneId zone,
        Ids ids,
        ThreadFactory threads,
        Consumer<String> warnings,
        Map<String, String> environment) {

    /** Returns the storages of a gateway that is put together from these parts. */
    static Storages of(GatewayParts parts, Ids ids) {
        return new Storages(
                parts.providers(),
                parts.home(),
                parts.clock(),
                parts.configuration().zone(),
                ids,
                ProcessSurroundings.threads("storage"),
                parts.warnings(),
                parts.environment());
    }

    /** Opens storage that needs no password. */
    public Storages(
            Providers providers,
            HomeDirectory home,
            InstantSource clock,
            ZoneId zone,
            Ids ids,
            ThreadFactory threads,
            Consumer<String> warnings) {
        this(providers, home, clock, zone, ids, threads, warnings, Map.of());
    }

    /**
     * Opens the storage behind {@code SCHEME:ADDRESS}.
     *
     * @throws InvalidRequest where the address has no known scheme
     */
    public Storage open(String url, Mode mode, Map<String, String> options) {
        return provider(url).open(settings(url, mode, options));
    }

    /**
     * Checks what can be said of {@code SCHEME:ADDRESS} without opening it.
     *
     * @throws InvalidRequest where the address has no known scheme, or its backend cannot take it or the options
     */
    public void check(String url, Map<String, String> options) {
        provider(url).check(settings(url, Mode.READ_WRITE, options));
    }

    /**
     * Returns the storage of a configuration. One that has a fallback waits for a lock of another process only as long as the configuration
     * says, where its backend can be told so.
     *
     * @param taking takes what was opened for the gateway
     */
    public Primary primary(StorageConfiguration configuration, UnaryOperator<Storage> taking) {
        StorageAt at = at(configuration.url(), configuration.options());
        return configuration.fallback().isPresent()
                ? at.primary(configuration.busyPatience(), taking)
                : at.primary(taking);
    }

    /** Returns the fallback of a configuration; absent where it is switched off. */
    public Optional<Fallback> fallback(StorageConfiguration configuration) {
        return configuration
                .fallback()
                .map(address -> at(address, Map.of()).fallbackOf(at(configuration.url(), configuration.options())));
    }

    private StorageAt at(String url, Map<String, String> options) {
        return new StorageAt(provider(url), settings(url, Mode.READ_WRITE, options));
    }

    /** Returns the backend behind an address. */
    public StorageProvider provider(String url) {
        int colon = url.indexOf(':');
        if (colon <= 0 || colon == url.length() - 1) {
            throw new InvalidRequest(
                    "The storage address \"" + url + "\" is not SCHEME:ADDRESS, such as sqlite:state.db.");
        }
        return providers.storage(url.substring(0, colon));
    }

    /** Returns what a backend is opened with. */
    public StorageSettings settings(String url, Mode mode, Map<String, String> options) {
        return new StorageSettings(
                url.substring(url.indexOf(':') + 1),
                home.path(),
                mode,
                clock,
                zone,
                ids,
                threads,
                warnings,
                options,
                environment);
    }
}
