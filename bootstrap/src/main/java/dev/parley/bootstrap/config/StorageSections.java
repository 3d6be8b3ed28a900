package dev.parley.bootstrap.config;

import dev.parley.application.nodes.NodeSettings;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads where everything is kept, and whether several gateways share it: {@code storage} and {@code cluster}. */
final class StorageSections {
    private final ConfigReader read;
    private final Map<String, Set<String>> storageOptions;

    /**
     * Reads nothing yet.
     *
     * @param storageOptions the options of each storage backend, by its scheme
     */
    StorageSections(ConfigReader read, Map<String, Set<String>> storageOptions) {
        this.read = read;
        this.storageOptions = storageOptions;
    }

    /** Returns where conversations are kept, and what stands in where that fails. */
    StorageConfiguration storage(boolean shared) {
        String url = read.text("storage.url").orElse("sqlite:state.db");
        read.override("storage.url", url, read.originOf("storage.url"));
        checkAddress("storage.url", url);
        Optional<String> fallback = read.text("storage.fallback");
        String effective = fallback.orElse(shared ? "none" : "jsonl:spill");
        read.override("storage.fallback", effective, read.originOf("storage.fallback"));
        boolean off = effective.equalsIgnoreCase("none") || effective.equalsIgnoreCase("off");
        if (!off) {
            checkAddress("storage.fallback", effective);
            if (isSameAddress(url, effective)) {
                read.error(
                        "storage.fallback",
                        "storage.fallback is \"" + effective
                                + "\", the storage itself, which cannot stand in for itself; name another, or none");
            }
        }
        // These have settings of their own: the mirror under the name it has elsewhere, the patience for the gateway
        // alone.
        Set<String> options = storageOptions.getOrDefault(scheme(url), Set.of()).stream()
                .filter(name -> !name.equals("write_sessions_json") && !name.equals("busy_patience_ms"))
                .collect(Collectors.toSet());
        return new StorageConfiguration(
                url,
                off ? Optional.empty() : Optional.of(effective),
                Duration.ofSeconds(read.wholeWithin("storage.busy_patience", 3, 0, 3_600)),
                read.valuesOf("storage.options", options));
    }

    /** With more than one node none may go on alone: others would take its lanes, and two agents would answer one person. */
    Optional<ClusterConfiguration> cluster(boolean shared, StorageConfiguration storage) {
        String name = read.text("cluster.name").orElse("node");
        read.override("cluster.name", name, read.originOf("cluster.name"));
        ClusterConfiguration cluster = new ClusterConfiguration(
                name,
                Duration.ofSeconds(read.wholeWithin("cluster.lease_seconds", NodeSettings.LEASE.toSeconds(), 2, 60)));
        if (!shared) {
            return Optional.empty();
        }
        if (!scheme(storage.url()).equals("postgres")) {
            read.error(
                    "storage.url",
                    "the storage \"" + storage.url() + "\" serves one gateway only; with cluster.enabled it is a"
                            + " postgres: address that all nodes have");
        }
        if (storage.fallback().isPresent()) {
            read.error(
                    "storage.fallback",
                    "storage.fallback must be none with cluster.enabled: a node that goes on alone while it does not reach"
                            + " the database would answer people whom another node answers too");
        }
        return Optional.of(cluster);
    }

    private void checkAddress(String path, String url) {
        if (!storageOptions.containsKey(scheme(url))) {
            read.error(
                    path,
                    "\"" + url + "\" names no storage that is here; write SCHEME:ADDRESS with one of "
                            + storageOptions.keySet().stream().sorted().collect(Collectors.joining(", ")));
        }
    }

    private static boolean isSameAddress(String one, String other) {
        return scheme(one).equals(scheme(other)) && address(one).equals(address(other));
    }

    private static String address(String url) {
        String address = url.substring(url.indexOf(':') + 1);
        try {
            return Path.of(address).normalize().toString();
        } catch (InvalidPathException e) {
            return address;
        }
    }

    private static String scheme(String url) {
        int colon = url.indexOf(':');
        return colon < 0 ? "" : url.substring(0, colon);
    }
}
