package dev.parley.adapter.console;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.GatewayInspection;
import dev.parley.application.port.LaneQuery;
import dev.parley.application.port.Page;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TurnQuery;
import dev.parley.domain.key.KeyParts;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Lane;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.text.OneLine;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists lanes with how they stand.
 *
 * @param gateway the gateway
 * @param frames makes what pages have around them
 */
record LaneList(GatewayInspection gateway, Frames frames) {
    private static final int PAGE = 50;
    private static final int LONGEST_NAME = 60;
    private static final List<String> LANE_HEADS = List.of("Lane", "State", "Waiting", "Session", "Last active");

    String page(PageRequest request) {
        Times times = request.times();
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
        Table all = Reads.guarded("Lanes, latest activity first", () -> {
            Map<SessionKey, Running> running = running();
            Set<SessionKey> awaiting = Set.copyOf(gateway.awaitingPlace());
            Map<SessionKey, List<Inbound>> waiting =
                    gateway.queue().admitted().stream().collect(Collectors.groupingBy(Inbound::lane));
            Page<Lane> page = gateway.laneReads()
                    .page(new LaneQuery(
                            Optional.of(platform).filter(p -> !p.isEmpty()).map(Platform::of),
                            stand(stand),
                            Optional.of(sought),
                            request.parameter("after").map(Cursor::parse),
                            PAGE,
                            LaneQuery.FEW_LOOKS));
            Table table = Table.of(
                    "Lanes, latest activity first",
                    LANE_HEADS,
                    page.rows().stream()
                            .map(lane -> laneRow(
                                    lane,
                                    Optional.ofNullable(running.get(lane.key())),
                                    awaiting.contains(lane.key()),
                                    waiting.getOrDefault(lane.key(), List.of()),
                                    times))
                            .toList(),
                    sought.isEmpty() && stand.isEmpty()
                            ? "There are no lanes yet. A lane begins with the first message of a chat."
                            : page.next().isPresent() ? "No lane matches so far." : "No lane matches.");
            Table goingOn = table.goingOn(page, lanesAt(stand, platform, sought));
            return page.rows().size() < PAGE
                    ? page.next()
                            .map(far -> goingOn.searched("Searched so far: lanes that were active at "
                                    + times.exact(far.at()) + " or later."))
                            .orElse(goingOn)
                    : goingOn;
        });
        List<Table> tables = new ArrayList<>();
        if (request.parameter("after").isEmpty() && sought.isEmpty() && stand.isEmpty()) {
            tables.add(atWork("At work", times));
        }
        tables.add(all);
        return Sheet.of(frames.of(request, "Lanes", "lane storage"))
                .search(new Pages.Sought(
                        Link.ROOT + "/lanes",
                        List.of(new Pages.Field("Name or key", "q", "search", sought)),
                        Stream.of(new Pages.Carried("state", stand), new Pages.Carried("platform", platform))
                                .filter(each -> !each.value().isEmpty())
                                .toList()))
                .choices(choices)
                .tables(tables)
                .html();
    }

    private static Link lanesAt(String stand, String platform, String sought) {
        return Link.to("/lanes").with("state", stand).with("platform", platform).with("q", sought);
    }

    private static Optional<LaneQuery.Stand> stand(String word) {
        return Arrays.stream(LaneQuery.Stand.values())
                .filter(each -> each.name().equalsIgnoreCase(word))
                .findFirst();
    }

    /** The lanes on which something runs or waits. */
    Table atWork(String caption, Times times) {
        return Reads.guarded(caption, () -> {
            Map<SessionKey, Running> running = running();
            Set<SessionKey> awaiting = Set.copyOf(gateway.awaitingPlace());
            Map<SessionKey, List<Inbound>> waiting =
                    gateway.queue().admitted().stream().collect(Collectors.groupingBy(Inbound::lane));
            Set<SessionKey> keys = new TreeSet<>(running.keySet());
            keys.addAll(waiting.keySet());
            List<Row> rows = keys.stream()
                    .limit(PAGE)
                    .map(key -> gateway.laneReads()
                            .find(key)
                            .map(lane -> laneRow(
                                    lane,
                                    Optional.ofNullable(running.get(key)),
                                    awaiting.contains(key),
                                    waiting.getOrDefault(key, List.of()),
                                    times))
                            .orElseGet(() -> newLaneRow(
                                    key, awaiting.contains(key), waiting.getOrDefault(key, List.of()), times)))
                    .toList();
            return Table.of(caption, LANE_HEADS, rows, "Nothing runs and nothing waits.");
        });
    }

