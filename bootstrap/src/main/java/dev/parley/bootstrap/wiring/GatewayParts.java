package dev.parley.bootstrap.wiring;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.spi.WebSurface;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.PlatformConfiguration;
import dev.parley.home.HomeDirectory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a gateway is put together from.
 *
 * @param configuration the configuration, without errors
 * @param home the home directory, made and locked
 * @param userHome the user's home, for display
 * @param providers the backends, platforms and agents there are
 * @param environment the environment, for secrets
 * @param clock the clock
 * @param terminal whether a person sits at a terminal
 * @param only the platforms to start instead of those that are configured, by section, with their settings
 * @param closer takes everything that must be closed
 * @param warnings takes what an operator should know
 * @param exports writes files in the forms of the command line; absent for surfaces that offer none
 * @param surfaces what the web server shows beside what the providers have
 */
public record GatewayParts(
        Configuration configuration,
        HomeDirectory home,
        Path userHome,
        Providers providers,
        Map<String, String> environment,
        InstantSource clock,
        boolean terminal,
        Optional<Map<String, Map<String, String>>> only,
        Closer closer,
        Consumer<String> warnings,
        Optional<GatewayInspection.Exports> exports,
        List<WebSurface> surfaces) {
    /** The section of the platform that is there unless it is switched off. */
    static final String HTTP = "http";

    /** Copies what can change. */
    public GatewayParts {
        environment = Map.copyOf(environment);
        only = only.map(Map::copyOf);
        surfaces = List.copyOf(surfaces);
    }

    /** The parts of a gateway whose surfaces offer no files in the forms of the command line. */
    public GatewayParts(
            Configuration configuration,
            HomeDirectory home,
            Path userHome,
            Providers providers,
            Map<String, String> environment,
            InstantSource clock,
            boolean terminal,
            Optional<Map<String, Map<String, String>>> only,
            Closer closer,
            Consumer<String> warnings) {
        this(
                configuration,
                home,
                userHome,
                providers,
                environment,
                clock,
                terminal,
                only,
                closer,
                warnings,
                Optional.empty(),
                List.of());
    }

    /** Returns these with another one who takes what an operator should know. */
    GatewayParts warning(Consumer<String> other) {
        return new GatewayParts(
                configuration,
                home,
                userHome,
                providers,
                environment,
                clock,
                terminal,
                only,
                closer,
                other,
                exports,
                surfaces);
    }

    /** Returns the settings of the platforms that are to be started, by section, in the order of the sections. */
    Map<String, Map<String, String>> wanted() {
        Map<String, Map<String, String>> wanted = new LinkedHashMap<>();
        for (String section : providers().platforms().keySet()) {
            Optional<PlatformConfiguration> configured =
                    Optional.ofNullable(configuration().platforms().get(section));
            Optional<Map<String, String>> values = only().isPresent()
                    ? only().map(chosen -> chosen.get(section))
                    : Optional.of(configured
                                    .map(PlatformConfiguration::settings)
                                    .orElse(Map.of()))
                            .filter(v -> isWanted(section, configured));
            values.ifPresent(v -> wanted.put(section, v));
        }
        return wanted;
    }

    /** HTTP is there unless it is switched off, the terminal where a person sits at one; others must be switched on. */
    private boolean isWanted(String section, Optional<PlatformConfiguration> configured) {
        boolean byDefault = switch (section) {
            case HTTP -> true;
            case "local" -> terminal();
            default -> false;
        };
        return configured.flatMap(PlatformConfiguration::enabled).orElse(byDefault);
    }
}
