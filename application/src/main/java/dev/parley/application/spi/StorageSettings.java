package dev.parley.application.spi;

import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

    /** Begins settings for an address, to be read and written, in UTC, without options; clock, ids and threads are needed. */
    public static Builder builder(String address, Path home) {
        return new Builder(address, home);
    }

    /** Collects what a backend is opened with. Not safe for concurrent use. */
    public static final class Builder {
        private final String address;
        private final Path home;
        private Mode mode = Mode.READ_WRITE;
        private @Nullable InstantSource clock;
        private ZoneId zone = ZoneOffset.UTC;
        private @Nullable Ids ids;
        private @Nullable ThreadFactory threads;
        private Consumer<String> warnings = warning -> {};
        private Map<String, String> options = Map.of();
        private Map<String, String> environment = Map.of();

        private Builder(String address, Path home) {
            this.address = address;
            this.home = home;
        }

        /** Sets how it is used. */
        public Builder mode(Mode value) {
            mode = value;
            return this;
        }

        /** Sets time. */
        public Builder clock(InstantSource value) {
            clock = value;
            return this;
        }

        /** Sets the gateway's zone; UTC unless set. */
        public Builder zone(ZoneId value) {
            zone = value;
            return this;
        }

        /** Sets chance. */
        public Builder ids(Ids value) {
            ids = value;
            return this;
        }

        /** Sets what makes the threads a backend needs. */
        public Builder threads(ThreadFactory value) {
            threads = value;
            return this;
        }

        /** Sets what takes one line for everything an operator should know; nobody is told unless set. */
        public Builder warnings(Consumer<String> value) {
            warnings = value;
            return this;
        }

        /** Sets further settings of this backend, by name. */
        public Builder options(Map<String, String> value) {
            options = value;
            return this;
        }

        /** Sets the variables of the process, for passwords; none unless set. */
        public Builder environment(Map<String, String> value) {
            environment = value;
            return this;
        }

        /**
         * Returns the settings.
         *
         * @throws InvalidRequest where something that is needed is missing
         */
        public StorageSettings build() {
            return new StorageSettings(
                    address,
                    home,
                    mode,
                    ProviderSettings.needed(clock, "clock"),
                    zone,
                    ProviderSettings.needed(ids, "ids"),
                    ProviderSettings.needed(threads, "threads"),
                    warnings,
                    options,
                    environment);
        }
    }

    /** How a store is used. */
    public enum Mode {
        /** Read and written; created if missing, brought up to date if old. */
        READ_WRITE,
        /** Only read: nothing on disk is created or changed; a store that does not exist is an error. */
        READ_ONLY
    }
}
