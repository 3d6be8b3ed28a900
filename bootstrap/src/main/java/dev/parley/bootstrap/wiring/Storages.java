package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageProvider;
import dev.parley.application.spi.StorageSettings;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.home.HomeDirectory;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

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
