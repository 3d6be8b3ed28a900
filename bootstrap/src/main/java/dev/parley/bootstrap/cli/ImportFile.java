package dev.parley.bootstrap.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.application.port.InvalidRequest;
import dev.parley.application.transfer.SessionImport;
import dev.parley.bootstrap.json.Json;
import dev.parley.bootstrap.json.MalformedJson;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads exported sessions, one JSON line each (storage 6). Collects everything that is wrong before anything is stored. Sessions are held
 * while they are few; of more than that only their outlines are, and each is read again when it is stored.
 */
final class ImportFile {
    private static final String UNNAMED_SOURCE = "import";
    /** The end of the year 9999, the latest time an export says. */
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final BigDecimal MOST_TOKENS = BigDecimal.valueOf(Integer.MAX_VALUE);
    private static final BigDecimal LATEST = BigDecimal.valueOf(253_402_300_799L);

    private final Instant now;
    /** What is held at most: so much fits into a small heap, and into one transaction. */
    static final SessionImport.Limits HELD =
            new SessionImport.Limits(5_000, Integer.MAX_VALUE, 50_000, Long.MAX_VALUE, 25L * 1024 * 1024);

    private final SessionImport.Limits held;
    private final List<SessionImport.Item> items = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final List<SessionImport.Outline> outlines = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private boolean holding = true;
    private long bytes;
    private long messages;

    /** Where a session stands in the file, and how many messages stand before it. */
    private record Place(ImportLines.Line line, long messagesBefore) {}

    ImportFile(Instant now, SessionImport.Limits held) {
        this.now = now;
        this.held = held;
    }

