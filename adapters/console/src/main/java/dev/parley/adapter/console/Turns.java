package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Page;
import dev.parley.application.port.TurnQuery;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lists turns with their reasons.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 */
record Turns(GatewayInspection gateway, Frames frames) {
    private static final int PAGE = 50;

    String failures(PageRequest request) {
        Times times = request.times();
        Table table = Reads.guarded(
                "Turns without an answer",
                () -> table(
                        "Turns without an answer",
                        TurnQuery.first(PAGE)
                                .states(Set.of(Turn.State.FAILED, Turn.State.INTERRUPTED))
                                .after(request.parameter("after").map(Cursor::parse)),
                        times,
                        true,
                        Link.to("/failures")));
        return Sheet.of(frames.of(request, "Failures", "lane"))
                .intro("Turns that ended without an answer, latest first, each with its reason.")
                .tables(List.of(table))
                .html();
    }

    /** Lists turns; {@code here} is the address of the list, without a place in it. */
    Table table(String caption, TurnQuery query, Times times, boolean lanes, Link here) {
        Page<Turn> page = gateway.queue().turns(query);
        List<String> heads = new ArrayList<>(List.of("Began", "State", "Why", "Took", "Model", "Tokens", "Cost"));
        if (lanes) {
            heads.add(1, "Lane");
        }
        Traces traces = Traces.of(gateway);
        if (traces.isThere()) {
            heads.add("Trace");
        }
        List<Row> rows = page.rows().stream()
                .map(turn -> {
                    List<Cell> cells = new ArrayList<>(List.of(
                            times.cell("Began", turn.startedAt()),
                            state(turn),
                            Cell.text("Why", why(turn)),
                            Cell.text("Took", turn.took().map(Times::span).orElse("")),
                            Cell.text("Model", Words.line(turn.usage().model().orElse(""))),
                            Cell.number("Tokens", turn.usage().tokens().total()),
                            Cell.text(
                                            "Cost",
                                            Words.dollars(turn.usage().costUsd().orElse(0.0)))
                                    .in("num")));
                    if (lanes) {
                        cells.add(
                                1,
                                Cell.text("Lane", LaneList.name(turn.lane()))
                                        .to(Link.lane(turn.lane().value()))
                                        .titled(turn.lane().value()));
                    }
                    if (traces.isThere()) {
                        cells.add(traces.cell(turn.id()));
                    }
                    return new Row("turn-" + turn.id().value(), cells, List.of());
                })
                .toList();
        return Table.of(caption, heads, rows, "There is none.").goingOn(page, here);
    }

    static Cell state(Turn turn) {
        return Cell.text("State", turn.state().text())
                .in(
                        switch (turn.state()) {
                            case CLAIMED -> "run";
                            case COMPLETED -> "ok";
                            case FAILED -> "bad";
                            case INTERRUPTED -> "warn";
                            case DROPPED -> "quiet";
                        });
    }

    static String why(Turn turn) {
        return turn.reason()
                        .map(TurnReason::text)
                        .map(text -> text.replace('_', ' '))
                        .orElse("")
                + turn.note().map(note -> ": " + Words.line(note)).orElse("");
    }
}
