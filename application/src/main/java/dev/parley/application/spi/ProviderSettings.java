package dev.parley.application.spi;

import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.MediaStore;
import dev.parley.application.port.Timers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

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
}
