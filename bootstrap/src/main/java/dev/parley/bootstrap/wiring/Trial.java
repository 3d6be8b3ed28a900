package dev.parley.bootstrap.wiring;

import dev.parley.application.port.Cursors;
import dev.parley.application.port.GatewayEvents;
import dev.parley.application.port.InvalidRequest;
import dev.parley.bootstrap.config.PlatformConfiguration;
import dev.parley.home.GatewayThreads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Makes the parts of a gateway as they are configured, without opening or starting any: what they refuse is told before a start. */
public final class Trial {
    private Trial() {}

    /**
     * Returns what the storage, the agent and the platforms that are to be started cannot take of their settings, a line each. They are
     * made and not started; nothing is opened. A setting that is refused is left out, and the rest is tried again, so that all of a
     * section's settings that cannot be are told. Each warning is told once.
     */
    public static List<String> refusals(GatewayParts given) {
        Set<String> told = ConcurrentHashMap.newKeySet();
        GatewayParts parts = given.warning(warning -> {
            if (told.add(warning)) {
                given.warnings().accept(warning);
            }
        });
        List<String> refusals = new ArrayList<>();
        try (GatewayThreads threads = new GatewayThreads()) {
            Provided provided = Provided.onTrial(parts, threads);
            List<Making> makings = new ArrayList<>();
            var storage = parts.configuration().storage();
            makings.add(new Making(
                    "storage", () -> Storages.of(parts, provided.ids()).check(storage.url(), storage.options())));
            var agent = parts.configuration().agent();
            makings.forEach(making -> making.refusal(Making.PATIENCE).ifPresent(refusals::add));
            makings.clear();
            refusals.addAll(Making.refusals("agents." + agent.provider(), agent.settings(), provided::agent));
            Cursors cursors = Cursors.inMemory();
            parts.wanted()
                    .forEach((section, values) -> refusals.addAll(Making.refusals(
                            "platforms." + section,
                            values,
                            some -> provided.platform(section, some, List.of(), cursors))));
            parts.wanted()
                    .keySet()
                    .forEach(section -> ConfiguredAuthorization.missing(
                                    Objects.requireNonNull(
                                            parts.providers().platforms().get(section)),
                                    parts.configuration())
                            .ifPresent(refusals::add));
            Extensions.Collected made = new Extensions.Collected();
            provided.extensionSteps(parts.warnings())
                    .forEach(step -> makings.add(new Making("plugins." + step.name(), () -> step.into(made))));
            makings.add(new Making("observers", () -> provided.observers(GatewayEvents.NONE)));
            makings.forEach(making -> making.refusal(Making.PATIENCE).ifPresent(refusals::add));
        }
        return refusals;
    }

    /**
     * What a platform that this build has needs.
     *
     * @param platform its name
     * @param configured whether the configuration has a section for it
     * @param wanted whether it is to be started
     * @param missing what is missing before it can be, a line each
     */
    public record Need(String platform, boolean configured, boolean wanted, List<String> missing) {
        public Need {
            missing = List.copyOf(missing);
        }
    }

    /** Returns what each platform of this build needs, by section. They are made and not started; nothing is opened. */
    public static Map<String, Need> needs(GatewayParts parts) {
        Map<String, Need> needs = new LinkedHashMap<>();
        Map<String, Map<String, String>> wanted = parts.wanted();
        try (GatewayThreads threads = new GatewayThreads()) {
            Provided provided = Provided.onTrial(parts, threads);
            parts.providers().platforms().forEach((section, provider) -> {
                Optional<PlatformConfiguration> configured =
                        Optional.ofNullable(parts.configuration().platforms().get(section));
                Map<String, String> values =
                        configured.map(PlatformConfiguration::settings).orElse(Map.of());
                List<String> missing = new ArrayList<>();
                ConfiguredAuthorization.missing(provider, parts.configuration()).ifPresent(missing::add);
                try {
                    provided.platform(section, values, List.of(), Cursors.inMemory());
                } catch (InvalidRequest e) {
                    missing.add(String.valueOf(e.getMessage()));
                }
                needs.put(
                        section,
                        new Need(provider.name().name(), configured.isPresent(), wanted.containsKey(section), missing));
            });
        }
        return needs;
    }
}
