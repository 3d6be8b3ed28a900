package dev.parley.spring;

import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.StorageSettings;
import dev.parley.home.DeferredInspection;
import dev.parley.home.GatewayHome;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

/** What providers are made with: the home, the environment of the application, and a look into the gateway once there is one. */
final class Surroundings {
    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9_]*");

    private final ParleyProperties properties;
    private final GatewayHome home;
    private final DeferredInspection inspection;
    private final Map<String, String> environment;

    Surroundings(ParleyProperties properties, GatewayHome home, ConfigurableEnvironment environment) {
        this.properties = properties;
        this.home = home;
        this.inspection = new DeferredInspection(properties.zone(), List.of(), limit -> List.of());
        this.environment = variables(environment);
    }

    /** The variables of the process, and what the application's other sources of properties have under names of variables. */
    private static Map<String, String> variables(ConfigurableEnvironment environment) {
        Map<String, String> variables = new TreeMap<>();
        environment.getPropertySources().forEach(source -> {
            if (source instanceof EnumerablePropertySource<?> listed) {
                for (String name : listed.getPropertyNames()) {
                    if (VARIABLE.matcher(name).matches() && !variables.containsKey(name)) {
                        variables.put(name, environment.getProperty(name, ""));
                    }
                }
            }
        });
        return variables;
    }

    DeferredInspection inspection() {
        return inspection;
    }

    GatewayHome home() {
        return home;
    }

    StorageSettings storage() {
        String url = properties.storage().url();
        return home.storage(url.substring(url.indexOf(':') + 1))
                .zone(properties.zone())
                .options(properties.storage().options())
                .environment(environment)
                .build();
    }

    ProviderSettings.Builder platform(String section) {
        return home.platform("parley.platforms." + section)
                .environment(environment)
                .inspection(inspection);
    }

    ProviderSettings.Builder agent(String name) {
        return home.agent("parley.agents." + name).environment(environment).inspection(inspection);
    }
}
