package dev.parley.bootstrap.wiring;

import dev.parley.application.port.AgentFactory;
import dev.parley.application.port.ChatPlatform;
import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Ids;
import dev.parley.application.port.MediaStore;
import dev.parley.application.spi.Observer;
import dev.parley.application.spi.ProviderSettings;
import dev.parley.application.spi.WebSurface;
import dev.parley.home.DeferredInspection;
import dev.parley.home.GatewayThreads;
import dev.parley.home.media.FileMedia;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What providers make, with what each of them is given.
 *
 * @param parts what the gateway is put together from
 * @param ids makes ids
 * @param threads runs them
 * @param inspection looks into the gateway
 * @param media keeps files
 */
record Provided(GatewayParts parts, Ids ids, GatewayThreads threads, DeferredInspection inspection, MediaStore media) {
    /** For a look at what can be made: nothing that is made is used. */
    static Provided onTrial(GatewayParts parts, GatewayThreads threads) {
        return new Provided(parts, ProcessSurroundings.ids(), threads, inspection(parts), media(parts));
    }

    /** Returns how what plug-ins add is made, a step each. */
    List<Extensions.Step> extensionSteps(Consumer<String> warnings) {
        return Extensions.steps(
                parts.providers(),
                parts.configuration(),
                (name, values) ->
                        settings("plugins." + name, values, threads.agents()).keeping(Cursors.inMemory(), media),
                warnings);
    }

    /** Makes the agent. */
    AgentFactory agent() {
        return agent(parts.configuration().agent().settings());
    }

    /** Makes the agent with other settings. */
    AgentFactory agent(Map<String, String> values) {
        String name = parts.configuration().agent().provider();
        return parts.providers()
                .agent(name)
                .create(settings("agents." + name, values, threads.agents()).keeping(Cursors.inMemory(), media));
    }

    /** Makes a platform, not yet started. */
    ChatPlatform platform(String section, Map<String, String> values, List<WebSurface> surfaces, Cursors cursors) {
        return Objects.requireNonNull(parts.providers().platforms().get(section))
                .create(settings("platforms." + section, values, threads.executor())
                        .keeping(cursors, media)
                        .showing(section.equals(GatewayParts.HTTP) ? surfaces : List.of()));
    }

    /** What the web server shows beside its own: nothing where there is no web server, or it is switched off. */
    List<WebSurface> surfaces() {
        Map<String, String> values = parts.wanted().get(GatewayParts.HTTP);
        if (values == null) {
            return List.of();
        }
        ProviderSettings settings = settings("platforms." + GatewayParts.HTTP, values, threads.executor());
        Stream<WebSurface> provided = parts.providers().surfaces().values().stream()
                .filter(provider -> settings.value(provider.name())
                        .filter(word -> word.equalsIgnoreCase("off") || word.equalsIgnoreCase("false"))
                        .isEmpty())
                .map(provider -> provider.create(settings));
        return Stream.concat(provided, parts.surfaces().stream()).toList();
    }

    /** What passes on what the gateway does, not yet started. */
    List<Observer> observers(GatewayEvents failures) {
        return parts.providers().observers().values().stream()
                .flatMap(provider -> provider
                        .create(
                                settings(
                                        "observers." + provider.name(),
                                        parts.configuration().observers().getOrDefault(provider.name(), Map.of()),
                                        threads.executor()),
                                failures)
                        .stream())
                .toList();
    }

    private ProviderSettings settings(String path, Map<String, String> values, Executor executor) {
        return ProviderSettings.builder(path, parts.home().path())
                .values(values)
                .environment(parts.environment())
                .clock(parts.clock())
                .ids(ids)
                .timers(threads)
                .executor(executor)
                .warnings(parts.warnings())
                .inspection(inspection)
                .build();
    }

    /** Returns where files are kept. */
    static MediaStore media(GatewayParts parts) {
        return new FileMedia(parts.home(), parts.configuration().media(), parts.clock());
    }

    /** Returns what looks into the gateway once it is there, and shows how it is configured. */
    static DeferredInspection inspection(GatewayParts parts) {
        DeferredInspection inspection = new DeferredInspection(
                parts.configuration().zone(),
                parts.configuration().settings().stream()
                        .map(setting ->
                                new GatewayInspection.ShownSetting(setting.path(), setting.shown(), setting.origin()))
                        .toList(),
                limit -> AuditFile.latest(parts.home().path(), limit));
        return parts.exports().map(inspection::exporting).orElse(inspection);
    }
}
