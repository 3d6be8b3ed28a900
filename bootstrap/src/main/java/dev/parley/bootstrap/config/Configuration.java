package dev.parley.bootstrap.config;

import dev.parley.application.settings.GatewaySettings;
import dev.parley.domain.key.Isolation;
import dev.parley.domain.reset.ResetPolicies;
import dev.parley.home.media.FileMedia;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The effective configuration, checked and typed (F13.1, F13.2).
 *
 * @param zone the zone of daily boundaries and session ids
 * @param isolation who shares a session
 * @param multiplexProfiles whether profiles have lanes of their own
 * @param agent the agent
 * @param gateway how the gateway behaves
 * @param storage where conversations are kept
 * @param cluster how the gateway shares the storage with others; absent where it has it to itself
 * @param writeSessionsJson whether the lanes are mirrored to {@code sessions/sessions.json}
 * @param platforms the platforms' sections, by name
 * @param observers the settings of what passes on what the gateway does, by name
 * @param media how many files are kept
 * @param extensions what extends the gateway, by name
 * @param pluginsStrict whether a plug-in that cannot be loaded stops the start
 * @param settings all effective settings with their origins, in order
 */
public record Configuration(
        ZoneId zone,
        Isolation isolation,
        boolean multiplexProfiles,
        AgentConfiguration agent,
        GatewaySettings gateway,
        StorageConfiguration storage,
        Optional<ClusterConfiguration> cluster,
        boolean writeSessionsJson,
        Map<String, PlatformConfiguration> platforms,
        Map<String, Map<String, String>> observers,
        FileMedia.Limits media,
        Map<String, ExtensionConfiguration> extensions,
        boolean pluginsStrict,
        List<Setting> settings) {
    public Configuration {
        platforms = Map.copyOf(platforms);
        extensions = Map.copyOf(extensions);
        observers = Map.copyOf(observers);
        settings = List.copyOf(settings);
        if (!writeSessionsJson) {
            storage = storage.with("write_sessions_json", "false");
        }
    }

    /** Returns when sessions end by themselves. */
    public ResetPolicies resets() {
        return gateway.resetPolicies();
    }
}
