package dev.parley.adapter.console;

import dev.parley.application.port.GatewayHealth;
import dev.parley.application.port.GatewayInspection;
import dev.parley.domain.text.OneLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the storage is, and what a check of it found.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 * @param check the check of the storage
 * @param incidents what befell the gateway
 */
record StoragePage(GatewayInspection gateway, Frames frames, StorageCheck check, Incidents incidents) {
    /** The topic of the check of the storage. */
    static final String CHECK = "check";

    String page(PageRequest request) {
        GatewayHealth health = gateway.health();
        List<Pages.Fact> facts = new ArrayList<>();
        boolean degraded = health.degraded().isPresent();
        facts.add(new Pages.Fact("Storage", degraded ? "degraded" : "whole", "", degraded ? "bad" : ""));
        facts.add(new Pages.Fact("Where", health.storage().orElse(""), "", "long"));
        health.degraded().ifPresent(how -> {
            String waiting =
                    how.waiting().isPresent() ? Words.number(how.waiting().getAsLong()) : "?";
            facts.add(new Pages.Fact("Since", request.times().exact(how.since()), "", "long"));
            facts.add(new Pages.Fact("Because", Words.reason(how.why()), "", "long"));
            facts.add(Pages.Fact.of("Batches to merge back", waiting));
            how.merged()
                    .ifPresent(done -> facts.add(Pages.Fact.of("Merged back", Words.number(done) + " of " + waiting)));
            health.refusing()
                    .ifPresent(why ->
                            facts.add(new Pages.Fact("The fallback takes nothing", Words.reason(why), "", "long")));
        });
        Table figures = Reads.guarded(
                "Figures",
                () -> Table.of(
                        "Figures",
                        List.of("What", "Value"),
                        gateway.storageStatus().entrySet().stream()
                                .map(entry -> Row.of(
                                        "figure-" + entry.getKey(),
                                        Cell.text("What", entry.getKey().replace('_', ' ')),
                                        Cell.text("Value", Words.line(Words.figure(entry.getKey(), entry.getValue())))))
                                .toList(),
                        "The storage says nothing of itself."));
        String intro = degraded
                ? "Messages are taken and kept beside the storage, in the fallback, and merged back by themselves once it can be used"
                        + " again. Mend what is said below; a restart is not needed."
                : "Everything is stored where it belongs.";
        Optional<StorageCheck.Standing> checked = check.standing();
        checked.ifPresent(standing -> facts.add(checked(standing, request.times())));
        List<Table> tables = new ArrayList<>();
        checked.filter(standing -> !standing.problems().isEmpty()).ifPresent(standing -> tables.add(found(standing)));
        tables.add(figures);
        tables.add(degraded(request.times()));
        boolean runs = checked.filter(StorageCheck.Standing::isRunning).isPresent();
        return Sheet.of(frames.of(request, "Storage", "storage " + CHECK + " " + Feed.HEALING))
                .intro(intro)
                .facts(facts)
                .deeds(
                        request.operates() && !runs
                                ? List.of(Operating.deed(Operating.CHECK, Link.to(Operating.CHECK)))
                                : List.of())
                .tables(tables)
                .html();
    }

    private Table degraded(Times times) {
        return Table.of(
                "When it was degraded",
                List.of("Since", "Because", "Lasted", "Merged back"),
                incidents.degraded().stream()
                        .map(span -> Row.of(
                                "degraded-" + span.since().toEpochMilli(),
                                times.cell("Since", span.since()),
                                Cell.text("Because", Words.reason(span.why())),
                                span.healed()
                                        .map(healed -> Cell.text(
                                                "Lasted", Times.span(Duration.between(span.since(), healed.at()))))
                                        .orElseGet(() -> span.lasts()
                                                ? Cell.text("Lasted", "it is degraded")
                                                        .in("bad")
                                                : Cell.text("Lasted", "until the gateway stopped")),
                                Cell.text(
                                        "Merged back",
                                        span.healed()
                                                .map(healed -> Words.count(
                                                                healed.report().messages(), "message")
                                                        + " in "
                                                        + batches(
                                                                healed.report().batches()))
                                                .orElse(""))))
                        .toList(),
                "The storage was whole all the time, as far as is known.");
    }

    private static String batches(int number) {
        return Words.number(number) + (number == 1 ? " batch" : " batches");
    }

    private static Pages.Fact checked(StorageCheck.Standing standing, Times times) {
        if (standing.isRunning()) {
            String far = standing.total() == 0
                    ? "begins"
                    : Words.number(standing.done()) + " of " + Words.number(standing.total()) + " steps";
            return new Pages.Fact("Check", far, "", "when");
        }
        String when = standing.endedAt().map(times::ago).orElse("");
        if (!standing.failure().isEmpty()) {
            return new Pages.Fact("Check", "broken off " + when + ": " + Words.line(standing.failure()), "", "long");
        }
        return standing.problems().isEmpty()
                ? new Pages.Fact("Check", "nothing wrong, " + when, "", "when")
                : new Pages.Fact("Check", Words.count(standing.problems().size(), "problem") + ", " + when, "", "bad");
    }

    private static Table found(StorageCheck.Standing standing) {
        List<Row> rows = new ArrayList<>();
        for (String problem : standing.problems()) {
            rows.add(Row.of("problem-" + rows.size(), Cell.text("What is wrong", OneLine.of(problem, 400))));
        }
        return Table.of("What the check found", List.of("What is wrong"), rows, "");
    }
}
