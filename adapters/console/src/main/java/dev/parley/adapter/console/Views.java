package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.EventQuery;
import dev.parley.application.port.GatewayEvent;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Node;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.Page;
import dev.parley.application.port.PlatformState;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.spi.WebRequest;
import dev.parley.application.spi.WebResponse;
import dev.parley.application.spi.WebRole;
import dev.parley.application.store.Explanation;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.KeyParts;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.source.Platform;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Makes the pages on which an operator looks.
 *
 * @param gateway the gateway
 * @param clock time
 * @param frames makes what pages have around them
 * @param export says what of a page may be saved
 * @param check the check of the storage
 */
record Views(GatewayInspection gateway, InstantSource clock, Frames frames, Export export, StorageCheck check) {
    /** The topic of the check of the storage. */
    static final String CHECK = "check";

    private static final String LAST = "What happened last";
    private static final String WHY = "Why it has this session";
    private static final int PAGE = 50;
    private static final int FEW = 20;
    private static final int AUDIT = 200;
    private static final int LINE = 120;
    private static final Set<LaneEvent.Kind> TELLING =
            EnumSet.complementOf(EnumSet.of(LaneEvent.Kind.CREATED, LaneEvent.Kind.CLEARED, LaneEvent.Kind.FINALISED));

    /**
     * A page that may not be there.
     *
     * @param status 200, or 404 where what it is about does not exist
     * @param html the page
     */
    record Found(int status, String html) {}

    private Times times() {
        return new Times(gateway.zone(), clock.instant());
    }

    // ------------------------------------------------------------------ overview

