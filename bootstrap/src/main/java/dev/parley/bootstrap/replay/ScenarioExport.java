package dev.parley.bootstrap.replay;

import dev.parley.application.port.Lanes;
import dev.parley.application.port.TurnQueue;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.Setting;
import dev.parley.bootstrap.json.Json;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.KeyParts;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetPolicy;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.TokenUsage;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is stored of a lane as a scenario that replays to the same decisions: the messages and commands of its people, how long
 * each turn took and how it ended, what an operator did, and the restarts and crashes that cut turns off. What is older than the store
 * keeps messages for is not in it. Texts and names of people are replaced by numbered ones unless they are asked for; words of commands
 * stay. What tools were asked and answered, questions of the agent and failures of the storage are left out. What was found to be left out
 * although it may have had a part in what was decided stands in the header.
 */
public final class ScenarioExport {
    private static final Set<String> WHOLE = Set.of(
            "group_sessions_per_user",
            "thread_sessions_per_user",
            "reset_triggers",
            "max_concurrent_sessions",
            "session_store_max_age_days",
            "agent.restart_drain_timeout");
    private static final List<String> SECTIONS = List.of(
            "session_reset.",
            "reset_by_type.",
            "reset_by_platform.",
            "gateway.",
            "agent.gateway_",
            "display.busy_",
            "approvals.");
    /** What ends a process. */
    private static final Set<String> ENDS = Set.of("crash", "restart", "shutdown");

    private static final Set<String> NAMES =
            Set.of("user_name", "chat_name", "chat_topic", "auto_thread_initial_name", "message_id");
    /** Commands that make a message of what stands behind them, or of an earlier one. */
    private static final Pattern MAKING = Pattern.compile("^\\s*/(queue|q|steer|retry)\\b", Pattern.CASE_INSENSITIVE);

    private static final Duration MADE_WITHIN = Duration.ofSeconds(5);
    private static final Duration DONE_WITHIN = Duration.ofMinutes(1);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private static final int MOST_TOOLS = 100;

    // Of what happens at one instant, the smaller comes first.
    private static final int HOLD = 0;
    private static final int CRASH = 1;
    private static final int STOP = 2;
    private static final int START = 3;
    /** A process resumes the lane, which each does once. */
    private static final int RESUME = 4;

    private static final int MESSAGE = 5;
    private static final int AFTER_MESSAGE = 6;

    private final Lanes lanes;
    private final TurnQueue queue;
    private final Configuration configuration;
    private final LocalTimes times;
    private final boolean texts;

    /**
     * Makes an export.
     *
     * @param lanes the history of the lanes
     * @param queue what was received, done and answered
     * @param configuration how the gateway is configured: its zone, and what decides about sessions
     * @param texts whether texts and names of people are written as they are
     */
    public ScenarioExport(Lanes lanes, TurnQueue queue, Configuration configuration, boolean texts) {
        this.lanes = lanes;
        this.queue = queue;
        this.configuration = configuration;
        this.times = new LocalTimes(configuration.zone());
        this.texts = texts;
    }

    /**
     * Hands the lines of a lane's scenario to {@code lines}; a lane without messages has a header only. Returns what of the lane's past is not in
     * it and may be decided otherwise, in sentences; the header has them too.
     */
    public List<String> write(SessionKey lane, Consumer<String> lines) {
        Past past = past(lane);
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("scenario", "exported from " + lane.value());
        header.put("zone", configuration.zone().getId());
        header.put("config", config());
        if (!past.leftOut().isEmpty()) {
            header.put("left_out", past.leftOut());
        }
        lines.accept(Json.line(header));
        past.agents().forEach(line -> lines.accept(Json.line(line)));
        past.lines().forEach(line -> lines.accept(Json.line(line)));
        return past.leftOut();
    }

    // ------------------------------------------------------------------ what decides

    private Map<String, Object> config() {
        Map<String, Object> config = new TreeMap<>();
        for (Setting setting : configuration.settings()) {
            if (!setting.origin().equals("default") && decides(setting.path())) {
                put(config, List.of(setting.path().split("\\.", -1)), value(setting.value()));
            }
        }
        return config;
    }

