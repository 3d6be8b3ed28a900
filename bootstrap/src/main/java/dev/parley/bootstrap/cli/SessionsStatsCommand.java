package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.SessionStatistics;
import dev.parley.application.spi.Storage;
import dev.parley.application.view.PlainRows;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageSum;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says how much is stored and what it has cost. */
@Command(name = "stats", description = "totals, and per model; with --by, what was used in the last days")
final class SessionsStatsCommand implements Callable<Integer> {
    private static final int MOST_DAYS = 3660;
    private static final int NAME = 60;

    private final SessionsCommand sessions;

    @Option(
            names = "--by",
            paramLabel = "day|model|platform",
            description = "what turns used, by the day of the configured zone, by model or by platform")
    private UsageSum.@Nullable By by;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "30",
            description = "with --by: the last N days (default: 30), today included")
    private int days;

    @Mixin
    private final JsonOption json = new JsonOption();

    SessionsStatsCommand(SessionsCommand sessions) {
        this.sessions = sessions;
    }

    @Override
    public Integer call() {
        Workplace w = sessions.workplace();
        UsageSum.By wanted = by;
        if (wanted != null) {
            return used(w, wanted);
        }
        try (Storage storage = sessions.look()) {
            SessionStatistics statistics = storage.sessions().statistics();
            if (json.isWanted()) {
                w.json(PlainRows.statistics(statistics));
                return ExitCode.DONE.code();
            }
            w.out()
                    .println(statistics.sessions() + " sessions, " + statistics.messages() + " messages, "
                            + statistics.tokens().total() + " tokens");
            Table table = new Table("MODEL", "SESSIONS", "INPUT", "OUTPUT", "COST USD");
            statistics
                    .models()
                    .forEach(m -> table.row(
                            m.model(),
                            Long.toString(m.sessions()),
                            Long.toString(m.tokens().input()),
                            Long.toString(m.tokens().output()),
                            m.estimatedCostUsd()
                                    .map(SessionsStatsCommand::dollars)
                                    .orElse("-")));
            table.print(w.out());
        }
        return ExitCode.DONE.code();
    }

    /** Usage is that of the turns when they ended, so it stays where sessions are deleted. */
    private int used(Workplace w, UsageSum.By wanted) {
        if (days < 1 || days > MOST_DAYS) {
            throw new InvalidRequest("--days is " + days + "; say a number from 1 to " + MOST_DAYS + ".");
        }
        ZoneId zone = w.configuration().zone();
        LocalDate today = LocalDate.ofInstant(w.around().clock().instant(), zone);
        Instant from = today.minusDays(days - 1L).atStartOfDay(zone).toInstant();
        Instant to = today.plusDays(1).atStartOfDay(zone).toInstant();
        List<UsageSlot> slots;
        try (Storage storage = sessions.look()) {
            slots = storage.sessions().usage(from, to);
        }
        SortedMap<String, UsageSum> sums = UsageSum.of(slots, wanted, zone);
        if (json.isWanted()) {
            w.json(sums.entrySet().stream()
                    .map(each -> PlainRows.usage(wanted, each.getKey(), each.getValue()))
                    .toList());
            return ExitCode.DONE.code();
        }
        UsageSum all = UsageSum.of(slots);
        w.out()
                .println(all.turns() + " turns, " + all.tokens().total() + " tokens, USD " + dollars(all.costUsd())
                        + " in " + days + (days == 1 ? " day" : " days") + " (" + zone + ")");
        Table table = new Table(
                wanted.name(), "TURNS", "INPUT", "CACHE READ", "CACHE WRITE", "OUTPUT", "REASONING", "COST USD");
        sums.forEach((name, sum) -> table.row(
                name.isEmpty() ? "-" : OneLine.of(name, NAME),
                Long.toString(sum.turns()),
                Long.toString(sum.tokens().input()),
                Long.toString(sum.tokens().cacheRead()),
                Long.toString(sum.tokens().cacheWrite()),
                Long.toString(sum.tokens().output()),
                Long.toString(sum.tokens().reasoning()),
                dollars(sum.costUsd())));
        table.print(w.out());
        return ExitCode.DONE.code();
    }

    private static String dollars(double cost) {
        return String.format(Locale.ROOT, "%.4f", cost);
    }
}
