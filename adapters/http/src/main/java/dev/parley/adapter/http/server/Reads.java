package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.parley.application.port.Cursor;
import dev.parley.application.port.EventQuery;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Lanes;
import dev.parley.application.port.Page;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.view.PlainRows;
import dev.parley.application.view.TimeSpan;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.turn.Inbound;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is asked of lanes, sessions and what was said in them. */
final class Reads {
    /** Tells whoever searches what to know of the answer. */
    private static final String NOTE = "Parley-Note";

    private static final int MOST_MESSAGES = 100_000;
    private static final int USUAL_MESSAGES = 1_000;

    /** So many messages are shown before and behind another, where nothing is said. */
    private static final int AROUND = 5;

    private static final String LANES = "/v1/lanes";
    private static final String AWAITING = "/v1/lanes/awaiting-place";
    private static final String HISTORY = "/v1/lanes/history";
    private static final String SESSIONS = "/v1/sessions";
    private static final String TRANSCRIPT = "/v1/sessions/{id}/messages";
    private static final String SEARCH = "/v1/search";
    private static final Set<String> ROUTES = Set.of(LANES, AWAITING, HISTORY, SESSIONS, SEARCH);

    private final Supplier<GatewayInspection> gateway;

    Reads(Supplier<GatewayInspection> gateway) {
        this.gateway = gateway;
    }

    /** Returns what a path leads to, with a placeholder for what differs; nothing where it leads elsewhere. */
    static Optional<String> route(String path) {
        if (path.startsWith(SESSIONS + "/") && path.endsWith("/messages")) {
            return Optional.of(TRANSCRIPT);
        }
        return Optional.of(path).filter(ROUTES::contains);
    }

    /**
     * Adds the routes.
     *
     * @param later has work done on the gateway's threads
     */
    void addTo(RoutesConfig routes, Function<Consumer<Context>, Handler> later) {
        routes.get(LANES, later.apply(this::lanes));
        routes.get(AWAITING, later.apply(this::awaitingPlace));
        routes.get(HISTORY, later.apply(this::history));
        routes.get(SESSIONS, later.apply(this::sessions));
        routes.get(TRANSCRIPT, later.apply(this::transcript));
        routes.get(SEARCH, later.apply(this::search));
    }

    private GatewayInspection inspection() {
        return gateway.get();
    }

    /** All lanes by key, written as they are read; or a page of them, latest activity first, where a page is asked for. */
    private void lanes(Context ctx) {
        Set<SessionKey> running = Set.copyOf(inspection().running());
        Set<SessionKey> awaiting = Set.copyOf(inspection().awaitingPlace());
        Map<SessionKey, Integer> depths = inspection().queue().admitted().stream()
                .collect(Collectors.groupingBy(Inbound::lane, Collectors.summingInt(each -> 1)));
        Function<Lane, JsonNode> row = lane -> LiveRows.lane(
                new GatewayInspection.LaneState(lane, running.contains(lane.key()), depths.getOrDefault(lane.key(), 0)),
                awaiting.contains(lane.key()));
        Lanes lanes = inspection().laneReads();
        if (!asksForPage(ctx)) {
            Responses.written(ctx, each -> lanes.forEach(lane -> each.accept(row.apply(lane))));
            return;
        }
        Page<Lane> page = lanes.page(new LaneQuery(
                Queries.text(ctx, "platform").map(Platform::of),
                Queries.text(ctx, "state").map(Reads::stand),
                Queries.text(ctx, "q"),
                Queries.text(ctx, "after").map(Cursor::parse),
                Queries.number(ctx, "limit", 100, 1, Queries.MOST_ROWS),
                LaneQuery.FEW_LOOKS));
        Responses.next(ctx, page);
        Responses.rows(ctx, page.rows().stream().map(row));
    }

    /** The keys of the lanes that wait for a place, the next one first. */
    private void awaitingPlace(Context ctx) {
        ArrayNode keys = Json.object().putArray("lanes");
        inspection().awaitingPlace().forEach(key -> keys.add(key.value()));
        Responses.json(ctx, 200, keys);
    }

    private static boolean asksForPage(Context ctx) {
        return Stream.of("limit", "after", "platform", "state", "q")
                .anyMatch(name -> Queries.text(ctx, name).isPresent());
    }

    private static LaneQuery.Stand stand(String word) {
        return Arrays.stream(LaneQuery.Stand.values())
                .filter(stand -> stand.name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new Rejected(400, "'state' is one of open, resume_pending and suspended."));
    }

    private void history(Context ctx) {
        SessionKey key = Queries.key(ctx);
        ArrayNode rows = Json.object().putArray("history");
        TimeSpan span = Queries.span(ctx, inspection().zone());
        Page<LaneEvent> page = inspection()
                .laneReads()
                .events(EventQuery.first(Queries.number(ctx, "limit", 50, 1, Queries.MOST_ROWS))
                        .of(key)
                        .between(span.from(), span.to())
                        .after(Queries.text(ctx, "after").map(Cursor::parse)));
        Responses.next(ctx, page);
        page.rows().forEach(event -> rows.add(Json.tree(PlainRows.event(event))));
        if (rows.isEmpty() && inspection().lane(key).isEmpty()) {
            throw Rejected.noLane(key);
        }
        Responses.json(ctx, 200, rows);
    }

