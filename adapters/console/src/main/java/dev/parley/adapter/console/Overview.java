package dev.parley.adapter.console;

import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.TurnQuery;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageSum;
import java.lang.module.ModuleDescriptor;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The first page: how the gateway is, what runs and waits, and what happened last.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 * @param nodes the gateways that share the store
 * @param lanes lists lanes
 * @param history lists what changed
 * @param incidents knows when the gateway started
 */
record Overview(
        GatewayInspection gateway, Frames frames, Nodes nodes, LaneList lanes, History history, Incidents incidents) {
    private static final Duration QUARTER = Duration.ofMinutes(15);
    private static final int QUARTERS = 96;
    private static final double WIDTH = 7.5;

    String page(PageRequest request) {
        Times times = request.times();
        GatewayHealth health = gateway.health();
        List<Pages.Fact> facts = new ArrayList<>();
        facts.add(new Pages.Fact("State", Frames.word(health), "", Frames.mood(health)));
        facts.add(new Pages.Fact(
                "Running turns",
                Words.number(health.running()),
                Link.to("/lanes").text(),
                ""));
        if (health.awaitingPlace() > 0) {
            facts.add(new Pages.Fact(
                    "Lanes that wait for a place",
                    Words.number(health.awaitingPlace()),
                    Link.to("/lanes").text(),
                    "warn"));
        }
        String trouble = Reads.trying(() -> {
            List<Inbound> waiting = gateway.queue().admitted();
            facts.add(new Pages.Fact(
                    "Waiting messages",
                    Words.number(waiting.size()),
                    Link.to("/lanes").text(),
                    ""));
            waiting.stream()
                    .map(Inbound::receivedAt)
                    .min(Instant::compareTo)
                    .ifPresent(oldest ->
                            facts.add(Pages.Fact.of("Oldest wait", Times.span(Duration.between(oldest, times.now())))));
            facts.add(new Pages.Fact(
                    "Undelivered",
                    Words.number(gateway.queue().undelivered().size()),
                    Link.to("/deliveries").text(),
                    ""));
            facts.add(new Pages.Fact(
                    "Lanes",
                    Words.number(gateway.countLanes()),
                    Link.to("/lanes").text(),
                    ""));
            int failed = gateway.queue()
                    .turns(TurnQuery.first(100)
                            .states(Set.of(Turn.State.FAILED))
                            .since(times.now().minus(Duration.ofDays(1))))
                    .rows()
                    .size();
            facts.add(new Pages.Fact(
                    "Failed in 24 h",
                    failed == 100 ? "100 or more" : String.valueOf(failed),
                    Link.to("/failures").text(),
                    failed > 0 ? "warn" : ""));
        });
        List<Pages.Plot> plots = new ArrayList<>();
        String uncounted = Reads.trying(() -> {
            List<UsageSlot> slots = used(times);
            facts.add(today(slots, times));
            plots.addAll(turns(slots, times));
        });
        incidents.start().ifPresent(start -> facts.add(new Pages.Fact("Started", times.ago(start.at()), "", "when")));
        version().ifPresent(version -> facts.add(new Pages.Fact("Version", version, "", "when")));
        List<Table> tables = new ArrayList<>();
        if (!gateway.platforms().isEmpty()) {
            tables.add(platforms(times));
        }
        nodes.table(times).ifPresent(tables::add);
        tables.add(lanes.atWork("At work", times));
        tables.add(history.latest(times));
        String intro = trouble.isEmpty() && uncounted.isEmpty()
                ? Operating.done(request)
                : "Some of this cannot be shown now: " + (trouble.isEmpty() ? uncounted : trouble);
        String holds = health.held() ? Operating.RELEASE : Operating.HOLD;
        return Sheet.of(frames.of(request, "Overview", "lane storage delivery"))
                .intro(intro)
                .facts(facts)
                .deeds(request.operates() ? List.of(Operating.deed(holds, Link.to(holds))) : List.of())
                .plots(plots)
                .tables(tables)
                .html();
    }

    /** Returns the version that runs; absent where this is part of another program. */
    private static Optional<String> version() {
        return Optional.ofNullable(Overview.class.getModule().getDescriptor())
                .flatMap(ModuleDescriptor::rawVersion)
                .map(Words::line);
    }

    /** What was used in the last day, and since this one began in the gateway's zone. */
    private List<UsageSlot> used(Times times) {
        Instant first = firstQuarter(times);
        Instant midnight = midnight(times);
        return gateway.sessions()
                .usage(
                        midnight.isBefore(first) ? midnight : first,
                        lastQuarter(times).plus(QUARTER));
    }

    private static Instant midnight(Times times) {
        return LocalDate.ofInstant(times.now(), times.zone())
                .atStartOfDay(times.zone())
                .toInstant();
    }

    private static Instant lastQuarter(Times times) {
        return UsageSlot.Key.at(times.now(), "", Optional.empty()).start();
    }

    private static Instant firstQuarter(Times times) {
        return lastQuarter(times).minus(QUARTER.multipliedBy(QUARTERS - 1L));
    }

    private static Pages.Fact today(List<UsageSlot> slots, Times times) {
        Instant midnight = midnight(times);
        UsageSum sum = UsageSum.of(slots.stream()
                .filter(slot -> !slot.key().start().isBefore(midnight))
                .toList());
        String cost = Words.dollars(sum.costUsd());
        return new Pages.Fact(
                "Today",
                Words.count(sum.turns(), "turn") + ", "
                        + Words.count(sum.tokens().total(), "token")
                        + (cost.isEmpty() ? "" : ", " + cost),
                Link.to("/usage").with("days", "7").text(),
                "long");
    }

    /** The turns of the last day by quarter of an hour; nothing where there was none. */
    private static List<Pages.Plot> turns(List<UsageSlot> slots, Times times) {
        Instant first = firstQuarter(times);
        long[] turns = new long[QUARTERS];
        slots.stream().filter(slot -> !slot.key().start().isBefore(first)).forEach(slot -> {
            int quarter = (int) (Duration.between(first, slot.key().start()).toSeconds() / QUARTER.toSeconds());
            if (quarter < QUARTERS) {
                turns[quarter] += slot.turns();
            }
        });
        long most = Arrays.stream(turns).max().orElse(0);
        if (most == 0) {
            return List.of();
        }
        List<Pages.Bar> bars = new ArrayList<>();
        for (int quarter = 0; quarter < QUARTERS; quarter++) {
            double height = 170.0 * turns[quarter] / most;
            if (height > 0) {
                bars.add(new Pages.Bar(
                        quarter * WIDTH,
                        180 - height,
                        WIDTH - 1,
                        height,
                        "input",
                        times.exact(first.plus(QUARTER.multipliedBy(quarter))) + ": "
                                + Words.count(turns[quarter], "turn")));
            }
        }
        return List.of(new Pages.Plot(
                "small",
                "Turns of the last day",
                List.of(),
                Words.count(Arrays.stream(turns).sum(), "turn") + ", at most " + Words.number(most)
                        + " in a quarter of an hour",
                times.exact(first),
                "now",
                bars));
    }

    private Table platforms(Times times) {
        return Table.of(
                "Platforms",
                List.of("Platform", "State", "Since", "What is wrong"),
                gateway.platforms().stream()
                        .map(each -> Row.of(
                                "platform-" + each.platform().name(),
                                Cell.text("Platform", each.platform().name()),
                                Cell.text("State", each.standing().word()).in(mood(each.standing())),
                                times.cell("Since", each.since()),
                                Cell.text("What is wrong", wrong(each))))
                        .toList(),
                "");
    }

    private static String mood(PlatformState.Standing standing) {
        return switch (standing) {
            case CONNECTED -> "ok";
            case CONNECTING, TROUBLED -> "warn";
            case AWAY, REFUSED -> "bad";
        };
    }

    private static String wrong(PlatformState state) {
        String error = state.error()
                .map(what -> state.standing() == PlatformState.Standing.CONNECTED ? "last error: " + what : what)
                .orElse("");
        return Words.line(error + state.advice().map(what -> " " + what).orElse(""))
                .strip();
    }
}