    /**
     * A turn that runs.
     *
     * @param since when it began; absent where that is not stored yet
     */
    record Running(Optional<Instant> since) {}

    /** The lanes on which a turn runs, here or at another node. */
    private Map<SessionKey, Running> running() {
        Map<SessionKey, Running> running = new HashMap<>();
        gateway.running().forEach(key -> running.put(key, new Running(Optional.empty())));
        TurnQuery claimed = TurnQuery.first(PAGE).states(Set.of(Turn.State.CLAIMED));
        try {
            gateway.queue()
                    .turns(claimed)
                    .rows()
                    .forEach(turn -> running.put(turn.lane(), new Running(Optional.of(turn.startedAt()))));
        } catch (StorageUnavailable | StorageCorrupt e) {
            // What runs here is known all the same.
        }
        return running;
    }

    /** A lane whose first message waits has no session yet. */
    private static Row newLaneRow(SessionKey key, boolean awaits, List<Inbound> waiting, Times times) {
        return Row.of(
                "lane-" + key.value(),
                Cell.text("Lane", name(key)).to(Link.lane(key.value())).titled(key.value()),
                awaits ? awaitsPlace() : Cell.text("State", "new").in("quiet"),
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

    private static Row laneRow(
            Lane lane, Optional<Running> running, boolean awaits, List<Inbound> waiting, Times times) {
        String key = lane.key().value();
        Cell wait = wait(waiting, times);
        return Row.of(
                "lane-" + key,
                Cell.text("Lane", name(lane)).to(Link.lane(key)).titled(key),
                state(lane, running, awaits, times),
                wait,
                Cell.text("Session", lane.entry().sessionId().value())
                        .to(Link.session(lane.entry().sessionId().value())),
                times.cell("Last active", lane.entry().updatedAt()));
    }

    /** A lane's key as people read it: the platform, the kind of chat and the chat. */
    static String name(SessionKey key) {
        return Words.line(KeyParts.parse(key)
                .map(p -> p.platform().name() + " " + p.chatType().value() + " " + p.chatId())
                .orElse(key.value()));
    }

    /**
     * The chat's name before what tells it from others; a direct chat without a name has that of its person. A long name is cut, so
     * that what tells lanes of one name apart stays.
     */
    static String name(Lane lane) {
        String parts = name(lane.key());
        return Words.line(lane.entry()
                .displayName()
                .filter(name -> !name.isBlank())
                .or(() -> lane.entry()
                        .origin()
                        .filter(origin -> origin.chatType().isDm())
                        .flatMap(SessionSource::userName)
                        .filter(name -> !name.isBlank()))
                .map(name -> OneLine.of(name, LONGEST_NAME) + " (" + parts + ")")
                .orElse(parts));
    }

    static Cell state(Lane lane, Optional<Running> running, boolean awaits, Times times) {
        if (running.isPresent()) {
            Optional<Instant> since = running.get().since();
            String span = since.map(at -> " " + Times.span(Duration.between(at, times.now())))
                    .orElse("");
            return Cell.text("State", "running" + span)
                    .titled(since.map(at -> "since " + times.exact(at)).orElse(""))
                    .in("run");
        }
        if (awaits) {
            return awaitsPlace();
        }
        return switch (LaneQuery.Stand.of(lane)) {
            case OPEN -> Cell.text("State", "open").in("ok");
            case RESUME_PENDING -> Cell.text("State", "resume pending").in("warn");
            case SUSPENDED -> Cell.text("State", "suspended").in("bad");
        };
    }

    /** The state of a lane that waits for a place among the running ones. */
    private static Cell awaitsPlace() {
        return Cell.text("State", "waits for a place").in("warn");
    }
}
