package dev.parley.bootstrap.cli;

import dev.parley.application.expiry.PolicyEffect;
import dev.parley.application.expiry.PolicyReplay;
import dev.parley.application.expiry.PolicyReplay.LaneReplay;
import dev.parley.application.expiry.PolicyReplay.Reset;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.spi.Storage;
import dev.parley.application.spi.StorageSettings.Mode;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.ConfigurationLoader;
import dev.parley.domain.reset.ResetPolicies;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What other reset policies would have done to the home's lanes, for people or as JSON.
 *
 * @param workplace the home and where output goes
 * @param storage the address of the storage; absent for the configured one
 */
record PolicyReport(Workplace workplace, Optional<String> storage) {
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
        throw new InvalidRequest("\"" + text + "\" is not a period; write one such as 30d, 12h or 2w.");
    }

    /**
     * Policies, and the zone of their daily boundary.
     *
     * @param resets when sessions end by themselves
     * @param zone the zone
     */
    record Policies(ResetPolicies resets, ZoneId zone) {}

    /** Prints the report on everything since {@code past} before now. */
    void print(Policies other, Duration past, boolean json) {
        Instant since = workplace.around().clock().instant().minus(past).truncatedTo(ChronoUnit.MICROS);
        Storage open = storage.isPresent()
                ? workplace.open(storage.get(), Mode.READ_ONLY, Map.of())
                : workplace.open(Optional.empty(), Mode.READ_ONLY);
        try {
            PolicyReplay replay = new PolicyReplay(open, other.zone());
            PolicyReplay.Walk walk =
                    Progress.during(workplace, "looking for lanes", () -> replay.walk(other.resets(), since));
            try (Progress progress = new Progress(workplace, "replaying lanes", walk.total())) {
                if (json) {
                    JsonRows rows = new JsonRows(workplace.out());
                    each(walk, progress, lane -> rows.add(row(lane, other.zone())));
                    rows.end();
                } else {
                    table(walk, progress, other.zone());
                }
            }
        } finally {
            open.close();
        }
    }

    private static void each(PolicyReplay.Walk walk, Progress progress, Consumer<LaneReplay> each) {
        while (!walk.isOver()) {
            walk.next().ifPresent(each);
            progress.at(walk.done(), walk.total());
        }
    }

    /** Reads the policies of another configuration; where it names no zone, the home's holds. */
    Policies read(Path policy) {
        Configuration own = workplace.configuration();
        if (!Files.isRegularFile(policy)) {
            throw new InvalidRequest("The policy " + policy
                    + (Files.exists(policy) ? " is not a file" : " is not there") + "; check --policy.");
        }
        var providers = workplace.providers();
        ConfigurationLoader loader = new ConfigurationLoader(
                providers.platformNames(),
                providers.platformSettings(),
                providers.agentSettings(),
                providers.storageOptions(),
                providers.extensionSettings(),
                providers.observerSettings(),
                own.zone());
        ConfigurationLoader.Loaded loaded = loader.load(Optional.of(policy), Map.of());
        Configuration other = workplace.require(loaded);
        loaded.problems().forEach(problem -> workplace.note("warning: " + problem.text()));
        return new Policies(other.resets(), other.zone());
    }

    private void table(PolicyReplay.Walk walk, Progress progress, ZoneId zone) {
        Table table = new Table("LANE", "TURNS", "RESETS", "WOULD BE", "TOKENS CARRIED", "WOULD BE");
        List<String> differences = new ArrayList<>();
        PolicyEffect all = new PolicyEffect(0);
        each(walk, progress, lane -> {
            all.add(lane);
            table.row(
                    lane.lane().value(),
                    Integer.toString(lane.turns()),
                    Integer.toString(lane.happened().size()),
                    Integer.toString(lane.imagined().size()),
                    Long.toString(lane.tokensCarried()),
                    Long.toString(lane.tokensImagined()));
            lane.imagined().forEach(reset -> differences.add(said(lane, reset, "would have been reset", zone)));
            lane.spared()
                    .forEach(reset -> differences.add(said(lane, reset, "was reset and would not have been", zone)));
        });
        PolicyEffect.Sums sums = all.sums();
        table.row(
                "all",
                Long.toString(sums.turns()),
                Long.toString(sums.happened()),
                Long.toString(sums.imagined()),
                Long.toString(sums.tokensCarried()),
                Long.toString(sums.tokensImagined()));
        table.print(workplace.out());
        differences.forEach(workplace.out()::println);
    }

    private static String said(LaneReplay lane, Reset reset, String what, ZoneId zone) {
        return MINUTE.format(reset.at().atZone(zone)) + "  " + lane.lane().value() + "  " + what + " ("
                + reset.reason().text() + ", last activity "
                + MINUTE.format(reset.lastActivity().atZone(zone)) + ", session "
                + reset.session().value() + ")";
    }

    private static Map<String, Object> row(LaneReplay lane, ZoneId zone) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("lane", lane.lane().value());
        row.put("policy", lane.policyFrom());
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
                    row.put("session", reset.session().value());
                    return row;
                })
                .toList();
    }

    private static String time(Instant at, ZoneId zone) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(at.atZone(zone));
    }
}