    private static boolean decides(String path) {
        return WHOLE.contains(path)
                || SECTIONS.stream().anyMatch(path::startsWith)
                || path.matches("platforms\\.[^.]+\\.session_reset\\..+");
    }

    @SuppressWarnings("unchecked")
    private static void put(Map<String, Object> config, List<String> path, Object value) {
        if (path.size() == 1) {
            config.put(path.get(0), value);
        } else if (config.computeIfAbsent(path.get(0), name -> new TreeMap<String, Object>())
                instanceof Map<?, ?> section) {
            put((Map<String, Object>) section, path.subList(1, path.size()), value);
        }
    }

    private static Object value(String text) {
        if (text.equals("true") || text.equals("false")) {
            return Boolean.valueOf(text);
        }
        if (text.startsWith("[") && text.endsWith("]")) {
            String items = text.substring(1, text.length() - 1).strip();
            return items.isEmpty() ? List.of() : List.of(items.split(",\\s*"));
        }
        return text.matches("-?\\d{1,18}(\\.\\d{1,9})?") ? new BigDecimal(text) : text;
    }

    // ------------------------------------------------------------------ what happened

    /**
     * What happened on a lane.
     *
     * @param agents how the agent behaves, turn by turn
     * @param lines what happens, in order
     * @param leftOut what had a part in it and is in neither
     */
    private record Past(List<Map<String, Object>> agents, List<Map<String, Object>> lines, List<String> leftOut) {}

    /** Something that happens; of what happens at one instant, the smaller order comes first. */
    private record Happening(Instant at, int order, Map<String, Object> line) {}

