package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.spi.WebResponse;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageSum;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * What was used, by day of the gateway's zone, by model or by platform: a plot of the days, and a table with the numbers.
 *
 * @param gateway the gateway
 * @param times the zone and the time
 */
record UsageView(GatewayInspection gateway, Times times) {
    private static final double WIDTH = 720;
    private static final double HEIGHT = 180;

    static final String TABLE = "/usage.csv";

    static int days(PageRequest request) {
        return request.parameter("days")
                .filter(word -> word.matches("7|30|90"))
                .map(Integer::valueOf)
                .orElse(30);
    }

    static String by(PageRequest request) {
        return request.parameter("by")
                .filter(word -> word.matches("day|model|platform"))
                .orElse("day");
    }

    /** Returns the numbers of the table, for a spreadsheet; days in order. */
    WebResponse csv(int days, String by) {
        Csv csv = Csv.of(
                by,
                "turns",
                "input_tokens",
                "output_tokens",
                "cache_read_tokens",
                "cache_write_tokens",
                "reasoning_tokens",
                "api_calls",
                "cost_usd");
        Map<String, UsageSum> sums =
                new TreeMap<>(UsageSum.of(slots(days), UsageSum.By.valueOf(by.toUpperCase(Locale.ROOT)), times.zone()));
        sums.forEach((name, sum) -> csv.row(
                name.isEmpty() ? "unknown" : name,
                sum.turns(),
                sum.tokens().input(),
                sum.tokens().output(),
                sum.tokens().cacheRead(),
                sum.tokens().cacheWrite(),
                sum.tokens().reasoning(),
                sum.apiCalls(),
                Csv.plain(sum.costUsd())));
        return csv.saved("usage-by-" + by + "-" + days + "-days.csv");
    }

    private LocalDate first(int days) {
        return LocalDate.ofInstant(times.now(), times.zone()).minusDays(days - 1L);
    }

    private List<UsageSlot> slots(int days) {
        LocalDate first = first(days);
        return gateway.sessions()
                .usage(
                        first.atStartOfDay(times.zone()).toInstant(),
                        first.plusDays(days).atStartOfDay(times.zone()).toInstant());
    }

    String of(Pages.Frame frame, int days, String by) {
        LocalDate first = first(days);
        List<UsageSlot> slots = List.of();
        String failure = "";
        try {
            slots = slots(days);
        } catch (StorageUnavailable | StorageCorrupt e) {
            failure = Words.line(String.valueOf(e.getMessage()));
        }
        Map<String, UsageSum> byDay = UsageSum.of(slots, UsageSum.By.DAY, times.zone());
        UsageSum all = UsageSum.of(slots);
        List<Pages.Fact> facts = List.of(
                Pages.Fact.of("Turns", Words.number(all.turns())),
                Pages.Fact.of("Tokens", Words.number(all.tokens().total())),
                Pages.Fact.of("Cost, as far as known", all.costUsd() == 0 ? "–" : Words.dollars(all.costUsd())));
        List<Pages.Choice> choices = new ArrayList<>();
        for (int span : new int[] {7, 30, 90}) {
            choices.add(new Pages.Choice(span + " days", at(span, by), span == days));
        }
        for (String word : List.of("day", "model", "platform")) {
            choices.add(new Pages.Choice("by " + word, at(days, word), word.equals(by)));
        }
        Table table = failure.isEmpty() ? table(slots, by) : Table.unavailable("Usage by " + by, failure);
        return SheetRenderer.of()
                .execute(new Pages.Sheet(
                        frame,
                        "Booked by turn, when it ended and with the model it used. Days are those of " + times.zone()
                                + ".",
                        facts,
                        List.of(),
                        List.of(new Pages.Choices("", choices)),
                        List.of(),
                        slots.isEmpty() ? List.of() : plots(byDay, first, days),
                        List.of(table),
                        slots.isEmpty()
                                ? Pages.Saves.NOTHING
                                : new Pages.Saves(
                                        List.of(new Pages.Choice(
                                                "CSV",
                                                Link.to(TABLE)
                                                        .with("days", String.valueOf(days))
                                                        .with("by", by)
                                                        .text(),
                                                false)),
                                        "")));
    }

