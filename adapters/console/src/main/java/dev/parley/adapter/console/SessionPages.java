package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The list of the sessions, and one of them.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 * @param export says what of it may be saved
 */
record SessionPages(GatewayInspection gateway, Frames frames, Export export) {
    private static final int PAGE = 50;
    private static final Set<String> FIELDS = Set.of("q", "from", "to");

    String sessions(PageRequest request) {
        Times times = request.times();
        boolean byStart = SessionList.isByStart(request);
        String sought = request.parameter("q").orElse("");
        Map<String, String> filters = SessionList.filters(request);
        Link here = Link.to("/sessions");
        filters.forEach(here::with);
        Link kinds = without(filters, "children");
        boolean all = SessionList.hasAll(request);
        List<Pages.Choices> choices = List.of(
                new Pages.Choices(
                        "Order",
                        List.of(
                                new Pages.Choice(
                                        "by activity", byActivity(filters).text(), !byStart),
                                new Pages.Choice(
                                        "by start", without(filters, "order").and("order", "start"), byStart))),
                Sources.choices(gateway, request, without(filters, "source")),
                new Pages.Choices(
                        "Show",
                        List.of(
                                new Pages.Choice("conversations", kinds.text(), !all),
                                new Pages.Choice("delegates and continuations too", kinds.and("children", "1"), all))));
        boolean inAllTime = request.span().isAll();
        Table table = Reads.guarded("Sessions", () -> {
            SessionQuery query = SessionList.query(request).window(PAGE, 0);
            Page<SessionListing> page =
                    gateway.sessions().page(query, request.parameter("after").map(Cursor::parse));
            List<Row> rows = page.rows().stream()
                    .map(listing -> sessionRow(listing, times))
                    .toList();
            return Table.of(
                            "Sessions",
                            List.of("Session", "From", "Model", "Messages", "Tokens", "Cost", "Last active", "Ended"),
                            rows,
                            sought.isEmpty() && request.text("source").isEmpty() && inAllTime
                                    ? "There are no sessions yet."
                                    : "No session matches.")
                    .goingOn(page, here);
        });
        List<Pages.Deed> deeds = request.operates()
                ? List.of(Pages.Deed.now(
                        "Delete old sessions", Link.to(Prune.PLACE).text()))
                : List.of();
        return Sheet.of(frames.of(request, "Sessions", "lane"))
                .intro(inAllTime ? Operating.done(request) : "Sessions that began in this time, newest start first.")
                .search(new Pages.Sought(
                        Link.ROOT + "/sessions",
                        Stream.concat(
                                        Stream.of(new Pages.Field("Title or id", "q", "search", sought)),
                                        request.spanFields().stream())
                                .toList(),
                        carried(filters)))
                .filters(choices)
                .deeds(deeds)
                .tables(List.of(table))
                .saves(export.ofSessions(request, filters))
                .html();
    }

    /** Returns the address of the list without one of its filters. */
    private static Link without(Map<String, String> filters, String name) {
        Link link = Link.to("/sessions");
        filters.forEach((each, value) -> link.with(each, each.equals(name) ? "" : value));
        return link;
    }

    /** A span of time is one of starts, so whoever wants the order of activity wants all of it. */
    private static Link byActivity(Map<String, String> filters) {
        Map<String, String> all = new LinkedHashMap<>(filters);
        List.of("order", "from", "to").forEach(name -> all.put(name, ""));
        return without(all, "order");
    }

    private static List<Pages.Carried> carried(Map<String, String> filters) {
        return filters.entrySet().stream()
                .filter(each ->
                        !FIELDS.contains(each.getKey()) && !each.getValue().isEmpty())
                .map(each -> new Pages.Carried(each.getKey(), each.getValue()))
                .toList();
    }

    private static Row sessionRow(SessionListing listing, Times times) {
        Session session = listing.session();
        return Row.of(
                "session-" + session.id().value(),
                Cell.text(
                                "Session",
                                Words.line(session.title()
                                        .filter(t -> !t.isBlank())
                                        .orElseGet(() -> listing.preview().isBlank()
                                                ? session.id().value()
                                                : listing.preview())))
                        .to(Link.session(session.id().value()))
                        .titled(session.id().value()),
                Cell.text("From", Words.line(session.source())),
                Cell.text("Model", Words.line(session.model().orElse(""))),
                Cell.number("Messages", session.messageCount()),
                Cell.number("Tokens", session.tokens().total()),
                Cell.text(
                                "Cost",
                                Words.dollars(
                                        session.billing().estimatedCostUsd().orElse(0.0)))
                        .in("num"),
                times.cell("Last active", listing.lastActive()),
                ended(session, times));
    }

    Pages.Found session(PageRequest request) {
        SessionId id = SessionId.of(request.parameter("id").orElse(""));
        Optional<Session> session = gateway.sessions().find(id);
        if (session.isEmpty()) {
            return new Pages.Found(
                    404, frames.notice(request, "There is no session " + id.value() + "; it may have been deleted."));
        }
        return new Pages.Found(
                200, new TranscriptView(gateway, frames, request.times(), export).of(request, session.get()));
    }

    static Cell ended(Session session, Times times) {
        return session.ending()
                .map(end -> Cell.text(
                                "Ended",
                                times.ago(end.at())
                                        + end.reason()
                                                .map(reason -> ", " + reason.replace('_', ' '))
                                                .orElse(""))
                        .titled(times.exact(end.at())))
                .orElseGet(() -> Cell.text("Ended", ""));
    }
}
