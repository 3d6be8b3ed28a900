package dev.parley.application.spi;

import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.Timers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a platform or an agent is made with.
 *
 * @param path where its settings stand in the configuration, for messages, such as {@code platforms.http}
 * @param values its settings, by name; nested names are joined by dots
 * @param environment the environment, for secrets
 * @param home the gateway's home directory
 * @param clock time
 * @param ids chance
 * @param timers later
 * @param executor runs what may block
 * @param warnings takes one line for everything an operator should know
 * @param inspection looks into the running gateway
 * @param cursors where a platform keeps how far it has read
 * @param media keeps files that come with messages and files that agents send
 * @param surfaces what a web server shows beside its own; empty for all others
 */
public record ProviderSettings(
        String path,
        Map<String, String> values,
        Map<String, String> environment,
        Path home,
        InstantSource clock,
        Ids ids,
        Timers timers,
        Executor executor,
        Consumer<String> warnings,
        GatewayInspection inspection,
        Cursors cursors,
        MediaStore media,
        List<WebSurface> surfaces) {
    public ProviderSettings {
        values = Map.copyOf(values);
        environment = Map.copyOf(environment);
        surfaces = List.copyOf(surfaces);
    }

    /** Returns this with what a web server shows beside its own. */
    public ProviderSettings showing(List<WebSurface> shown) {
        return new ProviderSettings(
                path,
                values,
                environment,
                home,
                clock,
                ids,
                timers,
                executor,
                warnings,
                inspection,
                cursors,
                media,
                shown);
    }

    /** What a platform or an agent is made with that needs neither a place for cursors nor one for files. */
    public ProviderSettings(
            String path,
            Map<String, String> values,
            Map<String, String> environment,
            Path home,
            InstantSource clock,
            Ids ids,
            Timers timers,
            Executor executor,
            Consumer<String> warnings,
            GatewayInspection inspection) {
        this(
                path,
                values,
                environment,
                home,
                clock,
                ids,
                timers,
                executor,
                warnings,
                inspection,
                Cursors.inMemory(),
                MediaStore.NONE,
                List.of());
    }

    /** Returns this with a place for cursors and one for files. */
    public ProviderSettings keeping(Cursors where, MediaStore files) {
        return new ProviderSettings(
                path,
                values,
                environment,
                home,
                clock,
                ids,
                timers,
                executor,
                warnings,
                inspection,
                where,
                files,
                surfaces);
    }

    /** Returns a setting, trimmed; absent where it is not set or blank. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name)).map(String::strip).filter(v -> !v.isEmpty());
    }

    /** Returns the setting's full name, for messages. */
    public String nameOf(String setting) {
        return path + "." + setting;
    }

    /** Begins settings without values; clock, ids, timers, executor and inspection are needed. */
    public static Builder builder(String path, Path home) {
        return new Builder(path, home);
    }

    static <T> T needed(@Nullable T value, String what) {
        if (value == null) {
            throw new InvalidRequest("The settings need " + what + "; give it to the builder.");
        }
        return value;
    }

    /** Collects what a platform or an agent is made with. Not safe for concurrent use. */
    public static final class Builder {
        private final String path;
        private final Path home;
        private final Map<String, String> values = new HashMap<>();
        private Map<String, String> environment = Map.of();
        private @Nullable InstantSource clock;
        private @Nullable Ids ids;
        private @Nullable Timers timers;
        private @Nullable Executor executor;
        private Consumer<String> warnings = warning -> {};
        private @Nullable GatewayInspection inspection;
        private Cursors cursors = Cursors.inMemory();
        private MediaStore media = MediaStore.NONE;
        private List<WebSurface> surfaces = List.of();

        private Builder(String path, Path home) {
            this.path = path;
            this.home = home;
        }

        /** Sets one setting. */
        public Builder value(String name, String value) {
            values.put(name, value);
            return this;
        }

        /** Sets these settings, by name. */
        public Builder values(Map<String, String> value) {
            values.putAll(value);
            return this;
        }

        /** Sets the environment, for secrets; none unless set. */
        public Builder environment(Map<String, String> value) {
            environment = value;
            return this;
        }

        /** Sets time. */
        public Builder clock(InstantSource value) {
            clock = value;
            return this;
        }

        /** Sets chance. */
        public Builder ids(Ids value) {
            ids = value;
            return this;
        }

        /** Sets the timers. */
        public Builder timers(Timers value) {
            timers = value;
            return this;
        }

        /** Sets what runs what may block. */
        public Builder executor(Executor value) {
            executor = value;
            return this;
        }

        /** Sets what takes one line for everything an operator should know; nobody is told unless set. */
        public Builder warnings(Consumer<String> value) {
            warnings = value;
            return this;
        }

        /** Sets what looks into the running gateway. */
        public Builder inspection(GatewayInspection value) {
            inspection = value;
            return this;
        }

        /** Sets where a platform keeps how far it has read; in memory unless set. */
        public Builder cursors(Cursors value) {
            cursors = value;
            return this;
        }

        /** Sets what keeps files; none are kept unless set. */
        public Builder media(MediaStore value) {
            media = value;
            return this;
        }

        /** Sets what a web server shows beside its own; nothing unless set. */
        public Builder surfaces(List<WebSurface> value) {
            surfaces = value;
            return this;
        }

        /**
         * Returns the settings.
         *
         * @throws InvalidRequest where something that is needed is missing
         */
        public ProviderSettings build() {
            return new ProviderSettings(
                    path,
                    values,
                    environment,
                    home,
                    needed(clock, "clock"),
                    needed(ids, "ids"),
                    needed(timers, "timers"),
                    needed(executor, "executor"),
                    warnings,
                    needed(inspection, "inspection"),
                    cursors,
                    media,
                    surfaces);
        }
    }
}