    private static String at(int days, String by) {
        return Link.to("/usage")
                .with("days", String.valueOf(days))
                .with("by", by)
                .text();
    }

    private Table table(List<UsageSlot> slots, String by) {
        Map<String, UsageSum> sums = UsageSum.of(slots, UsageSum.By.valueOf(by.toUpperCase(Locale.ROOT)), times.zone());
        Comparator<Map.Entry<String, UsageSum>> order = by.equals("day")
                ? Map.Entry.<String, UsageSum>comparingByKey().reversed()
                : Comparator.comparing((Map.Entry<String, UsageSum> each) ->
                                each.getValue().tokens().total())
                        .reversed();
        String head = by.substring(0, 1).toUpperCase(Locale.ROOT) + by.substring(1);
        List<Row> rows = sums.entrySet().stream()
                .sorted(order)
                .map(each -> Row.of(
                        "usage-" + each.getKey(),
                        Cell.text(head, each.getKey().isEmpty() ? "unknown" : Words.line(each.getKey())),
                        Cell.number("Turns", each.getValue().turns()),
                        Cell.number("Input", each.getValue().tokens().input()),
                        Cell.number("From cache", each.getValue().tokens().cacheRead()),
                        Cell.number("Output", each.getValue().tokens().output()),
                        Cell.number("Reasoning", each.getValue().tokens().reasoning()),
                        Cell.text("Cost", Words.dollars(each.getValue().costUsd()))
                                .in("num")))
                .toList();
        return Table.of(
                "Usage by " + by,
                List.of(head, "Turns", "Input", "From cache", "Output", "Reasoning", "Cost"),
                rows,
                "Nothing was used in these days.");
    }

    private static List<Pages.Plot> plots(Map<String, UsageSum> byDay, LocalDate first, int days) {
        List<Part> tokens = List.of(
                new Part("input", "input", sum -> sum.tokens().input()),
                new Part("cache", "from cache", sum -> sum.tokens().cacheRead()),
                new Part("output", "output", sum -> sum.tokens().output()));
        List<Part> cost = List.of(new Part("cost", "dollars", UsageSum::costUsd));
        List<Pages.Plot> plots = new ArrayList<>();
        plots.add(plot("Tokens by day", tokens, value -> Words.number(Math.round(value)), byDay, first, days));
        if (byDay.values().stream().anyMatch(sum -> sum.costUsd() > 0)) {
            plots.add(plot("Cost by day", cost, Words::dollars, byDay, first, days));
        }
        return plots;
    }

    /** A part of each bar. */
    private record Part(String kind, String name, ToDoubleFunction<UsageSum> of) {}

    private static Pages.Plot plot(
            String caption,
            List<Part> parts,
            DoubleFunction<String> words,
            Map<String, UsageSum> byDay,
            LocalDate first,
            int days) {
        double most = byDay.values().stream()
                .mapToDouble(sum -> parts.stream()
                        .mapToDouble(part -> part.of().applyAsDouble(sum))
                        .sum())
                .max()
                .orElse(0);
        double scale = most == 0 ? 0 : (HEIGHT - 10) / most;
        double step = WIDTH / days;
        List<Pages.Bar> bars = new ArrayList<>();
        for (int i = 0; i < days; i++) {
            String day = first.plusDays(i).toString();
            UsageSum sum = byDay.getOrDefault(day, UsageSum.NONE);
            double y = HEIGHT;
            for (Part part : parts) {
                double value = part.of().applyAsDouble(sum);
                double height = value * scale;
                if (height > 0) {
                    y -= height;
                    bars.add(new Pages.Bar(
                            tenth(i * step + 1),
                            tenth(y),
                            tenth(Math.max(1, step - 2)),
                            tenth(height),
                            part.kind(),
                            day + ": " + words.apply(value) + " " + part.name()));
                }
            }
        }
        return new Pages.Plot(
                "",
                caption,
                parts.stream()
                        .map(part -> new Pages.Key(part.kind(), part.name()))
                        .toList(),
                "The highest day has " + words.apply(most) + ".",
                Times.day(first),
                Times.day(first.plusDays(days - 1L)),
                bars);
    }

    private static double tenth(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
