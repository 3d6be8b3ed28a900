package dev.parley.application.spi;

import dev.parley.application.port.Ids;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * What a backend is opened with.
 *
 * @param address what stands behind {@code scheme:} in the storage address, a path for the built-in backends; relative paths
 *     are resolved against {@code home}
 * @param home the gateway's home directory
 * @param mode how it is used
 * @param clock time
 * @param zone the gateway's zone, for forms of time that carry none
 * @param ids chance
 * @param threads makes the threads a backend needs
 * @param warnings takes one line for everything an operator should know
 * @param options further settings of this backend, by name
 * @param environment the variables of the process, for passwords; never shown
 */
public record StorageSettings(
        String address,
        Path home,
        Mode mode,
        InstantSource clock,
        ZoneId zone,
        Ids ids,
        ThreadFactory threads,
        Consumer<String> warnings,
        Map<String, String> options,
        Map<String, String> environment) {
    public StorageSettings {
        options = Map.copyOf(options);
        environment = Map.copyOf(environment);
    }

    /** Settings without any variables. */
    public StorageSettings(
            String address,
            Path home,
            Mode mode,
            InstantSource clock,
            ZoneId zone,
            Ids ids,
            ThreadFactory threads,
            Consumer<String> warnings,
            Map<String, String> options) {
        this(address, home, mode, clock, zone, ids, threads, warnings, options, Map.of());
    }

    /** How a store is used. */
    public enum Mode {
        /** Read and written; created if missing, brought up to date if old. */
        READ_WRITE,
        /** Only read: nothing on disk is created or changed; a store that does not exist is an error. */
        READ_ONLY
    }
}