    /** A line that cannot be taken, and why. */
    private static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String message) {
            super(message);
        }
    }

    /** Reads a line; blank ones are passed over. */
    void read(ImportLines.Line line, String text) {
        if (text.isBlank()) {
            return;
        }
        long before = messages;
        try {
            SessionImport.Item item = item(Json.parse(text), line.length());
            places.add(new Place(line, before));
            outlines.add(SessionImport.Outline.of(item));
            bytes += line.length();
            hold(item);
        } catch (MalformedJson | Unusable | IllegalArgumentException e) {
            problems.add("line " + line.number() + ": " + e.getMessage());
        }
    }

    private void hold(SessionImport.Item item) {
        holding &= outlines.size() <= held.sessions() && messages <= held.messages() && bytes <= held.bytes();
        if (holding) {
            items.add(item);
        } else {
            items.clear();
        }
    }

    /** Returns whether all sessions are held. */
    boolean isHeld() {
        return holding;
    }

    /** Returns the sessions, where they are held. */
    List<SessionImport.Item> items() {
        return List.copyOf(items);
    }

    /** Returns the outlines of the sessions. */
    List<SessionImport.Outline> outlines() {
        return List.copyOf(outlines);
    }

    /** Reads the session at this place, from 0, once more. */
    SessionImport.Item readAgain(int index, ImportLines lines) throws IOException {
        Place place = places.get(index);
        messages = place.messagesBefore();
        try {
            SessionImport.Item item =
                    item(Json.parse(lines.text(place.line())), place.line().length());
            if (SessionImport.Outline.of(item).equals(outlines.get(index))) {
                return item;
            }
        } catch (MalformedJson | Unusable | IllegalArgumentException changed) {
            // It was read before, so the file is another one now.
        }
        throw new InvalidRequest("The file was changed while it was imported (line "
                + place.line().number() + "); import it again to add the rest.");
    }

    /** Returns everything that is wrong, one line each. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    private SessionImport.Item item(JsonNode node, long bytes) throws Unusable {
        if (!node.isObject()) {
            throw new Unusable("a session is a JSON object");
        }
        SessionId id = SessionId.of(text(node, "id").orElseThrow(() -> new Unusable("the session has no id")));
        JsonNode said = node.path("messages");
        if (!said.isMissingNode() && !said.isNull() && !said.isArray()) {
            throw new Unusable("messages is not a list");
        }
        List<JsonNode> rows = new ArrayList<>();
        said.forEach(rows::add);
        Instant started = time(node, "started_at")
                .or(() -> rows.stream().findFirst().flatMap(m -> lenientTime(m, "timestamp")))
                .orElse(now);
        List<StoredMessage> stored = new ArrayList<>();
        for (JsonNode row : rows) {
            stored.add(message(id, row, started));
        }
        return new SessionImport.Item(counted(node, session(node, id, started), stored), stored, bytes);
    }

    /** A counter is taken as it was exported: it may count what was taken back since. Without one, the messages are counted. */
    private static Session counted(JsonNode node, Session session, List<StoredMessage> messages) {
        long calls = messages.stream()
                .mapToLong(m -> m.message().toolCalls().map(ToolCalls::count).orElse(0))
                .sum();
        return session.toBuilder()
                .counts(
                        node.hasNonNull("message_count") ? session.messageCount() : messages.size(),
                        node.hasNonNull("tool_call_count") ? session.toolCallCount() : calls)
                .build();
    }

    private static Session session(JsonNode node, SessionId id, Instant started) throws Unusable {
        Session.Builder session = Session.builder(
                        id, text(node, "source").filter(s -> !s.isBlank()).orElse(UNNAMED_SOURCE), started)
                .userId(text(node, "user_id").orElse(null))
                .model(text(node, "model").orElse(null))
                .modelConfig(raw(node, "model_config"))
                .systemPrompt(text(node, "system_prompt").orElse(null))
                .counts(whole(node, "message_count"), whole(node, "tool_call_count"))
                .usage(
                        new TokenUsage(
                                whole(node, "input_tokens"),
                                whole(node, "output_tokens"),
                                whole(node, "cache_read_tokens"),
                                whole(node, "cache_write_tokens"),
                                whole(node, "reasoning_tokens")),
                        whole(node, "api_call_count"))
                .billing(new Billing(
                        text(node, "billing_provider"),
                        text(node, "billing_base_url"),
                        text(node, "billing_mode"),
                        number(node, "estimated_cost_usd").map(BigDecimal::doubleValue),
                        number(node, "actual_cost_usd").map(BigDecimal::doubleValue),
                        text(node, "cost_status"),
                        text(node, "cost_source"),
                        text(node, "pricing_version")))
                .title(text(node, "title").orElse(null));
        Optional<String> parent = text(node, "parent_session_id");
        if (parent.isPresent()) {
            session.parent(SessionId.of(parent.get()));
        }
        Optional<Instant> ended = time(node, "ended_at");
        if (ended.isPresent()) {
            session.ending(new Ending(ended.get(), text(node, "end_reason")));
        } else {
            session.unendedReason(text(node, "end_reason").orElse(null));
        }
        return session.archived(flag(node, "archived")).build();
    }

    private StoredMessage message(SessionId session, JsonNode node, Instant started) throws Unusable {
        if (!node.isObject()) {
            throw new Unusable("a message of session " + session + " is not a JSON object");
        }
        messages++;
        long sequence = node.path("id").isIntegralNumber() && node.path("id").canConvertToLong()
                ? node.path("id").longValue()
                : messages;
        Optional<BigDecimal> tokens = number(node, "token_count");
        if (tokens.isPresent() && tokens.get().abs().compareTo(MOST_TOKENS) > 0) {
            throw new Unusable("token_count is too large");
        }
        Message message = Message.builder(
                        MessageId.ofRow(sequence),
                        text(node, "role").map(Role::new).orElse(Role.UNKNOWN),
                        content(node.path("content")),
                        time(node, "timestamp").orElse(started))
                .toolCallId(text(node, "tool_call_id").orElse(null))
                .toolName(text(node, "tool_name").orElse(null))
                .toolCalls(toolCalls(node))
                .tokenCount(tokens.map(BigDecimal::intValue).orElse(null))
                .finishReason(text(node, "finish_reason").orElse(null))
                .reasoning(new Reasoning(
                        text(node, "reasoning"),
                        text(node, "reasoning_content"),
                        Optional.ofNullable(raw(node, "reasoning_details")),
                        Optional.ofNullable(raw(node, "codex_reasoning_items")),
                        Optional.ofNullable(raw(node, "codex_message_items"))))
                .build();
        return new StoredMessage(sequence, session, message, StoredMessage.State.ACTIVE);
    }

    private static Content content(JsonNode node) {
        if (node.isMissingNode() || node.isNull()) {
            return Content.none();
        }
        if (node.isContainerNode()) {
            List<String> texts = new ArrayList<>();
            for (JsonNode part : node) {
                if (part.isTextual()) {
                    texts.add(part.textValue());
                } else if (part.path("text").isTextual()) {
                    texts.add(part.path("text").textValue());
                }
            }
            return new Content.Multipart(new RawJson(Json.line(node)), node.isArray() ? texts : List.of());
        }
        return Content.text(node.asText());
    }

    private static @Nullable ToolCalls toolCalls(JsonNode message) {
        JsonNode malformed = message.path("tool_calls_text");
        if (malformed.isTextual()) {
            return new ToolCalls(Optional.of(new RawJson(malformed.textValue())), List.of(), 1);
        }
        JsonNode node = message.path("tool_calls");
        if (node.isMissingNode() || node.isNull()) {
            return null;
        }
        List<ToolCall> calls = new ArrayList<>();
        if (node.isArray()) {
            for (JsonNode call : node) {
                JsonNode function = call.path("function");
                calls.add(new ToolCall(
                        call.path("id").asText(""),
                        function.path("name").asText(""),
                        function.path("arguments").asText("")));
            }
        }
        return new ToolCalls(Optional.of(new RawJson(Json.line(node))), calls, node.isArray() ? node.size() : 1);
    }

    private static Optional<String> text(JsonNode node, String name) throws Unusable {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (value.isContainerNode()) {
            throw new Unusable(name + " is not a text");
        }
        return Optional.of(value.asText());
    }

    /** JSON that is carried unchanged: exported as a text, taken as a value too. */
    private static @Nullable RawJson raw(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        return new RawJson(value.isTextual() ? value.textValue() : Json.line(value));
    }

    private static Optional<BigDecimal> number(JsonNode node, String name) throws Unusable {
        JsonNode value = node.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isNumber()) {
            throw new Unusable(name + " is not a number");
        }
        return isFinite(value) ? Optional.of(value.decimalValue()) : Optional.empty();
    }

    /** Marks are 0 or 1 in exports, and may be said as false or true. */
    private static boolean flag(JsonNode node, String name) throws Unusable {
        JsonNode value = node.path(name);
        return value.isBoolean() ? value.booleanValue() : whole(node, name) != 0;
    }

    private static long whole(JsonNode node, String name) throws Unusable {
        Optional<BigDecimal> number = number(node, name);
        if (number.isPresent() && number.get().signum() < 0) {
            throw new Unusable(name + " is negative");
        }
        if (number.isPresent() && number.get().compareTo(MOST) > 0) {
            throw new Unusable(name + " is too large");
        }
        return number.map(BigDecimal::longValue).orElse(0L);
    }

    private static Optional<Instant> time(JsonNode node, String name) throws Unusable {
        Optional<BigDecimal> seconds = number(node, name);
        if (seconds.isPresent() && seconds.get().abs().compareTo(LATEST) > 0) {
            throw new Unusable(name + " is no time in seconds since 1970");
        }
        return seconds.map(ImportFile::instant);
    }

    private static Optional<Instant> lenientTime(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isNumber() && isFinite(value) ? Optional.of(instant(value.decimalValue())) : Optional.empty();
    }

    /** NaN and Infinity, which other writers leave in their exports, say no number. */
    private static boolean isFinite(JsonNode number) {
        return !number.isDouble() || Double.isFinite(number.doubleValue());
    }

    /**
     * The instant of a stored number of seconds: to the microsecond where that is the same number again, as all
     * times made by a gateway are, otherwise to the nanosecond.
     */
    private static Instant instant(BigDecimal seconds) {
        double stored = seconds.doubleValue();
        long micros = Math.round(stored * 1e6);
        Instant exact = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        if (micros / 1e6 == stored) {
            return exact;
        }
        long nanos = new BigDecimal(stored)
                .movePointRight(9)
                .setScale(0, RoundingMode.HALF_EVEN)
                .longValueExact();
        return Instant.EPOCH.plusNanos(nanos);
    }
}
