package dev.parley.bootstrap.wiring;

import dev.parley.application.nodes.NodeSettings;
import dev.parley.bootstrap.config.ClusterConfiguration;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.home.HomeDirectory;
import java.lang.module.ModuleDescriptor;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** A gateway as one of the nodes that share a store. */
public final class NodeIdentity {
    private static final Pattern DECIDES = Pattern.compile(
            "^(zone|group_sessions_per_user|thread_sessions_per_user|multiplex_profiles|session_reset\\..*"
                    + "|reset_by_type\\..*|reset_by_platform\\..*|platforms\\.[^.]+\\.session_reset\\..*)$");

    private NodeIdentity() {}

    /**
     * Returns how a gateway of a home is one of several. What decides keys and sessions must be the same at all nodes, or one person would
     * have several lanes.
     */
    public static NodeSettings of(Configuration c, HomeDirectory home) {
        SortedMap<String, String> agreed = new TreeMap<>();
        c.settings().stream()
                .filter(setting -> DECIDES.matcher(setting.path()).find())
                .forEach(setting -> agreed.put(setting.path(), setting.shown()));
        return new NodeSettings(
                c.cluster().map(ClusterConfiguration::name).orElse("gateway"),
                version(),
                ProcessSurroundings.machine() + ":" + home.realPath(),
                agreed,
                c.cluster().map(ClusterConfiguration::lease).orElse(NodeSettings.LEASE));
    }

    private static String version() {
        return Optional.ofNullable(NodeIdentity.class.getPackage().getImplementationVersion())
                .or(() -> Optional.ofNullable(NodeIdentity.class.getModule().getDescriptor())
                        .flatMap(ModuleDescriptor::rawVersion))
                .orElse("unknown");
    }
}