    private void sessions(Context ctx) {
        ArrayNode rows = Json.object().putArray("sessions");
        Optional<Cursor> after = Queries.text(ctx, "after").map(Cursor::parse);
        TimeSpan span = Queries.span(ctx, inspection().zone());
        SessionQuery query = SessionQuery.usual()
                .window(
                        Queries.number(ctx, "limit", 20, 1, Queries.MOST_ROWS),
                        Queries.number(ctx, "offset", 0, 0, Integer.MAX_VALUE))
                .sources(Queries.text(ctx, "source"), Set.copyOf(Queries.list(ctx, "exclude")))
                .shape(Queries.flag(ctx, "children"), !Queries.flag(ctx, "raw"))
                .between(span.from(), span.to());
        List<SessionListing> listed;
        if (after.isPresent() || Queries.flag(ctx, "paged")) {
            Page<SessionListing> page = inspection().sessions().page(query, after);
            Responses.next(ctx, page);
            listed = page.rows();
        } else {
            listed = inspection().sessions().list(query);
        }
        listed.forEach(listing -> rows.add(Json.tree(PlainRows.listing(listing))));
        Responses.json(ctx, 200, rows);
    }

    private void transcript(Context ctx) {
        SessionId id;
        try {
            id = SessionId.of(ctx.pathParam("id"));
        } catch (IllegalArgumentException e) {
            throw new Rejected(400, String.valueOf(e.getMessage()));
        }
        if (inspection().sessions().find(id).isEmpty()) {
            throw new Rejected(404, "There is no session " + OneLine.quoted(id.value()) + "; see GET /v1/sessions.");
        }
        Optional<String> middle = Queries.text(ctx, "around");
        if (middle.isPresent()) {
            around(ctx, id, middle.get());
            return;
        }
        List<StoredMessage> messages =
                inspection().transcripts().tail(id, Queries.number(ctx, "limit", USUAL_MESSAGES, 1, MOST_MESSAGES));
        Responses.rows(ctx, messages.stream().map(message -> Json.tree(PlainRows.message(message))));
    }

    private void around(Context ctx, SessionId id, String middle) {
        if (Queries.text(ctx, "limit").isPresent()) {
            throw new Rejected(400, "'around' and 'limit' exclude each other; say 'before' and 'after'.");
        }
        List<StoredMessage> messages = inspection()
                .transcripts()
                .around(
                        id,
                        row(middle),
                        Queries.number(ctx, "before", AROUND, 0, Queries.MOST_ROWS),
                        Queries.number(ctx, "after", AROUND, 0, Queries.MOST_ROWS));
        if (messages.isEmpty()) {
            throw new Rejected(404, "The session " + OneLine.quoted(id.value()) + " has no message " + middle + ".");
        }
        Responses.rows(ctx, messages.stream().map(message -> Json.tree(PlainRows.message(message))));
    }

    private static long row(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new Rejected(400, "'around' is the id of a message, such as 17, not " + OneLine.quoted(text) + ".");
        }
    }

    private void search(Context ctx) {
        String query = Optional.ofNullable(ctx.queryParam("q"))
                .orElseThrow(() -> new Rejected(400, "'q' is missing: what to search for?"));
        Optional<SearchQuery.Sort> sort = Queries.text(ctx, "sort").flatMap(Reads::sort);
        ArrayNode rows = Json.object().putArray("hits");
        List<String> notes = new ArrayList<>();
        TimeSpan span = Queries.span(ctx, inspection().zone());
        inspection()
                .search()
                .search(
                        new SearchQuery(
                                        query,
                                        Optional.of(Queries.list(ctx, "source")).filter(sources -> !sources.isEmpty()),
                                        Queries.list(ctx, "exclude"),
                                        Queries.list(ctx, "role"),
                                        Queries.number(ctx, "limit", 20, 1, Queries.MOST_ROWS),
                                        Queries.number(ctx, "offset", 0, 0, Integer.MAX_VALUE),
                                        sort,
                                        Viewer.operator())
                                .between(span.from(), span.to()),
                        notes::add)
                .forEach(hit -> rows.add(Json.tree(PlainRows.hit(hit))));
        if (!notes.isEmpty()) {
            ctx.header(NOTE, String.join(" ", notes));
        }
        Responses.json(ctx, 200, rows);
    }

    /** Anything but newest and oldest is the order by match (storage 5.1). */
    private static Optional<SearchQuery.Sort> sort(String word) {
        return switch (word.strip().toLowerCase(Locale.ROOT)) {
            case "newest" -> Optional.of(SearchQuery.Sort.NEWEST);
            case "oldest" -> Optional.of(SearchQuery.Sort.OLDEST);
            default -> Optional.empty();
        };
    }
}
