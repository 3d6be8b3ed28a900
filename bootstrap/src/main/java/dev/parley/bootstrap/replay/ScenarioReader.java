package dev.parley.bootstrap.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.AgentRun;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Received;
import dev.parley.application.replay.Scenario;
import dev.parley.application.replay.Scenario.Action;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.PlatformConfiguration;
import dev.parley.bootstrap.json.Json;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.Platforms;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.text.Nearest;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.usage.TokenUsage;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads scenario files: JSON Lines, of which the first may be a header. Strict: a field or word that is not known, a time that
 * goes back, and a line that is no JSON object are errors that name file and line.
 *
 * <p>The zone of the local times is the header's, else that of its configuration, else UTC; it is also the gateway's zone where
 * the configuration names none. Where the first lines have no time, the clock stands at the first time in the file, and without
 * any at the beginning of 2026.
 */
public final class ScenarioReader {
    private static final Set<String> DOINGS = Set.of(
            "agent",
            "summary",
            "start",
            "restart",
            "shutdown",
            "crash",
            "processes",
            "storage",
            "connect",
            "disconnect",
            "config",
            "model",
            "hold",
            "release");
    private static final LocalDateTime BEGIN = LocalDateTime.of(2026, 1, 1, 0, 0);

    private final ScenarioConfigurations configurations;

    /** A reader that reads configurations with these. */
    public ScenarioReader(ScenarioConfigurations configurations) {
        this.configurations = configurations;
    }

