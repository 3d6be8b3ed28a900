package dev.parley.bootstrap.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.gateway.StopMode;
import dev.parley.application.port.AgentQuestion;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.port.Received;
import dev.parley.application.replay.Scenario;
import dev.parley.application.replay.Scenario.Action;
import dev.parley.application.replay.ScriptedTurn;
import dev.parley.application.replay.SwitchableStorage;
import dev.parley.bootstrap.config.Configuration;
import dev.parley.bootstrap.config.PlatformConfiguration;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads scenario files: JSON Lines, of which the first may be a header. Strict: a field or word that is not known, a time that
 * goes back, and a line that is no JSON object are errors that name file and line. Jackson reads each line as a record of
 * {@link ScenarioLine}.
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
        List<JsonLine> objects = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = i == 0 ? withoutMark(lines.get(i)) : lines.get(i);
            if (!line.isBlank()) {
                objects.add(JsonLine.parse(name + ":" + (i + 1), line));
            }
        }
        return new Reading(objects).read();
    }

    private static String withoutMark(String line) {
        return line.startsWith("\uFEFF") ? line.substring(1) : line;
    }

    /** One file being read. */
    private final class Reading {
        private final List<JsonLine> lines;
        private final Optional<JsonLine> header;
        private final ScenarioLine.Header fields;
        private final Platforms known;
        private final Set<Platform> named = new TreeSet<>();
        private final LocalTimes times;
        private final List<String> warnings = new ArrayList<>();
        private Instant now;

        Reading(List<JsonLine> all) {
            header = all.isEmpty() || !isHeader(all.get(0)) ? Optional.empty() : Optional.of(all.get(0));
            lines = header.isPresent() ? all.subList(1, all.size()) : all;
            fields = header.map(h -> h.as(ScenarioLine.Header.class, "the header"))
                    .orElse(new ScenarioLine.Header(null, null, null, null));
            Objects.requireNonNullElse(fields.leftOut(), List.<String>of())
                    .forEach(what -> warnings.add("not in this scenario: " + what));
            lines.forEach(this::name);
            known = Platforms.builtIn()
                    .plus(configurations.providers().platformNames().all())
                    .plus(named);
            times = new LocalTimes(zone());
            now = times.instant(BEGIN, Instant.MIN);
        }

        private boolean isHeader(JsonLine line) {
            return !line.has("do")
                    && !line.has("from")
                    && !line.has("at")
                    && (line.has("scenario") || line.has("zone") || line.has("config"));
        }

        /** Notes the platform that a line names. */
        private void name(JsonLine line) {
            JsonNode platform = line.has("platform")
                    ? line.node().path("platform")
                    : line.node().path("from").path("platform");
            if (platform.isTextual() && !platform.textValue().isBlank()) {
                named.add(Platform.of(platform.textValue()));
            }
        }

        private ZoneId zone() {
            Optional<String> zone = Optional.ofNullable(fields.zone())
                    .or(() -> Optional.ofNullable(fields.config())
                            .map(config -> config.path("zone"))
                            .filter(JsonNode::isTextual)
                            .map(JsonNode::textValue));
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
            Configuration configuration =
                    configuration(Optional.ofNullable(fields.config()), header.map(JsonLine::where));
            List<Scenario.Step> steps = new ArrayList<>();
            Instant begin = firstTime();
            now = begin;
            for (JsonLine line : lines) {
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

        private Configuration configuration(Optional<ObjectNode> config, Optional<String> where) {
            Configuration read = configurations.read(
                    config.map(ObjectNode::toString),
                    where.map(w -> w + ": config").orElse(""),
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
            for (JsonLine line : lines) {
                Optional<LocalDateTime> at = at(line);
                if (at.isPresent()) {
                    return instant(line, at.get(), Instant.MIN);
                }
            }
            return now;
        }

        private Optional<LocalDateTime> at(JsonLine line) {
            if (!line.has("at")) {
                return Optional.empty();
            }
            LocalDateTime at =
                    line.lenient(ScenarioLine.Time.class, line.node()).at();
            if (at == null) {
                throw line.wrong("\"at\" is null; write a time or leave it out.");
            }
            return Optional.of(at);
        }

        private Instant instant(JsonLine line, LocalDateTime local, Instant notBefore) {
            try {
                return times.instant(local, notBefore);
            } catch (DateTimeException | ArithmeticException e) {
                throw line.wrong("\"at\" is too far away: " + local + ".");
            }
        }

        private Instant time(JsonLine line) {
            Optional<LocalDateTime> local = at(line);
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

        private Action action(JsonLine line) {
            if (line.has("do")) {
                return doing(line);
            }
            if (line.has("from")) {
                return message(line);
            }
            if (line.has("scenario") || line.has("zone") || line.has("config")) {
                throw line.wrong("a header must be the first line, and has no \"at\".");
            }
            line.as(
                    ScenarioLine.Plain.class,
                    "a line, which has \"from\" for a message, \"do\" for anything else, or \"at\" alone",
                    "at",
                    "do",
                    "from");
            if (!line.has("at")) {
                throw line.wrong("the line says nothing; give it \"at\", \"from\" or \"do\".");
            }
            return new Action.Pass();
        }

        private Action message(JsonLine line) {
            ScenarioLine.Message message = line.as(ScenarioLine.Message.class, "a message", "at");
            List<Attachment> attachments = attachments(line, message);
            if (message.text() == null && attachments.isEmpty()) {
                throw line.wrong("\"text\" is missing; a message has a text or attachments.");
            }
            SessionSource source = source(line, message);
            Optional<String> id = Optional.ofNullable(message.messageId())
                    .map(JsonLine.Id::value)
                    .filter(i -> !i.isEmpty())
                    .or(source::messageId);
            return new Action.Say(new Received(
                    source.toBuilder().messageId(id.orElse(null)).build(),
                    Objects.requireNonNullElse(message.text(), ""),
                    attachments,
                    id));
        }

        private SessionSource source(JsonLine line, ScenarioLine.Message message) {
            Map<String, @Nullable Object> from = message.from();
            if (from == null) {
                throw line.wrong("\"from\" is null; write {\"platform\":…,\"chat_id\":…}.");
            }
            try {
                return SourceDictionary.read(from, known);
            } catch (IllegalArgumentException e) {
                throw line.wrong("from: " + e.getMessage());
            }
        }

        /** An attachment is an object in the form of the HTTP platform, or a text with its kind or its place. */
        private List<Attachment> attachments(JsonLine line, ScenarioLine.Message message) {
            List<Attachment> attachments = new ArrayList<>();
            for (JsonNode item : Objects.requireNonNullElse(message.attachments(), List.<JsonNode>of())) {
                if (item.isTextual()) {
                    attachments.add(attachment(item.textValue()));
                } else if (item.isObject()) {
                    attachments.add(attachment(line.lenient(ScenarioLine.AttachmentFields.class, item)));
                } else {
                    throw line.wrong(
                            "an attachment is " + JsonLine.shown(item) + "; write {\"kind\":\"photo\",\"url\":\"…\"}.");
                }
            }
            return attachments;
        }

        private static Attachment attachment(ScenarioLine.AttachmentFields fields) {
            Optional<String> place = first(fields.url(), fields.location(), fields.path());
            Optional<String> mediaType = first(fields.mediaType(), fields.mimeType());
            Optional<String> kind = first(fields.kind(), fields.type());
            return new Attachment(
                    kindOf(kind.or(() -> mediaType.map(m -> m.split("/", 2)[0]))
                            .or(() -> place.map(Reading::kindByName))
                            .orElse("document")),
                    place.orElse(""),
                    Optional.ofNullable(fields.name()),
                    mediaType);
        }

        private static Optional<String> first(@Nullable String... values) {
            return Stream.of(values)
                    .filter(Objects::nonNull)
                    .map(String::valueOf)
                    .findFirst();
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

        private Action doing(JsonLine line) {
            JsonNode what = line.node().path("do");
            if (!what.isTextual()) {
                throw line.wrong("\"do\" is " + JsonLine.shown(what) + "; write one of "
                        + String.join(", ", new TreeSet<>(DOINGS)) + ".");
            }
            return switch (what.textValue()) {
                case "agent" -> new Action.Script(turn(line));
                case "summary" -> summary(line);
                case "start" -> plain(line, new Action.Start());
                case "restart" -> plain(line, new Action.Stop(StopMode.RESTART));
                case "shutdown" -> plain(line, new Action.Stop(StopMode.SHUTDOWN));
                case "crash" -> plain(line, new Action.Crash());
                case "processes" -> processes(line);
                case "storage" -> storage(line);
                case "connect" -> new Action.Connect(platform(line));
                case "disconnect" -> new Action.Disconnect(platform(line));
                case "config" -> config(line);
                case "model" ->
                    new Action.Model(count(doing(line, ScenarioLine.Model.class).contextLength()));
                case "hold" -> plain(line, new Action.Hold(true));
                case "release" -> plain(line, new Action.Hold(false));
                default ->
                    throw line.wrong("there is nothing to do called " + JsonLine.shown(what)
                            + Nearest.to(what.textValue(), DOINGS)
                                    .map(near -> "; did you mean \"" + near + "\"?")
                                    .orElse("; there are " + String.join(", ", new TreeSet<>(DOINGS)) + "."));
            };
        }

        private static <T> T doing(JsonLine line, Class<T> form) {
            return line.as(form, JsonLine.shown(line.node().path("do")), "at", "do");
        }

        private static Action plain(JsonLine line, Action action) {
            doing(line, ScenarioLine.Plain.class);
            return action;
        }

        private static ScriptedTurn turn(JsonLine line) {
            ScenarioLine.Agent agent = doing(line, ScenarioLine.Agent.class);
            List<ScriptedTurn.ToolUse> tools =
                    Objects.requireNonNullElse(agent.tools(), List.<ScenarioLine.Tool>of()).stream()
                            .map(tool -> new ScriptedTurn.ToolUse(
                                    line.needed("name", tool.name(), "the tool's name"),
                                    json(tool.arguments(), "{}"),
                                    json(tool.result(), "")))
                            .toList();
            return new ScriptedTurn(
                    Optional.ofNullable(agent.lane()).map(lane -> lane(line, lane)),
                    Optional.ofNullable(agent.reply()),
                    Objects.requireNonNullElse(agent.takes(), Duration.ZERO),
                    tools,
                    Objects.requireNonNullElse(agent.outcome(), ScriptedTurn.Outcome.OK),
                    usage(agent.usage()),
                    Objects.requireNonNullElse(agent.obeys(), true),
                    Objects.requireNonNullElse(agent.steers(), true),
                    Optional.ofNullable(agent.asks()).map(asks -> question(line, asks)),
                    Optional.ofNullable(agent.engaged()));
        }

        private static AgentQuestion question(JsonLine line, ScenarioLine.Asks asks) {
            return new AgentQuestion(
                    line.needed("kind", asks.kind(), "approval or clarification"),
                    line.needed("text", asks.text(), "what the agent asks"));
        }

        /** Returns a text as it is, any other value as JSON. */
        private static String json(@Nullable JsonNode value, String byDefault) {
            if (value == null || value.isNull()) {
                return byDefault;
            }
            return value.isTextual() ? value.textValue() : value.toString();
        }

        private static TokenUsage usage(ScenarioLine.@Nullable Usage usage) {
            return usage == null
                    ? TokenUsage.NONE
                    : new TokenUsage(
                            count(usage.input()),
                            count(usage.output()),
                            count(usage.cacheRead()),
                            count(usage.cacheWrite()),
                            count(usage.reasoning()));
        }

        private static long count(JsonLine.@Nullable Count count) {
            return count == null ? 0 : count.value();
        }

        private static SessionKey lane(JsonLine line, String text) {
            try {
                return SessionKey.of(text);
            } catch (IllegalArgumentException e) {
                throw line.wrong(String.valueOf(e.getMessage()));
            }
        }

        private static Action summary(JsonLine line) {
            ScenarioLine.Summary summary = doing(line, ScenarioLine.Summary.class);
            return new Action.Summary(
                    Optional.ofNullable(summary.text()), Objects.requireNonNullElse(summary.takes(), Duration.ZERO));
        }

        private Action processes(JsonLine line) {
            ScenarioLine.Processes processes = doing(line, ScenarioLine.Processes.class);
            SessionKey lane = lane(line, line.needed("lane", processes.lane(), "the key of a lane"));
            LocalDateTime local = processes.since();
            Instant since = local == null ? now : instant(line, local, Instant.MIN);
            boolean active = Objects.requireNonNullElse(processes.active(), true);
            return new Action.Processes(lane, active ? List.of(since) : List.of());
        }

        private static Action storage(JsonLine line) {
            ScenarioLine.StoreState state =
                    doing(line, ScenarioLine.Storage.class).state();
            return new Action.Store(
                    switch (line.needed("state", state, "unavailable, full or back")) {
                        case UNAVAILABLE -> SwitchableStorage.State.UNAVAILABLE;
                        case FULL -> SwitchableStorage.State.FULL;
                        case BACK -> SwitchableStorage.State.AVAILABLE;
                    });
        }

        private Platform platform(JsonLine line) {
            String example = "a platform's name, such as telegram";
            String name = line.needed(
                    "platform", doing(line, ScenarioLine.Connection.class).platform(), example);
            return known.find(name).orElseThrow(() -> line.wrong("\"platform\" is empty; write " + example + "."));
        }

        private Action config(JsonLine line) {
            ObjectNode config = line.needed(
                    "config", doing(line, ScenarioLine.Config.class).config(), "the configuration as an object");
            return new Action.Configure(
                    configurations.settings(configuration(Optional.of(config), Optional.of(line.where()))));
        }
    }
}
