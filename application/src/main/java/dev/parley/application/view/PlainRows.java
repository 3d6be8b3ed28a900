package dev.parley.application.view;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionStatistics;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.EntryDictionary;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.RawJson;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.Role;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnReason;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSum;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns stored things into rows: ordered maps of texts, numbers, booleans, null, lists and maps. Names and order are stable;
 * names are added, never changed. Times are seconds since the epoch. A {@link RawJson} value is JSON that the writer
 * of the row decodes; text that is not JSON becomes an empty list (storage 4.3).
 */
public final class PlainRows {
    private PlainRows() {}

    /** Returns a session with all its columns (storage 1.2), in the order of the schema; {@code archived} only where it was put away. */
    public static Map<String, @Nullable Object> session(Session s) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", s.id().value());
        row.put("source", s.source());
        row.put("user_id", s.userId().orElse(null));
        row.put("model", s.model().orElse(null));
        row.put("model_config", s.modelConfig().map(RawJson::text).orElse(null));
        row.put("system_prompt", s.systemPrompt().orElse(null));
        row.put("parent_session_id", s.parent().map(SessionId::value).orElse(null));
        row.put("started_at", seconds(s.startedAt()));
        row.put("ended_at", s.ending().map(e -> seconds(e.at())).orElse(null));
        row.put(
                "end_reason",
                s.ending().flatMap(Ending::reason).or(s::unendedReason).orElse(null));
        row.put("message_count", s.messageCount());
        row.put("tool_call_count", s.toolCallCount());
        tokens(row, s.tokens());
        row.put("billing_provider", s.billing().provider().orElse(null));
        row.put("billing_base_url", s.billing().baseUrl().orElse(null));
        row.put("billing_mode", s.billing().mode().orElse(null));
        row.put("estimated_cost_usd", s.billing().estimatedCostUsd().orElse(null));
        row.put("actual_cost_usd", s.billing().actualCostUsd().orElse(null));
        row.put("cost_status", s.billing().costStatus().orElse(null));
        row.put("cost_source", s.billing().costSource().orElse(null));
        row.put("pricing_version", s.billing().pricingVersion().orElse(null));
        row.put("title", s.title().orElse(null));
        row.put("api_call_count", s.apiCalls());
        if (s.archived()) {
            row.put("archived", 1);
        }
        return row;
    }

    /** Returns a row of a list (storage 3.9): a session with {@code preview}, {@code last_active} and its lineage's root. */
    public static Map<String, @Nullable Object> listing(SessionListing listing) {
        Map<String, @Nullable Object> row = session(listing.session());
        row.put("preview", listing.preview());
        row.put("last_active", seconds(listing.lastActive()));
        listing.lineageRoot().ifPresent(root -> row.put("_lineage_root_id", root.value()));
        return row;
    }

    /** Returns a session with its active messages (storage 6). */
    public static Map<String, @Nullable Object> export(Session session, List<StoredMessage> messages) {
        Map<String, @Nullable Object> row = session(session);
        row.put("messages", messages.stream().map(PlainRows::message).toList());
        return row;
    }

    /** Returns a message with all its columns (storage 4.3, 6). */
    public static Map<String, @Nullable Object> message(StoredMessage stored) {
        Message m = stored.message();
        Reasoning reasoning = m.reasoning();
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", stored.sequence());
        row.put("session_id", stored.session().value());
        row.put("role", m.role().name());
        row.put("content", content(m.content()));
        row.put("tool_call_id", m.toolCallId().orElse(null));
        row.put("tool_calls", m.toolCalls().map(PlainRows::toolCalls).orElse(null));
        row.put("tool_name", m.toolName().orElse(null));
        row.put("timestamp", seconds(m.at()));
        row.put("token_count", m.tokenCount().orElse(null));
        row.put("finish_reason", m.finishReason().orElse(null));
        row.put("reasoning", reasoning.text().orElse(null));
        row.put("reasoning_content", reasoning.content().orElse(null));
        row.put("reasoning_details", reasoning.details().map(RawJson::text).orElse(null));
        row.put(
                "codex_reasoning_items",
                reasoning.codexItems().map(RawJson::text).orElse(null));
        row.put(
                "codex_message_items",
                reasoning.codexMessageItems().map(RawJson::text).orElse(null));
        return row;
    }

    /** Returns a message in the form of replay (storage 4.4): role and content always, everything else only where it is set. */
    public static Map<String, @Nullable Object> replayed(Message m) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("role", m.role().name());
        row.put("content", content(m.content()));
        m.toolCallId().filter(id -> !id.isEmpty()).ifPresent(id -> row.put("tool_call_id", id));
        m.toolName().filter(name -> !name.isEmpty()).ifPresent(name -> row.put("tool_name", name));
        m.toolCalls().ifPresent(calls -> row.put("tool_calls", toolCalls(calls)));
        if (m.role().equals(Role.ASSISTANT)) {
            Reasoning reasoning = m.reasoning();
            m.finishReason().filter(r -> !r.isEmpty()).ifPresent(r -> row.put("finish_reason", r));
            reasoning.text().filter(t -> !t.isEmpty()).ifPresent(t -> row.put("reasoning", t));
            reasoning.content().ifPresent(c -> row.put("reasoning_content", c));
            decoded(reasoning.details()).ifPresent(d -> row.put("reasoning_details", d));
            decoded(reasoning.codexItems()).ifPresent(d -> row.put("codex_reasoning_items", d));
            decoded(reasoning.codexMessageItems()).ifPresent(d -> row.put("codex_message_items", d));
        }
        return row;
    }

    /** An empty text is as good as none. */
    private static Optional<OrNull> decoded(Optional<RawJson> json) {
        return json.filter(j -> !j.text().isEmpty()).map(OrNull::new);
    }

    /**
     * Returns a message in the form of a session file (storage 7.1): the role always, content, reasoning, the call it answers
     * and the calls it asks for only where they are not empty.
     */
    public static Map<String, @Nullable Object> fileMessage(Message m) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("role", m.role().name());
        if (m.content() instanceof Content.Multipart parts) {
            row.put("content", parts.json());
        } else if (!m.content().plainText().isEmpty()) {
            row.put("content", m.content().plainText());
        }
        m.reasoning().content().filter(c -> !c.isEmpty()).ifPresent(c -> row.put("reasoning_content", c));
        m.toolCallId().filter(id -> !id.isEmpty()).ifPresent(id -> row.put("tool_call_id", id));
        m.toolCalls().filter(calls -> calls.count() > 0).ifPresent(calls -> row.put("tool_calls", toolCalls(calls)));
        return row;
    }

    /**
     * JSON that the writer of the row decodes; text that is not JSON becomes null (storage 4.4).
     *
     * @param json the JSON
     */
    public record OrNull(RawJson json) {}

    /** Returns a search result (storage 5.4). */
    public static Map<String, @Nullable Object> hit(SearchHit hit) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", hit.sequence());
        row.put("session_id", hit.session().value());
        row.put("role", hit.role().name());
        row.put("snippet", hit.snippet().orElse(null));
        row.put("timestamp", seconds(hit.at()));
        row.put("tool_name", hit.toolName().orElse(null));
        row.put("source", hit.source());
        row.put("model", hit.model().orElse(null));
        row.put("session_started", seconds(hit.sessionStarted()));
        List<Map<String, Object>> context = new ArrayList<>();
        for (SearchHit.Line line : hit.context()) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("role", line.role().name());
            entry.put("content", line.content());
            context.add(entry);
        }
        row.put("context", context);
        return row;
    }

    /** Returns a lane with the fields of its entry (E2.1, E2.4) and its epoch; times as ISO texts in UTC. */
    public static Map<String, @Nullable Object> lane(Lane lane) {
        Map<String, @Nullable Object> row = EntryDictionary.write(lane.entry(), Instant::toString);
        row.putIfAbsent("origin", null);
        row.put("epoch", lane.epoch());
        return row;
    }

    /** Returns a line of a lane's history; the time as ISO text in UTC. */
    public static Map<String, @Nullable Object> event(LaneEvent event) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("lane", event.lane().value());
        row.put("at", event.at().toString());
        row.put("kind", event.kind().text());
        row.put("from", event.from().map(SessionId::value).orElse(null));
        row.put("to", event.to().map(SessionId::value).orElse(null));
        row.put("reason", event.reason());
        row.put("inputs", event.inputs());
        return row;
    }

    /** Returns the usage statistics. */
    public static Map<String, @Nullable Object> statistics(SessionStatistics statistics) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("sessions", statistics.sessions());
        row.put("messages", statistics.messages());
        tokens(row, statistics.tokens());
        row.put("estimated_cost_usd", statistics.estimatedCostUsd().orElse(null));
        List<Map<String, @Nullable Object>> models = new ArrayList<>();
        for (SessionStatistics.ModelUsage usage : statistics.models()) {
            Map<String, @Nullable Object> model = new LinkedHashMap<>();
            model.put("model", usage.model());
            model.put("sessions", usage.sessions());
            tokens(model, usage.tokens());
            model.put("estimated_cost_usd", usage.estimatedCostUsd().orElse(null));
            models.add(model);
        }
        row.put("models", models);
        return row;
    }

    /** Returns a turn; times as ISO texts in UTC. */
    public static Map<String, @Nullable Object> turn(Turn turn) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", turn.id().value());
        row.put("lane", turn.lane().value());
        row.put("session", turn.session().value());
        row.put("state", turn.state().text());
        row.put("started_at", turn.startedAt().toString());
        row.put("ended_at", turn.endedAt().map(Instant::toString).orElse(null));
        row.put("reason", turn.reason().map(TurnReason::text).orElse(null));
        row.put("note", turn.note().orElse(null));
        row.put("model", turn.usage().model().orElse(null));
        tokens(row, turn.usage().tokens());
        row.put("api_calls", turn.usage().apiCalls());
        row.put("tool_calls", turn.usage().toolCalls());
        row.put("estimated_cost_usd", turn.usage().costUsd().orElse(null));
        return row;
    }

    /** Returns a message to a chat and how far it has come; times as ISO texts in UTC. */
    public static Map<String, @Nullable Object> delivery(Outgoing message) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", message.id().value());
        row.put("lane", message.lane().map(SessionKey::value).orElse(null));
        row.put("platform", message.platform().name());
        row.put("chat_id", message.chatId());
        row.put("thread_id", message.threadId().orElse(null));
        row.put("kind", message.kind().text());
        row.put("state", message.state().text());
        row.put("created_at", message.createdAt().toString());
        row.put("attempts", message.attempts());
        row.put(
                "attempted_at",
                message.delivery().attemptedAt().map(Instant::toString).orElse(null));
        row.put(
                "not_before",
                message.delivery().notBefore().map(Instant::toString).orElse(null));
        row.put("expires_at", message.expiresAt().map(Instant::toString).orElse(null));
        row.put("failure", message.delivery().failure().orElse(null));
        row.put("text", message.text());
        return row;
    }

    /**
     * Returns a sum of usage.
     *
     * @param by what it is added up by
     * @param name the name of this sum; empty where it is not known
     * @param sum the sum
     */
    public static Map<String, @Nullable Object> usage(UsageSum.By by, String name, UsageSum sum) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put(by.text(), name);
        row.put("turns", sum.turns());
        tokens(row, sum.tokens());
        row.put("api_calls", sum.apiCalls());
        row.put("estimated_cost_usd", sum.costUsd());
        return row;
    }

    /** Returns a time as seconds since the epoch: the number nearest to it. */
    public static double seconds(Instant instant) {
        return BigDecimal.valueOf(instant.getEpochSecond())
                .add(BigDecimal.valueOf(instant.getNano(), 9))
                .doubleValue();
    }

    private static void tokens(Map<String, @Nullable Object> row, TokenUsage tokens) {
        row.put("input_tokens", tokens.input());
        row.put("output_tokens", tokens.output());
        row.put("cache_read_tokens", tokens.cacheRead());
        row.put("cache_write_tokens", tokens.cacheWrite());
        row.put("reasoning_tokens", tokens.reasoning());
    }

    private static @Nullable Object content(Content content) {
        if (content instanceof Content.Text text) {
            return text.text();
        }
        return content instanceof Content.Multipart parts ? parts.json() : null;
    }

    private static Object toolCalls(ToolCalls calls) {
        if (calls.json().isPresent()) {
            return calls.json().get();
        }
        List<Map<String, Object>> list = new ArrayList<>();
        for (ToolCall call : calls.calls()) {
            Map<String, Object> function = new LinkedHashMap<>();
            function.put("name", call.name());
            function.put("arguments", call.arguments());
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("id", call.id());
            entry.put("type", "function");
            entry.put("function", function);
            list.add(entry);
        }
        return list;
    }
}
