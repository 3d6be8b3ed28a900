package dev.parley.adapter.http.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.application.port.GatewayInspection.LaneState;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SessionListing;
import dev.parley.domain.change.LaneEvent;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.Reasoning;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.domain.transcript.ToolCall;
import dev.parley.domain.transcript.ToolCalls;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.TurnId;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What is shown of lanes, sessions and messages, as JSON. Names are stable: some may be added, none is renamed. Times of lanes
 * and outgoing messages are ISO instants; those of sessions and their messages are seconds, as in the stored rows.
 */
final class Rows {
    private Rows() {}

    static ObjectNode lane(LaneState state) {
        SessionEntry entry = state.lane().entry();
        ObjectNode row = Json.object();
        row.put("session_key", entry.key().value());
        row.put("session_id", entry.sessionId().value());
        row.put("created_at", entry.createdAt().toString());
        row.put("updated_at", entry.updatedAt().toString());
        put(row, "display_name", entry.displayName());
        put(row, "platform", entry.platform().map(Platform::name));
        row.put("chat_type", entry.chatType().value());
        row.put("status", standing(entry.standing()));
        row.put("running", state.running());
        row.put("depth", state.depth());
        row.put("epoch", state.lane().epoch());
        tokens(row, entry.usage().tokens());
        row.put("total_tokens", entry.usage().totalTokens());
        row.put("last_prompt_tokens", entry.usage().lastPromptTokens());
        row.put("expiry_finalized", entry.expiryFinalized());
        entry.origin()
                .ifPresentOrElse(
                        origin -> row.set("origin", dictionary(SourceDictionary.write(origin))),
                        () -> row.putNull("origin"));
        return row;
    }

    private static String standing(Standing standing) {
        if (standing instanceof Standing.Suspended) {
            return "suspended";
        }
        return standing.resumePending().isPresent() ? "resume_pending" : "open";
    }

    private static ObjectNode dictionary(Map<String, ?> fields) {
        ObjectNode node = Json.object();
        fields.forEach(node::putPOJO);
        return node;
    }

    static ObjectNode event(LaneEvent event) {
        ObjectNode row = Json.object();
        row.put("session_key", event.lane().value());
        row.put("at", event.at().toString());
        row.put("kind", event.kind().text());
        put(row, "from", event.from().map(SessionId::value));
        put(row, "to", event.to().map(SessionId::value));
        row.put("reason", event.reason());
        ObjectNode inputs = row.putObject("inputs");
        event.inputs().forEach(inputs::put);
        return row;
    }

    /** A row of storage 3.9. */
    static ObjectNode session(SessionListing listing) {
        Session session = listing.session();
        ObjectNode row = Json.object();
        row.put("id", session.id().value());
        row.put("source", session.source());
        put(row, "user_id", session.userId());
        put(row, "model", session.model());
        put(row, "model_config", session.modelConfig().map(json -> json.text()));
        put(row, "system_prompt", session.systemPrompt());
        put(row, "parent_session_id", session.parent().map(SessionId::value));
        row.put("started_at", seconds(session.startedAt()));
        session.ending()
                .map(Ending::at)
                .ifPresentOrElse(at -> row.put("ended_at", seconds(at)), () -> row.putNull("ended_at"));
        put(row, "end_reason", session.ending().flatMap(Ending::reason));
        row.put("message_count", session.messageCount());
        row.put("tool_call_count", session.toolCallCount());
        tokens(row, session.tokens());
        billing(row, session.billing());
        put(row, "title", session.title());
        row.put("api_call_count", session.apiCalls());
        row.put("preview", listing.preview());
        row.put("last_active", seconds(listing.lastActive()));
        listing.lineageRoot().ifPresent(root -> row.put("_lineage_root_id", root.value()));
        return row;
    }

    private static void tokens(ObjectNode row, TokenUsage tokens) {
        row.put("input_tokens", tokens.input());
        row.put("output_tokens", tokens.output());
        row.put("cache_read_tokens", tokens.cacheRead());
        row.put("cache_write_tokens", tokens.cacheWrite());
        row.put("reasoning_tokens", tokens.reasoning());
    }

