package dev.parley.adapter.console;

import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageSum;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What was used, by day of the gateway's zone, by model or by platform: a plot of the days, and a table with the numbers.
 *
 * @param gateway the gateway
 * @param times the zone and the time
 */
record UsageView(GatewayInspection gateway, Times times) {
    private static final double WIDTH = 720;
    private static final double HEIGHT = 180;

    String of(Pages.Frame frame, int days, String by) {
        LocalDate today = LocalDate.ofInstant(times.now(), times.zone());
        LocalDate first = today.minusDays(days - 1L);
        Instant from = first.atStartOfDay(times.zone()).toInstant();
        Instant to = today.plusDays(1).atStartOfDay(times.zone()).toInstant();
        List<UsageSlot> slots = List.of();
        String failure = "";
        try {
            slots = gateway.sessions().usage(from, to);
        } catch (StorageUnavailable | StorageCorrupt e) {
            failure = Views.line(String.valueOf(e.getMessage()));
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
                        choices,
                        List.of(),
                        slots.isEmpty() ? List.of() : bars(byDay, first, days),
                        List.of(table)));
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
        List<Row> rows = sums.entrySet().stream()
                .sorted(order)
                .map(each -> Row.of(
                        "usage-" + each.getKey(),
                        Cell.text(by, each.getKey().isEmpty() ? "unknown" : Views.line(each.getKey())),
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
                List.of(by, "Turns", "Input", "From cache", "Output", "Reasoning", "Cost"),
                rows,
                "Nothing was used in these days.");
    }

    private static List<Pages.Bar> bars(Map<String, UsageSum> byDay, LocalDate first, int days) {
        long most = byDay.values().stream()
                .mapToLong(sum -> shown(sum.tokens()))
                .max()
                .orElse(1);
        double scale = (HEIGHT - 10) / Math.max(1, most);
        double step = WIDTH / days;
        List<Pages.Bar> bars = new ArrayList<>();
        for (int i = 0; i < days; i++) {
            String day = first.plusDays(i).toString();
            TokenUsage tokens = byDay.getOrDefault(day, UsageSum.NONE).tokens();
            double y = HEIGHT;
            long[] parts = {tokens.input(), tokens.cacheRead(), tokens.output()};
            String[] kinds = {"input", "cache", "output"};
            for (int part = 0; part < parts.length; part++) {
                double height = parts[part] * scale;
                if (height > 0) {
                    y -= height;
                    bars.add(new Pages.Bar(
                            tenth(i * step + 1),
                            tenth(y),
                            tenth(Math.max(1, step - 2)),
                            tenth(height),
                            kinds[part],
                            day + ": " + Words.number(parts[part]) + " " + kinds[part]));
                }
            }
        }
        return bars;
    }

    private static long shown(TokenUsage tokens) {
        return tokens.input() + tokens.cacheRead() + tokens.output();
    }

    private static double tenth(double value) {
        return Math.round(value * 10) / 10.0;
    }
}
