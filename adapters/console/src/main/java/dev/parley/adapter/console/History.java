package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.EventQuery;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Page;
import dev.parley.application.store.Explanation;
import dev.parley.application.view.TimeSpan;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What changed which session a lane has, over all lanes: the events, and what restarts did.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 * @param incidents what befell the gateway
 */
record History(GatewayInspection gateway, Frames frames, Incidents incidents) {
    private static final int PAGE = 50;
    private static final int FEW = 20;
    private static final Set<LaneEvent.Kind> TELLING =
            EnumSet.complementOf(EnumSet.of(LaneEvent.Kind.CREATED, LaneEvent.Kind.CLEARED, LaneEvent.Kind.FINALISED));
    private static final String NOTHING_YET = "Nothing has happened yet.";

    String events(PageRequest request) {
        Times times = request.times();
        boolean routine = request.parameter("all").isPresent();
        String lane = request.text("lane");
        TimeSpan span = request.span();
        EventQuery query = EventQuery.first(PAGE)
                .between(span.from(), span.to())
                .after(request.parameter("after").map(Cursor::parse));
        if (!lane.isEmpty()) {
            query = query.of(SessionKey.of(lane));
        }
        if (!routine) {
            query = query.kinds(TELLING);
        }
        List<Pages.Choice> choices = List.of(
                new Pages.Choice("telling", here(request, "").text(), !routine),
                new Pages.Choice("all", here(request, "1").text(), routine));
        List<Pages.Choices> filters = new ArrayList<>();
        filters.add(new Pages.Choices("Show", choices));
        if (!lane.isEmpty()) {
            filters.add(new Pages.Choices(
                    "Lane",
                    List.of(
                            new Pages.Choice(
                                    "any lane",
                                    here(request, request.text("all"), "").text(),
                                    false),
                            new Pages.Choice(
                                    name(SessionKey.of(lane)),
                                    here(request, request.text("all")).text(),
                                    true))));
        }
        List<Pages.Carried> carried = Stream.of(
                        new Pages.Carried("all", request.text("all")), new Pages.Carried("lane", lane))
                .filter(each -> !each.value().isEmpty())
                .toList();
        EventQuery sought = query;
        Table table = Reads.guarded("Events", () -> {
            Page<LaneEvent> page = gateway.laneReads().events(sought);
            String empty = span.isAll() ? NOTHING_YET : "Nothing happened in this time.";
            return table("Events", empty, page, times).goingOn(page, here(request, request.text("all")));
        });
        return Sheet.of(frames.of(request, "Events", "lane"))
                .intro("What changed which session a lane has, and why, latest first.")
                .search(new Pages.Sought(Link.ROOT + "/events", request.spanFields(), carried))
                .filters(filters)
                .tables(List.of(table))
                .html();
    }

    /** Returns the address of the events, without a place in them. */
    private static Link here(PageRequest request, String all) {
        return here(request, all, request.text("lane"));
    }

    private static Link here(PageRequest request, String all, String lane) {
        return Link.to("/events")
                .with("all", all)
                .with("lane", lane)
                .with("from", request.text("from"))
                .with("to", request.text("to"));
    }

    /** Lists what happened last and tells something. */
    Table latest(Times times) {
        return listed("What happened last", NOTHING_YET, EventQuery.first(FEW).kinds(TELLING), times);
    }

    private Table listed(String caption, String empty, EventQuery query, Times times) {
        return Reads.guarded(
                caption, () -> table(caption, empty, gateway.laneReads().events(query), times));
    }

    /** What the last start found and did; nothing where the gateway is still starting. */
    private List<Pages.Fact> start(Times times) {
        return incidents
                .start()
                .map(start -> List.of(
                        new Pages.Fact("Last start", times.ago(start.at()), "", "when"),
                        Pages.Fact.of("It took", span(start.report().took())),
                        Pages.Fact.of(
                                "Turns cut off before it",
                                Words.number(start.report().cutOff())),
                        Pages.Fact.of(
                                "Lanes to be resumed",
                                Words.number(start.report().resumed()))))
                .orElse(List.of());
    }

    /** The starts that the home tells of, this one too. */
    private Table starts(Times times) {
        return Table.of(
                "Starts of the gateway",
                List.of("When", "It took", "Turns cut off before it", "Lanes to be resumed"),
                incidents.starts().stream()
                        .map(start -> Row.of(
                                "start-" + start.at().toEpochMilli(),
                                times.cell("When", start.at()),
                                Cell.text("It took", span(start.report().took())),
                                Cell.number(
                                        "Turns cut off before it",
                                        start.report().cutOff()),
                                Cell.number(
                                        "Lanes to be resumed", start.report().resumed())))
                        .toList(),
                "It has not started yet.");
    }

    private static String span(Duration took) {
        return took.compareTo(Duration.ofSeconds(1)) < 0 ? took.toMillis() + " ms" : Times.span(took);
    }

    private Table table(String caption, String empty, Page<LaneEvent> page, Times times) {
        Map<SessionKey, String> names = new HashMap<>();
        return Table.of(
                caption,
                List.of("When", "Lane", "What"),
                page.rows().stream()
                        .map(event -> Row.of(
                                "event-" + event.at().toEpochMilli() + "-" + event.kind() + "-"
                                        + event.lane().value(),
                                times.cell("When", event.at()),
                                Cell.text("Lane", names.computeIfAbsent(event.lane(), this::name))
                                        .to(Link.lane(event.lane().value()))
                                        .titled(event.lane().value()),
                                Cell.text("What", Words.line(Explanation.inWords(event, times.zone())))))
                        .toList(),
                empty);
    }

    /** Returns how people call a lane; by its key where it is not there any more. */
    private String name(SessionKey key) {
        return gateway.laneReads().find(key).map(LaneList::name).orElseGet(() -> LaneList.name(key));
    }

    String recovery(PageRequest request) {
        Times times = request.times();
        String none = "There was none.";
        List<Table> tables = List.of(
                starts(times),
                listed(
                        "Turns that were cut off",
                        none,
                        EventQuery.first(PAGE).kinds(Set.of(LaneEvent.Kind.MARKED)),
                        times),
                listed(
                        "Turns that were resumed and succeeded",
                        none,
                        EventQuery.first(FEW).kinds(Set.of(LaneEvent.Kind.CLEARED)),
                        times),
                listed(
                        "Lanes that were suspended",
                        none,
                        EventQuery.first(FEW).kinds(Set.of(LaneEvent.Kind.SUSPENDED)),
                        times));
        return Sheet.of(frames.of(request, "Recovery", "lane"))
                .intro(
                        "What restarts and crashes did to conversations, latest first. A turn that was cut off is resumed by itself.")
                .facts(start(times))
                .tables(tables)
                .html();
    }
}
