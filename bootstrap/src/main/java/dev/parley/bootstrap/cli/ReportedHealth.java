package dev.parley.bootstrap.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a running gateway says of its health.
 *
 * @param said everything it says of itself, by name and in order
 * @param platforms what it says of each platform, by name; empty while it starts
 */
record ReportedHealth(Map<String, String> said, List<Map<String, String>> platforms) {
    private static final String SINCE = "degraded_since";
    private static final String BECAUSE = "degraded_because";
    private static final String REFUSING = "refusing_because";

    ReportedHealth {
        said = new LinkedHashMap<>(said);
        platforms = List.copyOf(platforms);
    }

    /** Returns what it says of a platform; absent where it does not have it. */
    Optional<Map<String, String>> platform(String name) {
        return platforms.stream()
                .filter(said -> name.equals(said.get("platform")))
                .findFirst();
    }

    /** Returns whether it has not got as far as its platforms. */
    boolean isStarting() {
        return "starting".equals(said.get("status"));
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

    /** Returns in one line that an operator holds new turns back; absent if nobody does. */
    Optional<String> held() {
        return Optional.ofNullable(said.get("held"));
    }

    /** Returns in one line why its tasks do not get on; absent if they do. */
    Optional<String> starved() {
        return Optional.ofNullable(said.get("starved_because"))
                .map(why -> "its tasks wait since " + said.getOrDefault("starved_since", "") + ": " + why + ".");
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
