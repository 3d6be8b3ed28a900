package dev.parley.spring;

import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.home.DeferredInspection;
import dev.parley.home.GatewayHome;
import dev.parley.home.StorageAt;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
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
    private final CompletableFuture<GatewayEvents> listeners = new CompletableFuture<>();

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

    /** Returns the gateway's listeners, once they are together: those may need the storage themselves. */
    CompletableFuture<GatewayEvents> listeners() {
        return listeners;
    }

    GatewayHome home() {
        return home;
    }

    /**
     * Returns the storage of a property.
     *
     * @throws InvalidRequest where the address has no scheme, or nothing on the class path has it
     */
    StorageAt storage(Providers providers, String property, String url, Map<String, String> options) {
        int colon = url.indexOf(':');
        if (colon <= 0 || colon == url.length() - 1) {
            throw new InvalidRequest(
                    property + " is \"" + url + "\", which is not SCHEME:ADDRESS, such as sqlite:state.db.");
        }
        home.makeStoragePrivate(url);
        return new StorageAt(
                providers.storage(url.substring(0, colon)),
                home.storage(url.substring(colon + 1))
                        .zone(properties.zone())
                        .options(options)
                        .environment(environment)
                        .build());
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
