package dev.parley.bootstrap.cli;

import dev.parley.application.expiry.PolicyReplay;
import dev.parley.application.expiry.PolicyReplay.LaneReplay;
import dev.parley.application.expiry.PolicyReplay.Reset;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ConfigurationLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What another reset policy would have done to the home's lanes, for people or as JSON.
 *
 * @param workplace the home and where output goes
 * @param policy the configuration with the other policy
 * @param storage the address of the storage; absent for the configured one
 */
record PolicyReport(Workplace workplace, Path policy, Optional<String> storage) {
    private static final Pattern PERIOD = Pattern.compile("(\\d{1,6})([wdhm])");
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm");

    /** Returns the length of a period such as {@code 30d}, {@code 12h} or {@code PT36H}. */
    static Duration period(String text) {
        Matcher m = PERIOD.matcher(text.strip().toLowerCase(java.util.Locale.ROOT));
        if (m.matches()) {
            long count = Long.parseLong(m.group(1));
            return switch (m.group(2)) {
                case "w" -> Duration.ofDays(7 * count);
                case "d" -> Duration.ofDays(count);
                case "h" -> Duration.ofHours(count);
                default -> Duration.ofMinutes(count);
            };
        }
        try {
            Duration period = Duration.parse(text.strip());
            if (!period.isNegative()) {
                return period;
            }
        } catch (DateTimeException e) {
            // said below
        }
        throw new InvalidRequest("\"" + text + "\" is not a period; write --from-history 30d, 12h or 2w.");
    }

    /** Prints the report on everything since {@code past} before now. */
    void print(Duration past, boolean json) {
        Configuration own = workplace.configuration();
        Configuration other = other(own);
        Instant since = workplace.around().clock().instant().minus(past).truncatedTo(ChronoUnit.MICROS);
        List<LaneReplay> lanes;
        Storage open = storage.isPresent()
                ? workplace.open(storage.get(), Mode.READ_ONLY, Map.of())
                : workplace.open(Optional.empty(), Mode.READ_ONLY);
        try {
            lanes = new PolicyReplay(open, other.zone()).replay(other.resets(), since);
        } finally {
            open.close();
        }
        if (json) {
            workplace.json(lanes.stream().map(lane -> row(lane, other.zone())).toList());
        } else {
            table(lanes, other.zone());
        }
    }

    /** Reads the other configuration; where it names no zone, the home's holds. */
    private Configuration other(Configuration own) {
        if (!Files.isRegularFile(policy)) {
            throw new InvalidRequest("The policy " + policy + " is not there; check --policy.");
        }
        var providers = workplace.providers();
        ConfigurationLoader loader = new ConfigurationLoader(
                providers.platformNames(),
                providers.platformSettings(),
                providers.agentSettings(),
                providers.storageOptions(),
                own.zone());
        ConfigurationLoader.Loaded loaded = loader.load(Optional.of(policy), Map.of());
        Configuration other = workplace.require(loaded);
        loaded.problems().forEach(problem -> workplace.note("warning: " + problem.text()));
        return other;
    }

    private void table(List<LaneReplay> lanes, ZoneId zone) {
        Table table = new Table("LANE", "TURNS", "RESETS", "WOULD BE", "TOKENS CARRIED", "WOULD BE");
        for (LaneReplay lane : lanes) {
            table.row(
                    lane.lane().value(),
                    Integer.toString(lane.turns()),
                    Integer.toString(lane.happened().size()),
                    Integer.toString(lane.imagined().size()),
                    Long.toString(lane.tokensCarried()),
                    Long.toString(lane.tokensImagined()));
        }
        table.row(
                "all",
                Integer.toString(lanes.stream().mapToInt(LaneReplay::turns).sum()),
                Integer.toString(
                        lanes.stream().mapToInt(l -> l.happened().size()).sum()),
                Integer.toString(
                        lanes.stream().mapToInt(l -> l.imagined().size()).sum()),
                Long.toString(
                        lanes.stream().mapToLong(LaneReplay::tokensCarried).sum()),
                Long.toString(
                        lanes.stream().mapToLong(LaneReplay::tokensImagined).sum()));
        table.print(workplace.out());
        for (LaneReplay lane : lanes) {
            for (Reset reset : lane.imagined()) {
                workplace
                        .out()
                        .println(MINUTE.format(reset.at().atZone(zone)) + "  "
                                + lane.lane().value() + "  would have been reset ("
                                + reset.reason().text() + ", last activity "
                                + MINUTE.format(reset.lastActivity().atZone(zone)) + ")");
            }
        }
    }

    private static Map<String, Object> row(LaneReplay lane, ZoneId zone) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("lane", lane.lane().value());
        row.put("turns", lane.turns());
        row.put("resets", resets(lane.happened(), zone));
        row.put("would_reset", resets(lane.imagined(), zone));
        row.put("tokens_carried", lane.tokensCarried());
        row.put("tokens_would_carry", lane.tokensImagined());
        return row;
    }

    private static List<Map<String, Object>> resets(List<Reset> resets, ZoneId zone) {
        return resets.stream()
                .map(reset -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("at", time(reset.at(), zone));
                    row.put("reason", reset.reason().text());
                    row.put("last_activity", time(reset.lastActivity(), zone));
                    return row;
                })
                .toList();
    }

    private static String time(Instant at, ZoneId zone) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(at.atZone(zone));
    }
}
