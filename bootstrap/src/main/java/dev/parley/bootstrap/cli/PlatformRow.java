package dev.parley.bootstrap.cli;

import dev.parley.bootstrap.wiring.Closer;
import dev.parley.bootstrap.wiring.GatewayParts;
import dev.parley.bootstrap.wiring.Trial;
import dev.parley.home.GatewayLock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A platform that this build has, as an operator sees it.
 *
 * @param section its section in the configuration
 * @param state one word: what the running gateway says, else {@code stopped}, {@code incomplete}, {@code off}, {@code unconfigured} or
 *     {@code unknown}
 * @param since since when, as the gateway says it; absent where none says it
 * @param error what is wrong, or was wrong last; absent where nothing was
 * @param advice what to do; absent where nothing is to be done
 * @param missing what is missing before it can be started, a line each
 */
record PlatformRow(
        String section,
        String state,
        Optional<String> since,
        Optional<String> error,
        Optional<String> advice,
        List<String> missing) {
    static final String INCOMPLETE = "incomplete";
    private static final Set<String> WELL = Set.of("connected", "stopped", "off", "unconfigured");
    private static final Set<String> BAD = Set.of("away", "refused", INCOMPLETE);

    PlatformRow {
        missing = List.copyOf(missing);
    }

    /** Returns all platforms by section. What the running gateway says of one goes before what this process sees of its settings. */
    static List<PlatformRow> all(Workplace w) {
        boolean running = w.home().exists() && GatewayLock.isHeld(w.home());
        Optional<ReportedHealth> health = running ? w.gatewayHealth() : Optional.empty();
        Set<String> warnings = new TreeSet<>();
        List<PlatformRow> rows = new ArrayList<>();
        try (Closer closer = new Closer()) {
            Trial.needs(new GatewayParts(
                            w.configuration(),
                            w.home(),
                            w.around().userHome(),
                            w.providers(),
                            w.around().environment(),
                            w.around().clock(),
                            w.around().terminal(),
                            Optional.empty(),
                            closer,
                            warnings::add))
                    .forEach((section, need) -> rows.add(health.flatMap(said -> said.platform(need.platform()))
                            .map(said -> told(section, said))
                            .orElseGet(() -> untold(section, need, running, health))));
        }
        warnings.forEach(warning -> w.note("warning: " + warning));
        return rows;
    }

    private static PlatformRow told(String section, Map<String, String> said) {
        return new PlatformRow(
                section,
                said.getOrDefault("state", "unknown"),
                Optional.ofNullable(said.get("since")),
                Optional.ofNullable(said.get("error")),
                Optional.ofNullable(said.get("advice")),
                List.of());
    }

    /** A platform of which no gateway says anything. */
    private static PlatformRow untold(
            String section, Trial.Need need, boolean running, Optional<ReportedHealth> health) {
        if (!need.wanted()) {
            List<String> missing = new ArrayList<>(List.of("platforms." + section + ".enabled is not true."));
            missing.addAll(need.missing());
            return row(section, need.configured() ? "off" : "unconfigured", Optional.empty(), missing);
        }
        if (running && health.isEmpty()) {
            return row(
                    section,
                    "unknown",
                    Optional.of(
                            "The gateway runs and does not say how it is; switch platforms.http on, or look into its log."),
                    List.of());
        }
        if (running && health.get().isStarting()) {
            return row(section, "connecting", Optional.empty(), List.of());
        }
        Optional<String> restart =
                running ? Optional.of("The gateway was started without it; restart the gateway.") : Optional.empty();
        return row(section, need.missing().isEmpty() ? "stopped" : INCOMPLETE, restart, need.missing());
    }

    private static PlatformRow row(String section, String state, Optional<String> advice, List<String> missing) {
        return new PlatformRow(section, state, Optional.empty(), Optional.empty(), advice, missing);
    }

    /** Returns whether nothing is to be told about it. */
    boolean isWell() {
        return WELL.contains(state);
    }

    /** Returns whether it is not to be started. */
    boolean isIdle() {
        return state.equals("off") || state.equals("unconfigured");
    }

    /** Returns whether it cannot do its work. */
    boolean isBad() {
        return BAD.contains(state);
    }

    /** Returns everything to be said beside the state: the error, what is missing, what to do. */
    String text() {
        List<String> lines = new ArrayList<>();
        error.ifPresent(what -> lines.add(isWell() ? "last error: " + what : what));
        lines.addAll(missing);
        advice.ifPresent(lines::add);
        return lines.stream().map(PlatformRow::sentence).collect(Collectors.joining(" "));
    }

    /** A platform's error need not end as a sentence does. */
    private static String sentence(String line) {
        return line.isEmpty() || ".!?".indexOf(line.charAt(line.length() - 1)) >= 0 ? line : line + ".";
    }

    /** Returns it as a row of JSON. */
    Map<String, Object> json() {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("platform", section);
        row.put("state", state);
        since.ifPresent(time -> row.put("since", time));
        error.ifPresent(what -> row.put("error", what));
        advice.ifPresent(what -> row.put("advice", what));
        row.put("missing", missing);
        return row;
    }
}