    /**
     * Reads a scenario.
     *
     * @param name the file's name, for messages
     * @throws InvalidRequest where it is not a scenario, naming file and line
     */
    public ScenarioFile read(String name, List<String> lines) {
        List<LineFields> objects = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = i == 0 ? withoutMark(lines.get(i)) : lines.get(i);
            if (!line.isBlank()) {
                objects.add(LineFields.parse(name + ":" + (i + 1), line));
            }
        }
        return new Reading(objects).read();
    }

    private static String withoutMark(String line) {
        return line.startsWith("\uFEFF") ? line.substring(1) : line;
    }

    /** One file being read. */
    private final class Reading {
        private final List<LineFields> lines;
        private final Optional<LineFields> header;
        private final Platforms known;
        private final Set<Platform> named = new TreeSet<>();
        private final LocalTimes times;
        private final List<String> warnings = new ArrayList<>();
        private Instant now;

        Reading(List<LineFields> all) {
            header = all.isEmpty() || !isHeader(all.get(0)) ? Optional.empty() : Optional.of(all.get(0));
            lines = header.isPresent() ? all.subList(1, all.size()) : all;
            header.ifPresent(h -> {
                h.only("the header", "scenario", "zone", "config");
                h.text("scenario");
            });
            lines.forEach(this::name);
            known = Platforms.builtIn()
                    .plus(configurations.providers().platformNames().all())
                    .plus(named);
            times = new LocalTimes(zone());
            now = times.instant(BEGIN, Instant.MIN);
        }

        private boolean isHeader(LineFields line) {
            return !line.has("do")
                    && !line.has("from")
                    && !line.has("at")
                    && (line.has("scenario") || line.has("zone") || line.has("config"));
        }

        /** Notes the platforms that a line names. */
        private void name(LineFields line) {
            Optional<JsonNode> platform = line.value("platform");
            if (platform.isEmpty()) {
                platform = line.value("from").filter(JsonNode::isObject).map(f -> f.get("platform"));
            }
            platform.filter(JsonNode::isTextual)
                    .map(JsonNode::textValue)
                    .filter(p -> !p.isBlank())
                    .ifPresent(p -> named.add(Platform.of(p)));
        }

        private ZoneId zone() {
            Optional<String> zone = header.flatMap(h -> h.text("zone"));
            if (zone.isEmpty()) {
                zone = header.flatMap(h -> h.object("config")).flatMap(c -> c.text("zone"));
            }
            try {
                return zone.isPresent() ? ZoneId.of(zone.get()) : ZoneOffset.UTC;
            } catch (DateTimeException e) {
                throw header.orElseThrow()
                        .wrong("zone \"" + zone.orElseThrow() + "\" is not a time zone"
                                + Nearest.to(zone.orElseThrow(), ZoneId.getAvailableZoneIds())
                                        .map(near -> "; did you mean \"" + near + "\"?")
                                        .orElse("; write one such as Europe/Berlin."));
            }
        }

        ScenarioFile read() {
            Configuration configuration = configuration(header);
            List<Scenario.Step> steps = new ArrayList<>();
            Instant begin = firstTime();
            now = begin;
            for (LineFields line : lines) {
                now = time(line);
                steps.add(new Scenario.Step(now, action(line)));
            }
            return new ScenarioFile(
                    new Scenario(begin, named, steps),
                    times.zone(),
                    configuration,
                    configurations.settings(configuration),
                    warnings);
        }

        private Configuration configuration(Optional<LineFields> line) {
            Configuration read = configurations.read(
                    line.flatMap(l -> l.object("config")).map(c -> c.node().toString()),
                    line.map(l -> l.where() + ": config").orElse(""),
                    known,
                    times.zone(),
                    warnings::add);
            read.platforms().values().stream()
                    .filter(p -> p.enabled().orElse(true))
                    .map(PlatformConfiguration::platform)
                    .forEach(named::add);
            return read;
        }

        private Instant firstTime() {
            for (LineFields line : lines) {
                if (line.has("at")) {
                    return instant(line, local(line, "at").orElseThrow(), Instant.MIN);
                }
            }
            return now;
        }

        private Optional<LocalDateTime> local(LineFields line, String name) {
            return line.value(name).map(v -> {
                Optional<LocalDateTime> read = v.isTextual() ? LocalTimes.read(v.textValue()) : Optional.empty();
                return read.orElseThrow(() -> line.wrong("\"" + name + "\" is "
                        + (v.isTextual() ? "\"" + v.textValue() + "\"" : LineFields.kind(v))
                        + "; write a local date and time without an offset, such as 2026-03-10T09:00:00."));
            });
        }

        private Instant instant(LineFields line, LocalDateTime local, Instant notBefore) {
            try {
                return times.instant(local, notBefore);
            } catch (DateTimeException | ArithmeticException e) {
                throw line.wrong("\"at\" is too far away: " + local + ".");
            }
        }

        private Instant time(LineFields line) {
            if (line.has("at") && line.value("at").isEmpty()) {
                throw line.wrong("\"at\" is null; write a time or leave it out.");
            }
            Optional<LocalDateTime> local = local(line, "at");
            if (local.isEmpty()) {
                return now;
            }
            Instant at = instant(line, local.get(), now);
            if (at.isBefore(now)) {
                throw line.wrong("time goes back to " + times.text(at) + ", the line before is at " + times.text(now)
                        + "; put the lines in order.");
            }
            return at;
        }

        private Action action(LineFields line) {
            if (line.has("do")) {
                return doing(line);
            }
            if (line.has("from")) {
                return message(line);
            }
            if (line.has("scenario") || line.has("zone") || line.has("config")) {
                throw line.wrong("a header must be the first line, and has no \"at\".");
            }
            line.only("a line; it has \"from\" for a message, \"do\" for anything else, or only", "at", "do", "from");
            if (!line.has("at")) {
                throw line.wrong("the line says nothing; give it \"at\", \"from\" or \"do\".");
            }
            return new Action.Pass();
        }

        private Action message(LineFields line) {
            line.only("a message", "at", "from", "text", "message_id", "attachments");
            List<Attachment> attachments = attachments(line);
            Optional<String> text = line.text("text");
            if (text.isEmpty() && attachments.isEmpty()) {
                throw line.wrong("\"text\" is missing; a message has a text or attachments.");
            }
            SessionSource source = source(line);
            Optional<String> id =
                    line.id("message_id").filter(i -> !i.isEmpty()).or(source::messageId);
            return new Action.Say(new Received(
                    source.toBuilder().messageId(id.orElse(null)).build(), text.orElse(""), attachments, id));
        }

        private SessionSource source(LineFields line) {
            LineFields from = line.object("from")
                    .orElseThrow(() -> line.wrong("\"from\" is null; write {\"platform\":…,\"chat_id\":…}."));
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            if (Json.plain(from.node()) instanceof Map<?, ?> map) {
                map.forEach((key, value) -> fields.put(String.valueOf(key), value));
            }
            try {
                return SourceDictionary.read(fields, known);
            } catch (IllegalArgumentException e) {
                throw line.wrong("from: " + e.getMessage());
            }
        }

        /** An attachment is an object in the form of the HTTP platform, or a text with its kind or its place. */
        private List<Attachment> attachments(LineFields line) {
            List<Attachment> attachments = new ArrayList<>();
            for (JsonNode item : line.items("attachments")) {
                if (item.isTextual()) {
                    attachments.add(attachment(item.textValue()));
                } else if (item.isObject()) {
                    attachments.add(attachment(new LineFields(line.where(), item)));
                } else {
                    throw line.wrong("an attachment is " + LineFields.kind(item)
                            + "; write {\"kind\":\"photo\",\"url\":\"…\"}.");
                }
            }
            return attachments;
        }

        private Attachment attachment(LineFields fields) {
            Optional<String> place =
                    fields.text("url").or(() -> fields.text("location")).or(() -> fields.text("path"));
            Optional<String> mediaType = fields.text("media_type").or(() -> fields.text("mime_type"));
            Optional<String> kind = fields.text("kind").or(() -> fields.text("type"));
            return new Attachment(
                    kindOf(kind.or(() -> mediaType.map(m -> m.split("/", 2)[0]))
                            .or(() -> place.map(Reading::kindByName))
                            .orElse("document")),
                    place.orElse(""),
                    fields.text("name"),
                    mediaType);
        }

        private static Attachment attachment(String text) {
            boolean place = text.contains(".") || text.contains("/") || text.contains(":");
            return new Attachment(
                    place ? kindByName(text) : kindOf(text), place ? text : "", Optional.empty(), Optional.empty());
        }

        private static String kindByName(String name) {
            return name.toLowerCase(Locale.ROOT).matches(".*\\.(jpe?g|png|gif|webp|heic|bmp)")
                    ? Attachment.PHOTO
                    : "document";
        }

        private static String kindOf(String word) {
            String kind = word.strip().toLowerCase(Locale.ROOT);
            return kind.equals("image") || kind.equals("picture") ? Attachment.PHOTO : kind;
        }

        // -------------------------------------------------------------- do

        private Action doing(LineFields line) {
            String what = line.needed("do", "one of " + String.join(", ", new TreeSet<>(DOINGS)));
            return switch (what) {
                case "agent" -> new Action.Script(turn(line));
                case "summary" -> summary(line);
                case "start" -> plain(line, what, new Action.Start());
                case "restart" -> plain(line, what, new Action.Stop(StopMode.RESTART));
                case "shutdown" -> plain(line, what, new Action.Stop(StopMode.SHUTDOWN));
                case "crash" -> plain(line, what, new Action.Crash());
                case "processes" -> processes(line);
                case "storage" -> storage(line);
                case "connect" -> new Action.Connect(platform(line));
                case "disconnect" -> new Action.Disconnect(platform(line));
                case "config" -> config(line);
                case "model" -> model(line);
                case "hold" -> plain(line, what, new Action.Hold(true));
                case "release" -> plain(line, what, new Action.Hold(false));
                default ->
                    throw line.wrong("there is nothing to do called \"" + what + "\""
                            + Nearest.to(what, DOINGS)
                                    .map(near -> "; did you mean \"" + near + "\"?")
                                    .orElse("; there are " + String.join(", ", new TreeSet<>(DOINGS)) + "."));
            };
        }

        private static Action plain(LineFields line, String what, Action action) {
            line.only("\"" + what + "\"", "at", "do");
            return action;
        }

        private ScriptedTurn turn(LineFields line) {
            line.only(
                    "\"agent\"",
                    "at",
                    "do",
                    "lane",
                    "reply",
                    "takes",
                    "tools",
                    "outcome",
                    "usage",
                    "obeys",
                    "steers",
                    "asks",
                    "engaged");
            List<ScriptedTurn.ToolUse> tools = line.objects("tools").stream()
                    .map(tool -> {
                        tool.only("a tool", "name", "arguments", "result");
                        return new ScriptedTurn.ToolUse(
                                tool.needed("name", "the tool's name"),
                                json(tool, "arguments", "{}"),
                                json(tool, "result", ""));
                    })
                    .toList();
            return new ScriptedTurn(
                    line.text("lane").map(l -> lane(line, l)),
                    line.text("reply"),
                    takes(line),
                    tools,
                    outcome(line),
                    line.object("usage").map(Reading::usage).orElse(TokenUsage.NONE),
                    line.flag("obeys", true),
                    line.flag("steers", true),
                    line.object("asks").map(Reading::question),
                    line.text("engaged").map(word -> engagement(line, word)));
        }

        private static AgentQuestion question(LineFields asks) {
            asks.only("\"asks\"", "kind", "text");
            String kind = asks.needed("kind", "approval or clarification");
            if (!kind.equals("approval") && !kind.equals("clarification")) {
                throw asks.wrong("a question of the agent is no \"" + kind + "\"; there are approval, clarification.");
            }
            return new AgentQuestion(
                    AgentQuestion.Kind.valueOf(kind.toUpperCase(Locale.ROOT)),
                    asks.needed("text", "what the agent asks"));
        }

        private static AgentRun.Engagement engagement(LineFields line, String word) {
            if (!word.equals("delegating") && !word.equals("compressing")) {
                throw line.wrong("an agent is not engaged in \"" + word + "\"; there are delegating, compressing.");
            }
            return AgentRun.Engagement.valueOf(word.toUpperCase(Locale.ROOT));
        }

        /** A text stands for itself, any other value for its JSON. */
        private static String json(LineFields fields, String name, String byDefault) {
            return fields.value(name)
                    .map(v -> v.isTextual() ? v.textValue() : v.toString())
                    .orElse(byDefault);
        }

        private static TokenUsage usage(LineFields usage) {
            usage.only("\"usage\"", "input", "output", "cache_read", "cache_write", "reasoning");
            return new TokenUsage(
                    usage.count("input"),
                    usage.count("output"),
                    usage.count("cache_read"),
                    usage.count("cache_write"),
                    usage.count("reasoning"));
        }

        private static Duration takes(LineFields line) {
            Optional<String> text = line.text("takes");
            try {
                Duration takes = text.map(Duration::parse).orElse(Duration.ZERO);
                if (takes.isNegative()) {
                    throw line.wrong("\"takes\" is negative: " + text.orElse("") + ".");
                }
                return takes;
            } catch (DateTimeException e) {
                throw line.wrong("\"takes\" is \"" + text.orElse("") + "\"; write a duration such as PT90S.");
            }
        }

        private static ScriptedTurn.Outcome outcome(LineFields line) {
            String word = line.text("outcome").orElse("ok");
            return switch (word) {
                case "ok" -> ScriptedTurn.Outcome.OK;
                case "empty" -> ScriptedTurn.Outcome.EMPTY;
                case "fail" -> ScriptedTurn.Outcome.FAIL;
                case "hang" -> ScriptedTurn.Outcome.HANG;
                default -> throw line.wrong("\"outcome\" is \"" + word + "\"; write ok, empty, fail or hang.");
            };
        }

        private static SessionKey lane(LineFields line, String text) {
            try {
                return SessionKey.of(text);
            } catch (IllegalArgumentException e) {
                throw line.wrong(String.valueOf(e.getMessage()));
            }
        }

        private static Action summary(LineFields line) {
            line.only("\"summary\"", "at", "do", "text", "takes");
            return new Action.Summary(line.text("text"), takes(line));
        }

        private static Action model(LineFields line) {
            line.only("\"model\"", "at", "do", "context_length");
            return new Action.Model(line.count("context_length"));
        }

        private Action processes(LineFields line) {
            line.only("\"processes\"", "at", "do", "lane", "active", "since");
            SessionKey lane = lane(line, line.needed("lane", "the key of a lane"));
            Instant since = local(line, "since")
                    .map(local -> instant(line, local, Instant.MIN))
                    .orElse(now);
            return new Action.Processes(lane, line.flag("active", true) ? List.of(since) : List.of());
        }

        private static Action storage(LineFields line) {
            line.only("\"storage\"", "at", "do", "state");
            String state = line.needed("state", "unavailable, full or back");
            return new Action.Store(
                    switch (state) {
                        case "unavailable" -> SwitchableStorage.State.UNAVAILABLE;
                        case "full" -> SwitchableStorage.State.FULL;
                        case "back" -> SwitchableStorage.State.AVAILABLE;
                        default -> throw line.wrong("\"state\" is \"" + state + "\"; write unavailable, full or back.");
                    });
        }

        private Platform platform(LineFields line) {
            line.only("a connection", "at", "do", "platform");
            String name = line.needed("platform", "a platform's name, such as telegram");
            return known.find(name)
                    .orElseThrow(() -> line.wrong("\"platform\" is empty; write a platform's name, such as telegram."));
        }

        private Action config(LineFields line) {
            line.only("\"config\"", "at", "do", "config");
            if (line.value("config").isEmpty()) {
                throw line.wrong("\"config\" is missing; write the configuration as an object.");
            }
            return new Action.Configure(configurations.settings(configuration(Optional.of(line))));
        }
    }
}
