package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Node;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.store.Explanation;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.KeyParts;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.AppliedPolicy;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.reset.ResetRules;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One lane: why it has its session, what waits, its turns, its deliveries, its sessions before.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 * @param export says what of it may be saved
 * @param nodes the gateways that share the store
 * @param turns lists turns
 * @param deliveries lists messages to chats
 */
record LanePage(
        GatewayInspection gateway, Frames frames, Export export, Nodes nodes, Turns turns, Deliveries deliveries) {
    private static final String WHY = "Why it has this session";
    private static final int PAGE = 50;
    private static final int FEW = 20;
    private static final String WINDOW = "gateway.unreset_window_minutes";
    private static final String DECISIONS = "why";
    private static final String TURNS = "turns";
    private static final String DELIVERIES = "deliveries";

    Pages.Found page(PageRequest request) {
        Times times = request.times();
        SessionKey key = SessionKey.of(request.parameter("key").orElse(""));
        Optional<Lane> found = gateway.laneReads().find(key);
        if (found.isEmpty() && !gateway.queue().admitted(key).isEmpty()) {
            return new Pages.Found(
                    200,
                    Sheet.of(frames.of(request, LaneList.name(key), "lane:" + key.value()))
                            .intro("Its first message waits. It gets a session once a turn begins.")
                            .facts(List.of(new Pages.Fact("Key", key.value(), "", "long")))
                            .tables(List.of(queue(
                                    key,
                                    times,
                                    request.operates() && nodes.holder(key).isEmpty())))
                            .html());
        }
        if (found.isEmpty()) {
            return new Pages.Found(
                    404,
                    frames.notice(
                            request,
                            "There is no lane " + OneLine.quoted(key.value()) + "; it may have been removed."));
        }
        Lane lane = found.get();
        Optional<LaneList.Running> turn = running(key);
        boolean running = turn.isPresent();
        List<LaneEvent> history = new ArrayList<>();
        String unread = Reads.trying(() -> history.addAll(gateway.history(key, PAGE)));
        List<Pages.Fact> facts = new ArrayList<>(List.of(
                new Pages.Fact(
                        "State",
                        LaneList.state(lane, turn, gateway.awaitingPlace().contains(key), times)
                                .text(),
                        "",
                        running ? "" : mood(lane)),
                new Pages.Fact(
                        "Session",
                        lane.entry().sessionId().value(),
                        Link.session(lane.entry().sessionId().value()),
                        "long"),
                new Pages.Fact("Session began", times.ago(lane.entry().createdAt()), "", "when"),
                new Pages.Fact("Last active", times.ago(lane.entry().updatedAt()), "", "when"),
                Pages.Fact.of("Tokens", Words.number(lane.entry().usage().totalTokens())),
                new Pages.Fact("Ends by itself", ends(lane, times), "", "long"),
                new Pages.Fact("Key", key.value(), "", "long")));
        Optional<Node> elsewhere = nodes.holder(key);
        elsewhere.ifPresent(node -> facts.add(
                1,
                new Pages.Fact(
                        "Worked on by",
                        Words.line(node.shown()),
                        Nodes.consoleOf(node, Link.lane(key.value())),
                        "long")));
        boolean acts = request.operates() && elsewhere.isEmpty();
        // What reads all that is recorded is not read again at every message.
        String watched = request.text("of").equals(Export.LIMITS) ? "" : "lane:" + key.value() + " storage";
        List<Table> tables = new ArrayList<>();
        switch (request.text("of")) {
            case DECISIONS -> tables.add(unread.isEmpty() ? why(key, history, times) : Table.unavailable(WHY, unread));
            case TURNS -> tables.add(turns(key, request, PAGE));
            case Export.LIMITS -> {
                if (request.operates()) {
                    tables.add(export.leftOut(key));
                }
            }
            case DELIVERIES -> tables.add(deliveries(key, request, PAGE));
            default -> {
                tables.add(unread.isEmpty() ? latest(key, history, times) : Table.unavailable(WHY, unread));
                tables.add(queue(key, times, acts));
                tables.add(turns(key, request, FEW));
                tables.add(deliveries(key, request, FEW));
                tables.add(earlier(key, lane, times, acts && !running));
            }
        }
        return new Pages.Found(
                200,
                Sheet.of(frames.of(request, LaneList.name(lane), watched))
                        .intro((Operating.done(request) + " " + askedThere(request, elsewhere)).strip())
                        .facts(facts)
                        .deeds(deeds(request, lane, running, history))
                        .tables(tables)
                        .saves(export.ofLane(request, key))
                        .html());
    }

    /** Says what is not offered here, where another node works on the lane. */
    private static String askedThere(PageRequest request, Optional<Node> elsewhere) {
        return elsewhere
                .filter(node -> request.operates())
                .map(node ->
                        "Another node works on this lane: a message that waits is dropped, and a session gone back to, in the"
                                + " console of " + Words.line(node.shown()) + ". All else can be done here.")
                .orElse("");
    }

    private Table turns(SessionKey key, PageRequest request, int limit) {
        TurnQuery query = TurnQuery.first(limit).of(key).after(place(request, TURNS));
        return Reads.guarded("Turns", () -> turns.table("Turns", query, request.times(), false, older(key, TURNS)));
    }

    private Table deliveries(SessionKey key, PageRequest request, int limit) {
        OutgoingQuery query = OutgoingQuery.first(limit).of(key).after(place(request, DELIVERIES));
        return Reads.guarded(
                "Deliveries",
                () -> deliveries.table(
                        "Deliveries", query, request.times(), request.operates(), older(key, DELIVERIES)));
    }

    /** Returns the place from which on one of the lists is asked for alone. */
    private static Optional<Cursor> place(PageRequest request, String list) {
        return request.parameter("after")
                .filter(any -> request.text("of").equals(list))
                .map(Cursor::parse);
    }

    private static Link older(SessionKey key, String list) {
        return Link.to("/lane").with("key", key.value()).with("of", list);
    }

    /** When the lane's session ends by itself, and by which policy. */
    private String ends(Lane lane, Times times) {
        if (lane.entry().isSuspended()) {
            return "with the next message, since the lane is suspended";
        }
        Optional<KeyParts> parts = KeyParts.parse(lane.key());
        AppliedPolicy applied = gateway.resets()
                .select(
                        parts.map(KeyParts::platform),
                        parts.map(KeyParts::chatType).orElse(ChatType.DM));
        ResetPolicy policy = applied.policy();
        List<String> ends = new ArrayList<>();
        if (policy.mode().includesDaily()) {
            Instant boundary =
                    ResetRules.dailyBoundary(times.now().plus(Duration.ofDays(1)), policy.atHour(), times.zone());
            ends.add("at " + String.format(Locale.ENGLISH, "%02d:00", policy.atHour()) + ", in "
                    + Times.span(Duration.between(times.now(), boundary)));
        }
        if (policy.mode().includesIdle()) {
            Duration left =
                    Duration.between(times.now(), lane.entry().updatedAt().plus(policy.idle()));
            ends.add(left.isNegative() ? "now, as it is idle" : "if idle for " + Times.span(left) + " more");
        }
        return (ends.isEmpty() ? "never" : String.join("; ", ends)) + " (" + applied.origin() + ")";
    }

    /** Returns the turn that runs; another node of the store may be at work on the lane. */
    private Optional<LaneList.Running> running(SessionKey key) {
        try {
            return gateway.queue().turns(TurnQuery.first(1).of(key)).rows().stream()
                    .filter(turn -> turn.state() == Turn.State.CLAIMED)
                    .map(turn -> new LaneList.Running(Optional.of(turn.startedAt())))
                    .findFirst()
                    .or(() -> runningHere(key));
        } catch (StorageUnavailable | StorageCorrupt e) {
            return runningHere(key);
        }
    }

    private Optional<LaneList.Running> runningHere(SessionKey key) {
        return gateway.running().contains(key) ? Optional.of(new LaneList.Running(Optional.empty())) : Optional.empty();
    }

    private static String mood(Lane lane) {
        return switch (LaneQuery.Stand.of(lane)) {
            case OPEN -> "";
            case RESUME_PENDING -> "warn";
            case SUSPENDED -> "bad";
        };
    }

    private List<Pages.Deed> deeds(PageRequest request, Lane lane, boolean running, List<LaneEvent> history) {
        if (!request.operates()) {
            return List.of();
        }
        List<Pages.Deed> deeds = new ArrayList<>();
        history.stream()
                .filter(event -> !event.from().equals(event.to()))
                .findFirst()
                .filter(event -> event.kind() == LaneEvent.Kind.RESET || event.kind() == LaneEvent.Kind.RENEWED)
                .filter(event ->
                        event.to().filter(lane.entry().sessionId()::equals).isPresent())
                .ifPresent(reset -> {
                    String late = tooLate(reset, request.times());
                    deeds.add(
                            late.isEmpty()
                                    ? deed("unreset", lane, running ? "a turn runs" : "")
                                    : new Pages.Deed(Acts.label("unreset"), "", Pages.Deed.When.NEVER, late));
                });
        deeds.add(deed("reset", lane, ""));
        deeds.add(deed(lane.entry().isSuspended() ? "unsuspend" : "suspend", lane, ""));
        deeds.add(deed("interrupt", lane, running ? "" : "no turn runs"));
        return deeds;
    }

    /** Returns why a reset is not taken back any more; empty where it is, as far as the settings are known. */
    private String tooLate(LaneEvent reset, Times times) {
        return gateway.settings().stream()
                .filter(setting ->
                        setting.path().equals(WINDOW) && setting.value().matches("[0-9]{1,9}"))
                .map(setting -> Duration.ofMinutes(Long.parseLong(setting.value())))
                .filter(window -> Duration.between(reset.at(), times.now()).compareTo(window) > 0)
                .map(window ->
                        "it is more than " + Times.span(window) + " ago; go back to the session before it instead")
                .findFirst()
                .orElse("");
    }

    /** Returns what can be done with a lane, unless something speaks against it for now. */
    private static Pages.Deed deed(String act, Lane lane, String why) {
        return new Pages.Deed(
                Acts.label(act),
                Link.to("/lane/" + act).with("key", lane.key().value()).text(),
                why.isEmpty() ? Pages.Deed.When.NOW : Pages.Deed.When.LATER,
                why);
    }

    /** The latest decisions; the page stays short where there are many. */
    private Table latest(SessionKey key, List<LaneEvent> history, Times times) {
        return history.size() <= FEW
                ? why(key, history, times)
                : why(key, history.subList(0, FEW), times)
                        .goingOn(older(key, DECISIONS).text());
    }

    /** The headline of the console: why the lane has the session it has, and what each decision stood on. */
    private Table why(SessionKey key, List<LaneEvent> history, Times times) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            LaneEvent event = history.get(i);
            List<Cell> details = new ArrayList<>();
            event.from()
                    .ifPresent(from -> details.add(
                            Cell.text("Session before", from.value()).to(Link.session(from.value()))));
            event.to()
                    .ifPresent(to ->
                            details.add(Cell.text("Session after", to.value()).to(Link.session(to.value()))));
            event.inputs().forEach((name, value) -> details.add(Cell.text(name.replace('_', ' '), times.shown(value))));
            rows.add(new Row(
                    "why-" + event.at().toEpochMilli() + "-" + (history.size() - i),
                    List.of(
                            times.cell("When", event.at()),
                            Cell.text("What", Words.line(Explanation.inWords(event, times.zone()))),
                            event.from().isPresent() && !event.from().equals(event.to())
                                    ? Cell.text("Session before", "look at it")
                                            .to(Link.session(event.from().get().value()))
                                    : Cell.text("Session before", "")),
                    details));
        }
        Table table = Table.of(WHY, List.of("When", "What", "Session before"), rows, "Nothing is recorded of it.");
        return history.size() < PAGE
                ? table
                : table.goingOn(Link.to("/events").with("lane", key.value()).text());
    }

    private Table queue(SessionKey key, Times times, boolean operates) {
        return Reads.guarded(
                "Waiting",
                () -> Table.of(
                        "Waiting",
                        heads(operates, "Since", "Kind", "Text", "Drop"),
                        gateway.queue().admitted(key).stream()
                                .limit(PAGE)
                                .map(inbound -> row(
                                        operates,
                                        "in-" + inbound.id().value(),
                                        times.cell("Since", inbound.receivedAt()),
                                        Cell.text("Kind", inbound.kind().name().toLowerCase(Locale.ROOT)),
                                        Cell.text("Text", Words.line(inbound.text())),
                                        Cell.text("Drop", "drop")
                                                .to(Link.to(Operating.DROP)
                                                        .with("key", key.value())
                                                        .with("id", inbound.id().value())
                                                        .text())))
                                .toList(),
                        "Nothing waits."));
    }

    /** Returns a row whose last cell is for operators only. */
    private static Row row(boolean operates, String id, Cell... cells) {
        return new Row(id, List.of(cells).subList(0, operates ? cells.length : cells.length - 1), List.of());
    }

    /** Returns heads of which the last is for operators only. */
    private static List<String> heads(boolean operates, String... heads) {
        return List.of(heads).subList(0, operates ? heads.length : heads.length - 1);
    }

    private Table earlier(SessionKey key, Lane lane, Times times, boolean operates) {
        return Reads.guarded(
                "Sessions of this lane",
                () -> Table.of(
                        "Sessions of this lane",
                        heads(operates, "Session", "Title", "Began", "Ended", "Messages", "Go back"),
                        gateway.sessions().ofLane(key, FEW).stream()
                                .map(session -> row(
                                        operates,
                                        "session-" + session.id().value(),
                                        Cell.text("Session", session.id().value())
                                                .to(Link.session(session.id().value())),
                                        Cell.text(
                                                "Title",
                                                Words.line(session.title().orElse(""))),
                                        times.cell("Began", session.startedAt()),
                                        session.id().equals(lane.entry().sessionId())
                                                ? Cell.text("Ended", "current").in("ok")
                                                : SessionPages.ended(session, times),
                                        Cell.number("Messages", session.messageCount()),
                                        session.id().equals(lane.entry().sessionId())
                                                ? Cell.text("Go back", "")
                                                : Cell.text("Go back", "go back")
                                                        .to(Link.to(Operating.RESUME)
                                                                .with("key", key.value())
                                                                .with(
                                                                        "id",
                                                                        session.id()
                                                                                .value())
                                                                .text())))
                                .toList(),
                        "No session was begun on this lane."));
    }
}
