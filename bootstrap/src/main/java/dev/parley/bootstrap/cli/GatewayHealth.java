package dev.parley.bootstrap.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a running gateway says of its health.
 *
 * @param said everything it says, by name and in order
 */
record GatewayHealth(Map<String, String> said) {
    private static final String SINCE = "degraded_since";
    private static final String BECAUSE = "degraded_because";
    private static final String REFUSING = "refusing_because";

    GatewayHealth {
        said = new LinkedHashMap<>(said);
    }

    /** Returns what it says of its state and of a degraded storage, by name and in order. */
    Map<String, String> ofStorage() {
        Map<String, String> chosen = new LinkedHashMap<>();
        said.forEach((name, value) -> {
            if (name.equals("status") || name.equals(SINCE) || name.equals(BECAUSE) || name.equals(REFUSING)) {
                chosen.put(name, value);
            }
        });
        return chosen;
    }

    /** Returns in one line how its storage is degraded; absent if it is whole. */
    Optional<String> degraded() {
        return Optional.ofNullable(said.get(SINCE))
                .map(since -> "it is degraded since " + since + ": " + said.getOrDefault(BECAUSE, "")
                        + Optional.ofNullable(said.get(REFUSING))
                                .map(why -> " It refuses every message: " + why)
                                .orElse(""));
    }
}