    private Past past(SessionKey lane) {
        List<Inbound> inputs = new ArrayList<>();
        List<Turn> turns = new ArrayList<>();
        Map<TurnId, String> answers = new HashMap<>();
        List<Outgoing> sent = new ArrayList<>();
        queue.forEach(
                Instant.EPOCH,
                inbound -> {
                    if (inbound.lane().equals(lane)) {
                        inputs.add(inbound);
                    }
                },
                turn -> {
                    if (turn.lane().equals(lane)) {
                        turns.add(turn);
                    }
                },
                outgoing -> {
                    if (outgoing.lane().filter(lane::equals).isPresent()) {
                        sent.add(outgoing);
                    }
                    if (texts && outgoing.kind() == Outgoing.Kind.REPLY && isOf(lane, outgoing)) {
                        outgoing.turn().ifPresent(turn -> answers.putIfAbsent(turn, outgoing.text()));
                    }
                });
        inputs.sort(Comparator.comparing(Inbound::receivedAt).thenComparingLong(Inbound::ordinal));
        turns.sort(Comparator.comparing(Turn::startedAt)
                .thenComparing(turn -> turn.id().value()));
        List<LaneEvent> history = new ArrayList<>(lanes.history(lane, Integer.MAX_VALUE));
        List<Happening> happenings = new ArrayList<>(said(inputs));
        Optional<SessionSource> anybody = inputs.stream().map(Inbound::source).findFirst();
        Instant first = inputs.stream().map(Inbound::receivedAt).findFirst().orElse(Instant.MAX);
        for (LaneEvent event : history) {
            if (!event.at().isBefore(first)) {
                happenings.addAll(done(event, inputs, turns, anybody));
            }
        }
        Map<String, Instant> received = new HashMap<>();
        inputs.forEach(input -> received.put(input.id().value(), input.receivedAt()));
        Map<TurnId, Instant> begins = new HashMap<>();
        happenings.addAll(held(turns, received, history, begins));
        happenings.sort(Comparator.comparing(Happening::at).thenComparingInt(Happening::order));
        List<Map<String, Object>> lines = new ArrayList<>();
        Instant last = Instant.EPOCH;
        boolean resumed = false;
        for (Happening each : happenings) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("at", times.text(each.at()));
            line.putAll(each.line());
            if (each.order() == RESUME && resumed) {
                // Another process than that which resumed the lane before, and nothing was cut off between them.
                line.put("do", "restart");
            }
            resumed = each.order() == RESUME
                    || (resumed && !ENDS.contains(String.valueOf(each.line().get("do"))));
            lines.add(line);
            last = each.at();
        }
        Instant end = turns.stream()
                .flatMap(turn -> turn.endedAt().stream())
                .max(Comparator.naturalOrder())
                .orElse(last);
        if (!lines.isEmpty()) {
            lines.add(Map.of("at", times.text(end.isAfter(last) ? end : last)));
        }
        return new Past(
                agents(lane, turns, inputs, begins, answers),
                lines,
                new LeftOut(times, policy(lane, anybody)).of(history, inputs, sent));
    }

    private ResetPolicy policy(SessionKey lane, Optional<SessionSource> anybody) {
        Optional<KeyParts> parts = KeyParts.parse(lane);
        return configuration
                .resets()
                .select(
                        anybody.map(SessionSource::platform).or(() -> parts.map(KeyParts::platform)),
                        anybody.map(SessionSource::chatType)
                                .or(() -> parts.map(KeyParts::chatType))
                                .orElse(ChatType.DM))
                .policy();
    }

    private static boolean isOf(SessionKey lane, Outgoing outgoing) {
        return outgoing.lane().filter(other -> !other.equals(lane)).isEmpty();
    }

    private List<Happening> said(List<Inbound> inputs) {
        List<Happening> said = new ArrayList<>();
        Map<String, String> words = new HashMap<>();
        Deque<Inbound> asking = new ArrayDeque<>();
        int number = 0;
        for (Inbound input : inputs) {
            if (input.kind() == Inbound.Kind.RESUME) {
                said.add(new Happening(input.receivedAt(), RESUME, Map.of("do", "start")));
            }
            if (input.kind() == Inbound.Kind.RESUME || input.kind() == Inbound.Kind.EVENT || isMade(input, asking)) {
                continue;
            }
            if (input.kind() == Inbound.Kind.COMMAND
                    && MAKING.matcher(input.text()).find()) {
                asking.add(input);
            }
            number++;
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("from", source(input.source()));
            line.put("text", text(input, number, words));
            line.put("message_id", "m" + number);
            if (!input.attachments().isEmpty()) {
                line.put(
                        "attachments",
                        input.attachments().stream()
                                .map(attachment -> Map.of("kind", attachment.kind()))
                                .toList());
            }
            said.add(new Happening(input.receivedAt(), MESSAGE, line));
        }
        return said;
    }

    /** Returns whether a command of somebody made the message, such as {@code /queue}; it is made anew when that is replayed. */
    private static boolean isMade(Inbound input, Deque<Inbound> asking) {
        if (input.kind() == Inbound.Kind.COMMAND || input.platformMessage().isPresent()) {
            return false;
        }
        asking.removeIf(command -> command.receivedAt().plus(MADE_WITHIN).isBefore(input.receivedAt()));
        return asking.poll() != null;
    }

    private String text(Inbound input, int number, Map<String, String> words) {
        String text = input.text();
        if (input.kind() == Inbound.Kind.COMMAND) {
            return texts ? text : command(text, words);
        }
        String said = texts && !text.isEmpty() ? text : "message " + number;
        return input.kind() == Inbound.Kind.QUEUED ? "/queue " + said : said;
    }

    /** The same words are replaced by the same ones, so that a title is found again; numbers choose from lists, and a yes confirms. */
    private static String command(String text, Map<String, String> words) {
        String[] parts = text.strip().split("\\s+", 2);
        if (!text.strip().startsWith("/") || parts.length < 2 || parts[1].matches("(?i)(\\d{1,9})?(\\s*yes)?")) {
            return text;
        }
        if (parts[1].matches("(?is)yes\\s.*")) {
            return parts[0] + " yes "
                    + command("/ " + parts[1].substring(4), words).substring(2);
        }
        return parts[0] + " " + words.computeIfAbsent(parts[1], word -> "words " + (words.size() + 1));
    }

    private Map<String, @Nullable Object> source(SessionSource source) {
        Map<String, @Nullable Object> fields = SourceDictionary.write(source);
        fields.values().removeIf(value -> value == null);
        fields.remove("message_id");
        if (!texts) {
            fields.keySet().removeAll(NAMES);
        }
        return fields;
    }

    /** What an operator or another lane's member did is done by a person instead; what cut a turn off happens anew. */
    private List<Happening> done(
            LaneEvent event, List<Inbound> inputs, List<Turn> turns, Optional<SessionSource> anybody) {
        if (event.kind() == LaneEvent.Kind.MARKED) {
            return cutOff(event, inputs, turns);
        }
        boolean byPerson = inputs.stream()
                .filter(input -> input.kind() == Inbound.Kind.COMMAND)
                .anyMatch(input -> !input.receivedAt().isAfter(event.at())
                        && input.receivedAt().isAfter(event.at().minus(DONE_WITHIN)));
        boolean byOperator = event.reason().equals("operator") || !byPerson;
        return switch (event.kind()) {
            case RENEWED -> byOperator ? asked(event, anybody, "/new") : List.of();
            case SUSPENDED ->
                byOperator && List.of("operator", "stop").contains(event.reason())
                        ? asked(event, anybody, "/stop")
                        : List.of();
            case SWITCHED ->
                !byPerson && event.reason().equals("unreset") ? asked(event, anybody, "/unreset") : List.of();
            default -> List.of();
        };
    }

    private List<Happening> asked(LaneEvent event, Optional<SessionSource> anybody, String command) {
        Map<String, Object> line = new LinkedHashMap<>();
        anybody.ifPresent(source -> line.put("from", source(source)));
        line.put("text", command);
        return anybody.isPresent() ? List.of(new Happening(event.at(), MESSAGE, line)) : List.of();
    }

    /** A process that died is noticed by the next one; it was alive when something of the lane was stored last. */
    private List<Happening> cutOff(LaneEvent event, List<Inbound> inputs, List<Turn> turns) {
        if (event.reason().equals(ResumeReason.RESTART_INTERRUPTED.text())) {
            Instant alive = Stream.of(
                            turns.stream().map(Turn::startedAt),
                            turns.stream().flatMap(turn -> turn.usage().firstWordAt().stream()),
                            inputs.stream().map(Inbound::receivedAt))
                    .flatMap(times -> times)
                    .filter(at -> at.isBefore(event.at()))
                    .max(Comparator.naturalOrder())
                    .map(at -> at.plus(AT_ONCE))
                    .filter(at -> at.isBefore(event.at()))
                    .orElse(event.at());
            return List.of(
                    new Happening(alive, CRASH, Map.of("do", "crash")),
                    new Happening(event.at(), START, Map.of("do", "start")));
        }
        boolean restart = event.reason().equals(ResumeReason.RESTART_TIMEOUT.text());
        if (!restart && !event.reason().equals(ResumeReason.SHUTDOWN_TIMEOUT.text())) {
            return List.of();
        }
        Instant asked = event.at().minus(configuration.gateway().turns().drain());
        Instant running = turns.stream()
                .map(Turn::startedAt)
                .filter(at -> at.isBefore(event.at()))
                .max(Comparator.naturalOrder())
                .orElse(asked);
        boolean later = asked.isAfter(running);
        return List.of(new Happening(
                later ? asked : running, later ? STOP : AFTER_MESSAGE, Map.of("do", restart ? "restart" : "shutdown")));
    }

    /** A turn that began long after it could have was held back: by an operator, the limit of lanes, or a gateway that was down. */
    private static List<Happening> held(
            List<Turn> turns, Map<String, Instant> received, List<LaneEvent> history, Map<TurnId, Instant> begins) {
        List<Happening> held = new ArrayList<>();
        Instant before = Instant.EPOCH;
        Instant free = Instant.EPOCH;
        for (Turn turn : turns) {
            Instant due = turn.inputs().stream()
                    .flatMap(id -> Optional.ofNullable(received.get(id.value())).stream())
                    .min(Comparator.naturalOrder())
                    .orElse(turn.startedAt());
            Instant could = due.isBefore(free) ? free : due;
            boolean cutOff = history.stream()
                    .anyMatch(event -> event.kind() == LaneEvent.Kind.MARKED
                            && event.at().isAfter(due)
                            && !event.at().isAfter(turn.startedAt()));
            if (!cutOff && turn.startedAt().isAfter(could.plus(AT_ONCE))) {
                // A gateway looks once a second whether turns are held back.
                Instant noticed = due.minus(AT_ONCE);
                boolean later = noticed.isAfter(before);
                held.add(new Happening(later ? noticed : before, later ? HOLD : AFTER_MESSAGE, Map.of("do", "hold")));
                held.add(new Happening(turn.startedAt().minus(AT_ONCE), AFTER_MESSAGE, Map.of("do", "release")));
                could = turn.startedAt();
            }
            begins.put(turn.id(), could);
            before = turn.startedAt();
            free = turn.endedAt().orElse(free);
        }
        return held;
    }

    // ------------------------------------------------------------------ what the agent does

    private static List<Map<String, Object>> agents(
            SessionKey lane,
            List<Turn> turns,
            List<Inbound> inputs,
            Map<TurnId, Instant> begins,
            Map<TurnId, String> answers) {
        List<Map<String, Object>> agents = new ArrayList<>();
        for (Turn turn : turns) {
            Instant begin = begins.getOrDefault(turn.id(), turn.startedAt());
            agents.add(agent(
                    lane,
                    turn,
                    begin,
                    waited(turn, begin, inputs),
                    answers.getOrDefault(turn.id(), "answer " + (agents.size() + 1))));
        }
        return agents;
    }

    private static boolean waited(Turn turn, Instant begins, List<Inbound> inputs) {
        return turn.reason()
                        .filter(reason -> reason == TurnReason.NEWER_MESSAGE || reason == TurnReason.RESTART)
                        .isEmpty()
                && inputs.stream()
                        .filter(input -> input.kind() == Inbound.Kind.MESSAGE
                                && !turn.inputs().contains(input.id()))
                        .anyMatch(input -> input.receivedAt().isAfter(begins)
                                && turn.endedAt()
                                        .filter(end -> !input.receivedAt().isBefore(end))
                                        .isEmpty());
    }

    /**
     * Returns how the agent behaves in a turn.
     *
     * @param begins when the turn begins in the scenario
     * @param waited whether a message came while it ran that neither ended nor joined it
     */
    private static Map<String, Object> agent(SessionKey lane, Turn turn, Instant begins, boolean waited, String reply) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("do", "agent");
        line.put("lane", lane.value());
        String outcome = outcome(turn);
        if (outcome.equals("ok")) {
            line.put("reply", reply);
        } else {
            line.put("outcome", outcome);
        }
        Duration takes = Duration.between(begins, turn.endedAt().orElse(begins));
        if (!outcome.equals("hang") && takes.compareTo(Duration.ZERO) > 0) {
            line.put("takes", takes.toString());
        }
        if (waited) {
            line.put("obeys", false);
            line.put("steers", false);
        }
        if (turn.usage().toolCalls() > 0) {
            line.put(
                    "tools",
                    Collections.nCopies((int) Math.min(turn.usage().toolCalls(), MOST_TOOLS), Map.of("name", "tool")));
        }
        TokenUsage used = turn.usage().tokens();
        if (used.total() > 0) {
            Map<String, Object> usage = new LinkedHashMap<>();
            usage.put("input", used.input());
            usage.put("output", used.output());
            usage.put("cache_read", used.cacheRead());
            usage.put("cache_write", used.cacheWrite());
            usage.put("reasoning", used.reasoning());
            line.put("usage", usage);
        }
        return line;
    }

    private static String outcome(Turn turn) {
        return switch (turn.state()) {
            case COMPLETED -> "ok";
            case FAILED -> failed(turn.reason());
            case CLAIMED, INTERRUPTED, DROPPED -> "hang";
        };
    }

    private static String failed(Optional<TurnReason> reason) {
        if (reason.filter(TurnReason.NO_ANSWER::equals).isPresent()) {
            return "empty";
        }
        return reason.filter(TurnReason.TIMEOUT::equals).isPresent() ? "hang" : "fail";
    }
}