    String overview(WebRequest request) {
        Times times = times();
        Map<String, String> health = gateway.health();
        List<Pages.Fact> facts = new ArrayList<>();
        String state = Frames.state(health);
        facts.add(new Pages.Fact("State", state, "", Frames.mood(state)));
        facts.add(new Pages.Fact(
                "Running turns",
                health.getOrDefault("running", "0"),
                Link.to("/lanes").text(),
                ""));
        String trouble = trying(() -> {
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
        List<Table> tables = new ArrayList<>();
        if (!gateway.platforms().isEmpty()) {
            tables.add(platforms(times));
        }
        nodes(times).ifPresent(tables::add);
        tables.add(atWork("At work", times));
        tables.add(history(LAST, EventQuery.first(FEW).kinds(TELLING), times, request, false));
        String intro = trouble.isEmpty() ? Operating.done(request) : "Some of this cannot be shown now: " + trouble;
        String holds = health.containsKey("held") ? Operating.RELEASE : Operating.HOLD;
        return sheet(
                frames.of(request, "Overview", "lane storage delivery"),
                intro,
                facts,
                List.of(),
                List.of(),
                operates(request) ? List.of(Operating.deed(holds, Link.to(holds))) : List.of(),
                tables);
    }

    private static boolean operates(WebRequest request) {
        return request.caller().role() == WebRole.OPERATOR;
    }

    /** The gateways that share the store; absent where this one has it to itself. */
    private Optional<Table> nodes(Times times) {
        Table table = guarded("Nodes", () -> {
            String mine = gateway.health().getOrDefault("life", "");
            return Table.of(
                    "Nodes",
                    List.of("Node", "State", "Lanes", "Running", "Since"),
                    gateway.nodes().stream()
                            .filter(node -> node.state().isLive())
                            .map(node -> Row.of(
                                    "node-" + node.life().value(),
                                    node.life().value().equals(mine)
                                            ? Cell.text("Node", line(node.shown() + ", this one"))
                                            : Cell.text("Node", line(node.shown()))
                                                    .to(consoleOf(node)),
                                    nodeState(node),
                                    Cell.number("Lanes", node.lanes()),
                                    Cell.number("Running", node.busy()),
                                    times.cell("Since", node.joinedAt())))
                            .toList(),
                    "");
        });
        return Optional.of(table).filter(any -> any.failed() || !any.rows().isEmpty());
    }

    private static Cell nodeState(Node node) {
        if (node.state() == Node.State.DRAINING || node.wish() == Node.Wish.DRAIN) {
            return Cell.text("State", "draining").in("warn");
        }
        return node.wish() == Node.Wish.HOLD
                ? Cell.text("State", "held").in("warn")
                : Cell.text("State", "up").in("ok");
    }

    /** Returns where the console of a node is; empty where its address is not known or is none that a browser may follow. */
    private static String consoleOf(Node node) {
        return node.address()
                .filter(address -> address.startsWith("http://") || address.startsWith("https://"))
                .map(address -> address.replaceFirst("/+$", "") + Link.ROOT + "/")
                .orElse("");
    }

    /** Returns the node that works on a lane, where that is not this one. */
    private Optional<Node> holder(SessionKey key) {
        try {
            List<Node> nodes = gateway.nodes();
            String mine = gateway.health().getOrDefault("life", "");
            return nodes.isEmpty()
                    ? Optional.empty()
                    : gateway.laneReads()
                            .hold(key)
                            .holder()
                            .flatMap(life -> nodes.stream()
                                    .filter(node -> node.life().equals(life)
                                            && node.state().isLive()
                                            && !life.value().equals(mine))
                                    .findFirst());
        } catch (StorageUnavailable | StorageCorrupt e) {
            return Optional.empty();
        }
    }

    /** Says that a lane is worked on by another node, and where that is asked. */
    String elsewhere(WebRequest request, Optional<LifeId> holder) {
        Optional<Node> node = holder.flatMap(life -> gateway.nodes().stream()
                .filter(each -> each.life().equals(life))
                .findFirst());
        String name = node.map(Node::shown).orElse("another node");
        String there = node.map(Views::consoleOf).orElse("");
        return NoticeRenderer.of()
                .execute(new Pages.Notice(
                        frames.of(request, "Nothing was done", ""),
                        line("The lane is worked on by " + name + ". Do this in the console of that node."),
                        there.isEmpty() ? Link.ROOT + "/" : there,
                        there.isEmpty() ? "Look at the nodes" : "Go to its console"));
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
        return line(error + state.advice().map(what -> " " + what).orElse("")).strip();
    }

    /** The lanes on which something runs or waits. */
    private Table atWork(String caption, Times times) {
        return guarded(caption, () -> {
            Set<SessionKey> running = Set.copyOf(gateway.running());
            Map<SessionKey, List<Inbound>> waiting =
                    gateway.queue().admitted().stream().collect(Collectors.groupingBy(Inbound::lane));
            Set<SessionKey> keys = new java.util.TreeSet<>(running);
            keys.addAll(waiting.keySet());
            List<Row> rows = keys.stream()
                    .limit(PAGE)
                    .map(key -> gateway.laneReads()
                            .find(key)
                            .map(lane ->
                                    laneRow(lane, running.contains(key), waiting.getOrDefault(key, List.of()), times))
                            .orElseGet(() -> newLaneRow(key, waiting.getOrDefault(key, List.of()), times)))
                    .toList();
            return Table.of(caption, LANE_HEADS, rows, "Nothing runs and nothing waits.");
        });
    }

    private static final List<String> LANE_HEADS = List.of("Lane", "State", "Waiting", "Session", "Last active");

    /** A lane whose first message waits has no session yet. */
    private static Row newLaneRow(SessionKey key, List<Inbound> waiting, Times times) {
        return Row.of(
                "lane-" + key.value(),
                Cell.text("Lane", name(key)).to(Link.lane(key.value())).titled(key.value()),
                Cell.text("State", "new").in("quiet"),
                wait(waiting, times),
                Cell.text("Session", ""),
                Cell.text("Last active", ""));
    }

    private static Cell wait(List<Inbound> waiting, Times times) {
        return waiting.isEmpty()
                ? Cell.text("Waiting", "")
                : Cell.text(
                        "Waiting",
                        waiting.size() + ", "
                                + Times.span(Duration.between(waiting.get(0).receivedAt(), times.now())));
    }

    private static Row laneRow(Lane lane, boolean running, List<Inbound> waiting, Times times) {
        String key = lane.key().value();
        Cell wait = wait(waiting, times);
        return Row.of(
                "lane-" + key,
                Cell.text("Lane", name(lane)).to(Link.lane(key)).titled(key),
                state(lane, running),
                wait,
                Cell.text("Session", lane.entry().sessionId().value())
                        .to(Link.session(lane.entry().sessionId().value())),
                times.cell("Last active", lane.entry().updatedAt()));
    }

    /** A lane's key as people read it: the platform, the kind of chat and the chat. */
    static String name(SessionKey key) {
        return line(KeyParts.parse(key)
                .map(p -> p.platform().name() + " " + p.chatType().value() + " " + p.chatId())
                .orElse(key.value()));
    }

    private static String name(Lane lane) {
        String parts = name(lane.key());
        return line(lane.entry()
                .displayName()
                .filter(name -> !name.isBlank())
                .map(name -> name + " (" + parts + ")")
                .orElse(parts));
    }

    private static Cell state(Lane lane, boolean running) {
        if (running) {
            return Cell.text("State", "running").in("run");
        }
        return switch (LaneQuery.Stand.of(lane)) {
            case OPEN -> Cell.text("State", "open").in("ok");
            case RESUME_PENDING -> Cell.text("State", "resume pending").in("warn");
            case SUSPENDED -> Cell.text("State", "suspended").in("bad");
        };
    }

    // ------------------------------------------------------------------ lanes

    String lanes(WebRequest request) {
        Times times = times();
        String sought = request.parameter("q").orElse("");
        String stand = request.parameter("state").orElse("");
        String platform = request.parameter("platform").orElse("");
        List<Pages.Choice> choices = new ArrayList<>();
        choices.add(new Pages.Choice("all", lanesAt("", platform, sought).text(), stand.isEmpty()));
        for (LaneQuery.Stand each : LaneQuery.Stand.values()) {
            String word = each.name().toLowerCase(Locale.ROOT);
            choices.add(new Pages.Choice(
                    word.replace('_', ' '), lanesAt(word, platform, sought).text(), word.equals(stand)));
        }
        Table all = guarded("Lanes, latest activity first", () -> {
            Set<SessionKey> running = Set.copyOf(gateway.running());
            Map<SessionKey, List<Inbound>> waiting =
                    gateway.queue().admitted().stream().collect(Collectors.groupingBy(Inbound::lane));
            Page<Lane> page = gateway.laneReads()
                    .page(new LaneQuery(
                            Optional.of(platform).filter(p -> !p.isEmpty()).map(Platform::of),
                            stand(stand),
                            Optional.of(sought),
                            request.parameter("after").map(Cursor::parse),
                            PAGE));
            Table table = Table.of(
                    "Lanes, latest activity first",
                    LANE_HEADS,
                    page.rows().stream()
                            .map(lane -> laneRow(
                                    lane,
                                    running.contains(lane.key()),
                                    waiting.getOrDefault(lane.key(), List.of()),
                                    times))
                            .toList(),
                    sought.isEmpty() && stand.isEmpty()
                            ? "There are no lanes yet. A lane begins with the first message of a chat."
                            : "No lane matches.");
            return next(table, page, lanesAt(stand, platform, sought));
        });
        List<Table> tables = new ArrayList<>();
        if (request.parameter("after").isEmpty() && sought.isEmpty() && stand.isEmpty()) {
            tables.add(atWork("At work", times));
        }
        tables.add(all);
        return sheet(
                frames.of(request, "Lanes", "lane storage"),
                "",
                List.of(),
                List.of(new Pages.Sought(Link.ROOT + "/lanes", "q", sought, "Name or key")),
                choices,
                List.of(),
                tables);
    }

    private static Link lanesAt(String stand, String platform, String sought) {
        return Link.to("/lanes").with("state", stand).with("platform", platform).with("q", sought);
    }

    private static Optional<LaneQuery.Stand> stand(String word) {
        return Arrays.stream(LaneQuery.Stand.values())
                .filter(each -> each.name().equalsIgnoreCase(word))
                .findFirst();
    }

    // ------------------------------------------------------------------ one lane

    Found lane(WebRequest request) {
        Times times = times();
        SessionKey key = SessionKey.of(request.parameter("key").orElse(""));
        Optional<Lane> found = gateway.laneReads().find(key);
        if (found.isEmpty() && !gateway.queue().admitted(key).isEmpty()) {
            return new Found(
                    200,
                    sheet(
                            frames.of(request, name(key), "lane:" + key.value()),
                            "Its first message waits. It gets a session once a turn begins.",
                            List.of(new Pages.Fact("Key", key.value(), "", "long")),
                            List.of(),
                            List.of(),
                            List.of(),
                            List.of(queue(key, times, operates(request)))));
        }
        if (found.isEmpty()) {
            return new Found(404, notice(request, "There is no lane " + key.value() + "; it may have been removed."));
        }
        Lane lane = found.get();
        boolean running = gateway.running().contains(key) || isClaimed(key);
        List<LaneEvent> history = new ArrayList<>();
        String unread = trying(() -> history.addAll(gateway.history(key, PAGE)));
        List<Pages.Fact> facts = new ArrayList<>(List.of(
                new Pages.Fact("State", state(lane, running).text(), "", running ? "" : mood(lane)),
                new Pages.Fact(
                        "Session",
                        lane.entry().sessionId().value(),
                        Link.session(lane.entry().sessionId().value()),
                        "long"),
                new Pages.Fact("Session began", times.ago(lane.entry().createdAt()), "", "when"),
                new Pages.Fact("Last active", times.ago(lane.entry().updatedAt()), "", "when"),
                Pages.Fact.of("Tokens", Words.number(lane.entry().usage().totalTokens())),
                new Pages.Fact("Key", key.value(), "", "long")));
        holder(key)
                .ifPresent(node ->
                        facts.add(1, new Pages.Fact("Worked on by", line(node.shown()), consoleOf(node), "long")));
        List<Table> tables = new ArrayList<>();
        tables.add(unread.isEmpty() ? why(key, history, times) : Table.unavailable(WHY, unread));
        tables.add(queue(key, times, operates(request)));
        tables.add(guarded("Turns", () -> turns("Turns", TurnQuery.first(FEW).of(key), times, false)));
        tables.add(guarded(
                "Deliveries",
                () -> deliveries("Deliveries", OutgoingQuery.first(FEW).of(key), times, operates(request))));
        tables.add(earlier(key, lane, times, operates(request) && !running));
        return new Found(
                200,
                sheet(
                        frames.of(request, name(lane), "lane:" + key.value() + " storage"),
                        Operating.done(request),
                        facts,
                        List.of(),
                        List.of(),
                        deeds(request, lane, running, history),
                        tables,
                        export.ofLane(request, key)));
    }

    /** Another node of the store may be at work on the lane. */
    private boolean isClaimed(SessionKey key) {
        try {
            return gateway.queue().turns(TurnQuery.first(1).of(key)).rows().stream()
                    .anyMatch(turn -> turn.state() == Turn.State.CLAIMED);
        } catch (StorageUnavailable | StorageCorrupt e) {
            return false;
        }
    }

    private static String mood(Lane lane) {
        return switch (LaneQuery.Stand.of(lane)) {
            case OPEN -> "";
            case RESUME_PENDING -> "warn";
            case SUSPENDED -> "bad";
        };
    }

    private static List<Pages.Deed> deeds(WebRequest request, Lane lane, boolean running, List<LaneEvent> history) {
        if (request.caller().role() != WebRole.OPERATOR) {
            return List.of();
        }
        List<Pages.Deed> deeds = new ArrayList<>();
        boolean reset = history.stream()
                .filter(event -> !event.from().equals(event.to()))
                .findFirst()
                .filter(event -> event.kind() == LaneEvent.Kind.RESET || event.kind() == LaneEvent.Kind.RENEWED)
                .filter(event ->
                        event.to().filter(lane.entry().sessionId()::equals).isPresent())
                .isPresent();
        if (reset) {
            deeds.add(deed("unreset", lane, !running, "a turn runs"));
        }
        deeds.add(deed("reset", lane, true, ""));
        deeds.add(deed(lane.entry().isSuspended() ? "unsuspend" : "suspend", lane, true, ""));
        if (running) {
            deeds.add(deed("interrupt", lane, true, ""));
        }
        return deeds;
    }

    private static Pages.Deed deed(String act, Lane lane, boolean possible, String why) {
        return new Pages.Deed(
                Acts.label(act),
                Link.to("/lane/" + act).with("key", lane.key().value()).text(),
                possible,
                why);
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
            event.inputs()
                    .forEach((name, value) -> details.add(Cell.text(name.replace('_', ' '), input(value, times))));
            rows.add(new Row(
                    "why-" + event.at().toEpochMilli() + "-" + (history.size() - i),
                    List.of(
                            times.cell("When", event.at()),
                            Cell.text("What", line(Explanation.inWords(event, times.zone()))),
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

    private static String input(String value, Times times) {
        try {
            return value.endsWith("Z") ? times.exact(Instant.parse(value)) : line(value);
        } catch (java.time.DateTimeException noTime) {
            return line(value);
        }
    }

    private Table queue(SessionKey key, Times times, boolean operates) {
        return guarded(
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
                                        Cell.text("Text", line(inbound.text())),
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
        return guarded(
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
                                        Cell.text("Title", line(session.title().orElse(""))),
                                        times.cell("Began", session.startedAt()),
                                        session.id().equals(lane.entry().sessionId())
                                                ? Cell.text("Ended", "current").in("ok")
                                                : ended(session, times),
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

    private static Cell ended(Session session, Times times) {
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

    // ------------------------------------------------------------------ turns and deliveries

    private Table turns(String caption, TurnQuery query, Times times, boolean lanes) {
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
                            turnState(turn),
                            Cell.text("Why", why(turn)),
                            Cell.text("Took", turn.took().map(Times::span).orElse("")),
                            Cell.text("Model", line(turn.usage().model().orElse(""))),
                            Cell.number("Tokens", turn.usage().tokens().total()),
                            Cell.text(
                                            "Cost",
                                            Words.dollars(turn.usage().costUsd().orElse(0.0)))
                                    .in("num")));
                    if (lanes) {
                        cells.add(
                                1,
                                Cell.text("Lane", name(turn.lane()))
                                        .to(Link.lane(turn.lane().value()))
                                        .titled(turn.lane().value()));
                    }
                    if (traces.isThere()) {
                        cells.add(traces.cell(turn.id()));
                    }
                    return new Row("turn-" + turn.id().value(), cells, List.of());
                })
                .toList();
        return next(Table.of(caption, heads, rows, "There is none."), page, Link.to("/failures"));
    }

    private static Cell turnState(Turn turn) {
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

    private static String why(Turn turn) {
        return turn.reason()
                        .map(TurnReason::text)
                        .map(text -> text.replace('_', ' '))
                        .orElse("")
                + turn.note().map(note -> ": " + line(note)).orElse("");
    }

    String failures(WebRequest request) {
        Times times = times();
        Table table = guarded(
                "Turns without an answer",
                () -> turns(
                        "Turns without an answer",
                        TurnQuery.first(PAGE)
                                .states(Set.of(Turn.State.FAILED, Turn.State.INTERRUPTED))
                                .after(request.parameter("after").map(Cursor::parse)),
                        times,
                        true));
        return sheet(
                frames.of(request, "Failures", "lane"),
                "Turns that ended without an answer, latest first, each with its reason.",
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(table));
    }

    private Table deliveries(String caption, OutgoingQuery query, Times times, boolean operates) {
        Page<Outgoing> page = gateway.queue().outgoing(query);
        boolean open = operates && page.rows().stream().anyMatch(Views::isOpen);
        List<Row> rows = page.rows().stream()
                .map(message -> Row.of(
                        "out-" + message.id().value(),
                        times.cell("Stored", message.createdAt()),
                        Cell.text("To", line(message.platform().name() + " " + message.chatId()))
                                .to(message.lane()
                                        .map(key -> Link.lane(key.value()))
                                        .orElse("")),
                        Cell.text("State", message.state().text())
                                .in(
                                        switch (message.state()) {
                                            case PENDING, ATTEMPTED -> "warn";
                                            case DELIVERED -> "ok";
                                            case EXPIRED -> "bad";
                                        }),
                        Cell.number("Attempts", message.attempts()),
                        Cell.text(
                                "Last failure",
                                line(message.delivery().failure().orElse(""))),
                        Cell.text("Text", line(message.text())),
                        toDo("Try", "try now", Operating.TRY, message),
                        toDo("Give up", "give up", Operating.GIVE_UP, message)))
                .map(row -> open ? row : new Row(row.id(), row.cells().subList(0, row.width() - 2), List.of()))
                .toList();
        return next(
                Table.of(
                        caption,
                        open
                                ? List.of("Stored", "To", "State", "Attempts", "Last failure", "Text", "Try", "Give up")
                                : List.of("Stored", "To", "State", "Attempts", "Last failure", "Text"),
                        rows,
                        "There is none."),
                page,
                Link.to("/deliveries"));
    }

    private static boolean isOpen(Outgoing message) {
        return message.state() == Outgoing.State.PENDING || message.state() == Outgoing.State.ATTEMPTED;
    }

    private static Cell toDo(String head, String text, String place, Outgoing message) {
        return isOpen(message)
                ? Cell.text(head, text)
                        .to(Link.to(place).with("id", message.id().value()).text())
                : Cell.text(head, "");
    }

    String deliveries(WebRequest request) {
        Times times = times();
        String chosen = request.parameter("state").orElse("open");
        Set<Outgoing.State> states = switch (chosen) {
            case "expired" -> Set.of(Outgoing.State.EXPIRED);
            case "delivered" -> Set.of(Outgoing.State.DELIVERED);
            case "all" -> Set.of();
            default -> Set.of(Outgoing.State.PENDING, Outgoing.State.ATTEMPTED);
        };
        List<Pages.Choice> choices = List.of("open", "expired", "delivered", "all").stream()
                .map(word -> new Pages.Choice(
                        word, Link.to("/deliveries").with("state", word).text(), word.equals(chosen)))
                .toList();
        Table table = guarded("Messages to chats", () -> {
            OutgoingQuery query = OutgoingQuery.first(PAGE)
                    .states(states)
                    .after(request.parameter("after").map(Cursor::parse));
            Table all = deliveries("Messages to chats", query, times, operates(request));
            return all.more() ? all.goingOn(all.next() + "&state=" + chosen) : all;
        });
        return sheet(
                frames.of(request, "Deliveries", "delivery"),
                (Operating.done(request) + " Messages to chats, latest first. What is open is tried again by itself.")
                        .strip(),
                List.of(),
                List.of(),
                choices,
                List.of(),
                List.of(table));
    }

    // ------------------------------------------------------------------ sessions

    String sessions(WebRequest request) {
        Times times = times();
        boolean byStart = SessionList.isByStart(request);
        String sought = request.parameter("q").orElse("");
        Map<String, String> filters = SessionList.filters(request);
        Link here = Link.to("/sessions");
        filters.forEach(here::with);
        List<Pages.Choice> choices = List.of(
                new Pages.Choice(
                        "by activity", Link.to("/sessions").with("q", sought).text(), !byStart),
                new Pages.Choice(
                        "by start",
                        Link.to("/sessions")
                                .with("order", "start")
                                .with("q", sought)
                                .text(),
                        byStart));
        Table table = guarded("Sessions", () -> {
            SessionQuery query = SessionList.query(request).window(PAGE, 0);
            Page<SessionListing> page =
                    gateway.sessions().page(query, request.parameter("after").map(Cursor::parse));
            List<Row> rows = page.rows().stream()
                    .map(listing -> sessionRow(listing, times))
                    .toList();
            return next(
                    Table.of(
                            "Sessions",
                            List.of("Session", "From", "Model", "Messages", "Tokens", "Cost", "Last active", "Ended"),
                            rows,
                            sought.isEmpty() ? "There are no sessions yet." : "No session matches."),
                    page,
                    here);
        });
        List<Pages.Deed> deeds = request.caller().role() == WebRole.OPERATOR
                ? List.of(new Pages.Deed(
                        "Delete old sessions", Link.to(Prune.PLACE).text(), true, ""))
                : List.of();
        return sheet(
                frames.of(request, "Sessions", "lane"),
                Operating.done(request),
                List.of(),
                List.of(new Pages.Sought(Link.ROOT + "/sessions", "q", sought, "Title or id")),
                choices,
                deeds,
                List.of(table),
                export.ofSessions(request, filters));
    }

    private static Row sessionRow(SessionListing listing, Times times) {
        Session session = listing.session();
        return Row.of(
                "session-" + session.id().value(),
                Cell.text(
                                "Session",
                                line(session.title()
                                        .filter(t -> !t.isBlank())
                                        .orElseGet(() -> listing.preview().isBlank()
                                                ? session.id().value()
                                                : listing.preview())))
                        .to(Link.session(session.id().value()))
                        .titled(session.id().value()),
                Cell.text("From", line(session.source())),
                Cell.text("Model", line(session.model().orElse(""))),
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

    Found session(WebRequest request) {
        SessionId id = SessionId.of(request.parameter("id").orElse(""));
        Optional<Session> session = gateway.sessions().find(id);
        if (session.isEmpty()) {
            return new Found(404, notice(request, "There is no session " + id.value() + "; it may have been deleted."));
        }
        return new Found(200, new TranscriptView(gateway, frames, times(), export).of(request, session.get()));
    }

    // ------------------------------------------------------------------ search

    String search(WebRequest request) {
        Times times = times();
        String sought = request.parameter("q").orElse("");
        String offset = request.parameter("from").orElse("0");
        int first = offset.matches("[0-9]{1,6}") ? Integer.parseInt(offset) : 0;
        List<String> notes = new ArrayList<>();
        Table table = sought.isBlank()
                ? Table.of(
                        "Found",
                        List.of(),
                        List.of(),
                        "Type what was said. Words are found together, \"quoted\" ones in a row.")
                : guarded("Found", () -> found(sought, first, times, notes::add));
        return sheet(
                frames.of(request, "Search", ""),
                String.join(" ", notes),
                List.of(),
                List.of(new Pages.Sought(Link.ROOT + "/search", "q", sought, "Said in any conversation")),
                List.of(),
                List.of(),
                List.of(table));
    }

    private Table found(String sought, int first, Times times, Consumer<String> notes) {
        SearchQuery all = SearchQuery.of(sought);
        List<SearchHit> hits = gateway.search()
                .search(
                        new SearchQuery(
                                sought,
                                all.sources(),
                                all.excludeSources(),
                                all.roles(),
                                FEW + 1,
                                first,
                                all.sort(),
                                all.viewer()),
                        notes);
        List<Row> rows = hits.stream()
                .limit(FEW)
                .map(hit -> Row.of(
                        "hit-" + hit.sequence(),
                        Cell.text("Said", line(hit.snippet().orElse("(a tool call)")))
                                .to(Link.to("/session")
                                                .with("id", hit.session().value())
                                                .with("at", String.valueOf(hit.sequence()))
                                                .text()
                                        + "#m-" + hit.sequence())
                                .in("found"),
                        Cell.text("By", hit.role().name()),
                        Cell.text("From", line(hit.source())),
                        times.cell("When", hit.at())))
                .toList();
        Table table = Table.of("Found", List.of("Said", "By", "From", "When"), rows, "Nothing was found.");
        return hits.size() > FEW
                ? table.goingOn(Link.to("/search")
                        .with("q", sought)
                        .with("from", String.valueOf(first + FEW))
                        .text())
                : table;
    }

    // ------------------------------------------------------------------ usage, events, storage, recovery, settings

    String usage(WebRequest request) {
        return new UsageView(gateway, times())
                .of(frames.of(request, "Usage", ""), UsageView.days(request), UsageView.by(request));
    }

    WebResponse usageTable(WebRequest request) {
        return new UsageView(gateway, times()).csv(UsageView.days(request), UsageView.by(request));
    }

    String events(WebRequest request) {
        Times times = times();
        boolean routine = request.parameter("all").isPresent();
        String lane = request.parameter("lane").orElse("");
        EventQuery query =
                EventQuery.first(PAGE).after(request.parameter("after").map(Cursor::parse));
        if (!lane.isEmpty()) {
            query = query.of(SessionKey.of(lane));
        }
        if (!routine) {
            query = query.kinds(TELLING);
        }
        List<Pages.Choice> choices = List.of(
                new Pages.Choice(
                        "telling", Link.to("/events").with("lane", lane).text(), !routine),
                new Pages.Choice(
                        "all",
                        Link.to("/events").with("all", "1").with("lane", lane).text(),
                        routine));
        return sheet(
                frames.of(request, "Events", "lane"),
                "What changed which session a lane has, and why, latest first.",
                List.of(),
                List.of(),
                choices,
                List.of(),
                List.of(history("Events", query, times, request, true)));
    }

    private Table history(String caption, EventQuery query, Times times, WebRequest request, boolean paged) {
        return guarded(caption, () -> {
            Page<LaneEvent> page = gateway.laneReads().events(query);
            List<Row> rows = new ArrayList<>();
            for (LaneEvent event : page.rows()) {
                rows.add(Row.of(
                        "event-" + event.at().toEpochMilli() + "-"
                                + event.lane().value(),
                        times.cell("When", event.at()),
                        Cell.text("Lane", name(event.lane()))
                                .to(Link.lane(event.lane().value()))
                                .titled(event.lane().value()),
                        Cell.text("What", line(Explanation.inWords(event, times.zone())))));
            }
            Table table = Table.of(
                    caption,
                    List.of("When", "Lane", "What"),
                    rows,
                    paged || caption.equals(LAST) ? "Nothing has happened yet." : "There was none.");
            return paged
                    ? next(
                            table,
                            page,
                            Link.to("/events")
                                    .with("all", request.parameter("all").orElse(""))
                                    .with("lane", request.parameter("lane").orElse("")))
                    : table;
        });
    }

    String storage(WebRequest request) {
        Map<String, String> health = gateway.health();
        List<Pages.Fact> facts = new ArrayList<>();
        boolean degraded = health.containsKey("degraded_since");
        facts.add(new Pages.Fact("Storage", degraded ? "degraded" : "whole", "", degraded ? "bad" : ""));
        facts.add(new Pages.Fact("Where", health.getOrDefault("storage", ""), "", "long"));
        if (degraded) {
            Times times = times();
            facts.add(new Pages.Fact("Since", input(health.getOrDefault("degraded_since", ""), times), "", "long"));
            facts.add(new Pages.Fact("Because", line(health.getOrDefault("degraded_because", "")), "", "long"));
            facts.add(Pages.Fact.of("Batches to merge back", health.getOrDefault("spilled_batches", "?")));
            Optional.ofNullable(health.get("refusing_because"))
                    .ifPresent(why -> facts.add(new Pages.Fact("The fallback takes nothing", line(why), "", "long")));
        }
        Table figures = guarded(
                "Figures",
                () -> Table.of(
                        "Figures",
                        List.of("What", "Value"),
                        gateway.storageStatus().entrySet().stream()
                                .map(entry -> Row.of(
                                        "figure-" + entry.getKey(),
                                        Cell.text("What", entry.getKey().replace('_', ' ')),
                                        Cell.text("Value", line(Words.figure(entry.getKey(), entry.getValue())))))
                                .toList(),
                        "The storage says nothing of itself."));
        String intro = degraded
                ? "Messages are kept in the fallback and merged back by themselves once the storage can be used again. Mend what"
                        + " is said below; a restart is not needed."
                : "Everything is stored where it belongs.";
        Optional<StorageCheck.Standing> checked = check.standing();
        checked.ifPresent(standing -> facts.add(checked(standing, times())));
        List<Table> tables = new ArrayList<>();
        checked.filter(standing -> !standing.problems().isEmpty()).ifPresent(standing -> tables.add(found(standing)));
        tables.add(figures);
        boolean runs = checked.filter(StorageCheck.Standing::isRunning).isPresent();
        return sheet(
                frames.of(request, "Storage", "storage " + CHECK),
                intro,
                facts,
                List.of(),
                List.of(),
                operates(request) && !runs
                        ? List.of(Operating.deed(Operating.CHECK, Link.to(Operating.CHECK)))
                        : List.of(),
                tables);
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
            return new Pages.Fact("Check", "broken off " + when + ": " + line(standing.failure()), "", "long");
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

    String recovery(WebRequest request) {
        Times times = times();
        List<Table> tables = new ArrayList<>();
        tables.add(history(
                "Turns that were cut off",
                EventQuery.first(PAGE).kinds(Set.of(LaneEvent.Kind.MARKED)),
                times,
                request,
                false));
        tables.add(history(
                "Turns that were resumed and succeeded",
                EventQuery.first(FEW).kinds(Set.of(LaneEvent.Kind.CLEARED)),
                times,
                request,
                false));
        tables.add(history(
                "Lanes that were suspended",
                EventQuery.first(FEW).kinds(Set.of(LaneEvent.Kind.SUSPENDED)),
                times,
                request,
                false));
        return sheet(
                frames.of(request, "Recovery", "lane"),
                "What restarts and crashes did to conversations, latest first. A turn that was cut off is resumed by itself.",
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                tables);
    }

    String audit(WebRequest request) {
        Times times = times();
        List<GatewayInspection.AuditLine> lines = gateway.audit(AUDIT);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            GatewayInspection.AuditLine line = lines.get(i);
            GatewayEvent.OperatorActed act = line.act();
            rows.add(Row.of(
                    "act-" + line.at().toEpochMilli() + "-" + (lines.size() - i),
                    times.cell("When", line.at()),
                    Cell.text("Who", line(act.by())).titled(act.role()),
                    Cell.text("From", line(act.remote())),
                    Cell.text("What", line(act.action())),
                    act.target().startsWith("agent:")
                            ? Cell.text("Of what", line(act.target())).to(Link.lane(act.target()))
                            : Cell.text("Of what", line(act.target())),
                    Cell.text("Outcome", line(act.outcome()))));
        }
        return sheet(
                frames.of(request, "Audit", ""),
                "What operators did last through a surface, and who tried to log in, latest first. All of it is in audit.jsonl of the"
                        + " home.",
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(Table.of(
                        "Audit",
                        List.of("When", "Who", "From", "What", "Of what", "Outcome"),
                        rows,
                        "No operator has done anything yet.")));
    }

    String settings(WebRequest request) {
        boolean all = request.parameter("all").isPresent();
        List<Row> rows = gateway.settings().stream()
                .filter(setting -> all || !setting.origin().equals("default"))
                .map(setting -> Row.of(
                        "setting-" + setting.path(),
                        Cell.text("Setting", setting.path()),
                        Cell.text("Value", line(setting.value())),
                        Cell.text("From", setting.origin())))
                .toList();
        List<Pages.Choice> choices = List.of(
                new Pages.Choice("set", Link.to("/settings").text(), !all),
                new Pages.Choice("all", Link.to("/settings").with("all", "1").text(), all));
        return sheet(
                frames.of(request, "Settings", ""),
                "What holds, and where it comes from. It is changed in the file, not here; secrets are not shown.",
                List.of(),
                List.of(),
                choices,
                List.of(),
                List.of(Table.of(
                        "Settings",
                        List.of("Setting", "Value", "From"),
                        rows,
                        "Nothing is set; every default holds.")));
    }

    String login(WebRequest request, Asset style, Asset script) {
        String refused = request.parameter("refused")
                .map(why -> switch (why) {
                    case "throttled" -> "Too many wrong tokens; wait a minute and try again.";
                    case "code" ->
                        "This code was used already or is older than a minute; ask parley console for a new one.";
                    default -> "This is not the token. It is in the file http-token of the home.";
                })
                .orElse("");
        return LoginRenderer.of()
                .execute(new Pages.Login(
                        style.address(),
                        script.address(),
                        request.parameter("next")
                                .filter(next -> next.startsWith(Link.ROOT + "/"))
                                .orElse(Link.ROOT + "/"),
                        refused));
    }

    String notice(WebRequest request, String text) {
        return NoticeRenderer.of()
                .execute(new Pages.Notice(
                        frames.of(request, "Parley", ""), line(text), Link.ROOT + "/", "Go to the overview"));
    }

    // ------------------------------------------------------------------ what pages share

    static String line(String text) {
        return OneLine.of(text, LINE);
    }

    private static Table next(Table table, Page<?> page, Link link) {
        return page.next()
                .map(place -> table.goingOn(link.with("after", place.text()).text()))
                .orElse(table);
    }

    /** Returns a table, or one that says why it cannot be shown. */
    private static Table guarded(String caption, Supplier<Table> made) {
        try {
            return made.get();
        } catch (StorageUnavailable | StorageCorrupt e) {
            return Table.unavailable(caption, line(String.valueOf(e.getMessage())));
        }
    }

    /** Returns why something cannot be read; empty where it can. */
    private static String trying(Runnable read) {
        try {
            read.run();
            return "";
        } catch (StorageUnavailable | StorageCorrupt e) {
            return line(String.valueOf(e.getMessage()));
        }
    }

    private static String sheet(
            Pages.Frame frame,
            String intro,
            List<Pages.Fact> facts,
            List<Pages.Sought> searches,
            List<Pages.Choice> choices,
            List<Pages.Deed> deeds,
            List<Table> tables) {
        return sheet(frame, intro, facts, searches, choices, deeds, tables, List.of());
    }

    private static String sheet(
            Pages.Frame frame,
            String intro,
            List<Pages.Fact> facts,
            List<Pages.Sought> searches,
            List<Pages.Choice> choices,
            List<Pages.Deed> deeds,
            List<Table> tables,
            List<Pages.Choice> saves) {
        return SheetRenderer.of()
                .execute(new Pages.Sheet(frame, intro, facts, searches, choices, deeds, List.of(), tables, saves));
    }
}