    private static void billing(ObjectNode row, Billing billing) {
        put(row, "billing_provider", billing.provider());
        put(row, "billing_base_url", billing.baseUrl());
        put(row, "billing_mode", billing.mode());
        number(row, "estimated_cost_usd", billing.estimatedCostUsd());
        number(row, "actual_cost_usd", billing.actualCostUsd());
        put(row, "cost_status", billing.costStatus());
        put(row, "cost_source", billing.costSource());
        put(row, "pricing_version", billing.pricingVersion());
    }

    /** A message of storage 6. */
    static ObjectNode message(StoredMessage stored) {
        Message message = stored.message();
        Reasoning reasoning = message.reasoning();
        ObjectNode row = Json.object();
        row.put("id", stored.sequence());
        row.put("session_id", stored.session().value());
        row.put("role", message.role().name());
        content(row, message.content());
        put(row, "tool_call_id", message.toolCallId());
        message.toolCalls().ifPresentOrElse(calls -> toolCalls(row, calls), () -> row.putNull("tool_calls"));
        put(row, "tool_name", message.toolName());
        row.put("timestamp", seconds(message.at()));
        message.tokenCount().ifPresentOrElse(count -> row.put("token_count", count), () -> row.putNull("token_count"));
        put(row, "finish_reason", message.finishReason());
        put(row, "reasoning", reasoning.text());
        put(row, "reasoning_content", reasoning.content());
        put(row, "reasoning_details", reasoning.details().map(json -> json.text()));
        put(row, "codex_reasoning_items", reasoning.codexItems().map(json -> json.text()));
        put(row, "codex_message_items", reasoning.codexMessageItems().map(json -> json.text()));
        return row;
    }

    private static void content(ObjectNode row, Content content) {
        if (content instanceof Content.Multipart parts) {
            row.set("content", Json.any(parts.json().text()));
        } else if (content instanceof Content.Text text) {
            row.put("content", text.text());
        } else {
            row.putNull("content");
        }
    }

    private static void toolCalls(ObjectNode row, ToolCalls calls) {
        if (calls.json().isPresent()) {
            row.set("tool_calls", Json.any(calls.json().get().text()));
            return;
        }
        ArrayNode list = row.putArray("tool_calls");
        for (ToolCall call : calls.calls()) {
            ObjectNode each = list.addObject().put("id", call.id()).put("type", "function");
            each.putObject("function").put("name", call.name()).put("arguments", call.arguments());
        }
    }

    /** A row of storage 5.4. */
    static ObjectNode hit(SearchHit hit) {
        ObjectNode row = Json.object();
        row.put("id", hit.sequence());
        row.put("session_id", hit.session().value());
        row.put("role", hit.role().name());
        row.put("timestamp", seconds(hit.at()));
        put(row, "snippet", hit.snippet());
        ArrayNode context = row.putArray("context");
        hit.context()
                .forEach(line ->
                        context.addObject().put("role", line.role().name()).put("content", line.content()));
        row.put("source", hit.source());
        put(row, "model", hit.model());
        row.put("session_started", seconds(hit.sessionStarted()));
        put(row, "tool_name", hit.toolName());
        return row;
    }

    static ObjectNode outgoing(Outgoing message) {
        ObjectNode row = Json.object();
        row.put("id", message.id().value());
        put(row, "lane", message.lane().map(key -> key.value()));
        row.put("platform", message.platform().name());
        row.put("chat_id", message.chatId());
        put(row, "thread_id", message.threadId());
        row.put("kind", message.kind().text());
        row.put("text", message.text());
        put(row, "turn", message.turn().map(TurnId::value));
        row.put("created_at", message.createdAt().toString());
        return row;
    }

    private static void put(ObjectNode row, String name, Optional<String> value) {
        value.ifPresentOrElse(text -> row.put(name, text), () -> row.putNull(name));
    }

    private static void number(ObjectNode row, String name, Optional<Double> value) {
        value.ifPresentOrElse(number -> row.put(name, BigDecimal.valueOf(number)), () -> row.putNull(name));
    }

    private static BigDecimal seconds(Instant at) {
        BigDecimal exact = BigDecimal.valueOf(at.getEpochSecond())
                .add(BigDecimal.valueOf(at.getNano() / 1000, 6))
                .stripTrailingZeros();
        return exact.scale() < 1 ? exact.setScale(1) : exact;
    }
}
