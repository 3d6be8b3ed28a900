package dev.parley.persistence.sqlite.mirror;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.EntryDictionary;
import dev.parley.domain.session.EntryUsage;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platforms;
import dev.parley.domain.source.SessionSource;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.persistence.sql.json.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Entries of lanes as {@code sessions.json} has them (E2.4); reading takes what can be read (E2.5). */
final class EntryJson {
    private final ZoneId zone;
    private final Platforms platforms;

    /**
     * Reads and writes times of this zone.
     *
     * @param platforms the platforms that an entry may come from
     */
    EntryJson(ZoneId zone, Platforms platforms) {
        this.zone = zone;
        this.platforms = platforms;
    }

    ObjectNode write(SessionEntry entry) {
        return object(EntryDictionary.write(entry, this::time));
    }

    private static ObjectNode object(Map<?, ? extends @Nullable Object> fields) {
        ObjectNode node = Json.object();
        fields.forEach((name, value) -> node.set(String.valueOf(name), value(value)));
        return node;
    }

    private static JsonNode value(@Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            return object(fields);
        }
        return Json.mapper().valueToTree(value instanceof String text ? Unicode.wellFormed(text) : value);
    }

    private String time(Instant instant) {
        return DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(LocalDateTime.ofInstant(instant, zone));
    }

    /**
     * Returns the entry under a key of the file, which counts whatever key the entry itself names (E2.9).
     *
     * @throws IllegalArgumentException where the entry must be left out, saying why (E2.5–E2.7)
     */
    SessionEntry read(String key, JsonNode node) {
        if (!node.path("session_key").isTextual() || !node.path("session_id").isTextual()) {
            throw new IllegalArgumentException("it has no session key or no session id");
        }
        Instant created = time(node.path("created_at"))
                .orElseThrow(() -> new IllegalArgumentException("its created_at cannot be read"));
        Instant updated = time(node.path("updated_at"))
                .orElseThrow(() -> new IllegalArgumentException("its updated_at cannot be read"));
        return new SessionEntry(
                SessionKey.of(key),
                SessionId.of(node.path("session_id").textValue()),
                created,
                updated,
                origin(node.path("origin")),
                Optional.ofNullable(node.path("display_name").textValue()),
                Optional.ofNullable(node.path("platform").textValue()).flatMap(platforms::find),
                Optional.ofNullable(node.path("chat_type").textValue())
                        .filter(type -> !type.isEmpty())
                        .map(ChatType::of)
                        .orElse(ChatType.DM),
                usage(node),
                beginning(node),
                standing(node),
                flag(node, node.has("expiry_finalized") ? "expiry_finalized" : "memory_flushed"),
                override(node.path("model_override")));
    }

    private Optional<SessionSource> origin(JsonNode node) {
        Optional<Map<String, @Nullable Object>> members = Json.members(node);
        return members.isEmpty() ? Optional.empty() : Optional.of(SourceDictionary.read(members.get(), platforms));
    }

    private static EntryUsage usage(JsonNode node) {
        TokenUsage tokens = new TokenUsage(
                count(node, "input_tokens"),
                count(node, "output_tokens"),
                count(node, "cache_read_tokens"),
                count(node, "cache_write_tokens"),
                count(node, "reasoning_tokens"));
        JsonNode cost = node.path("estimated_cost_usd");
        return new EntryUsage(
                tokens,
                count(node, "total_tokens"),
                cost.isNumber() ? cost.doubleValue() : 0.0,
                Optional.ofNullable(node.path("cost_status").textValue()).orElse("unknown"),
                count(node, "last_prompt_tokens"));
    }

    private static Beginning beginning(JsonNode node) {
        Optional<ResetReason> reason =
                Optional.ofNullable(node.path("auto_reset_reason").textValue()).flatMap(ResetReason::parse);
        if (flag(node, "was_auto_reset") && reason.isPresent()) {
            return new Beginning.AfterReset(reason.get(), flag(node, "reset_had_activity"));
        }
        return flag(node, "is_fresh_reset") ? Beginning.fresh() : Beginning.ordinary();
    }

    private Standing standing(JsonNode node) {
        Optional<Standing.ResumePending> mark = flag(node, "resume_pending")
                ? Optional.of(new Standing.ResumePending(
                        Optional.ofNullable(node.path("resume_reason").textValue())
                                .map(ResumeReason::new),
                        time(node.path("last_resume_marked_at"))))
                : Optional.empty();
        if (flag(node, "suspended")) {
            return new Standing.Suspended(mark);
        }
        return mark.<Standing>map(m -> m).orElseGet(Standing::open);
    }

    private static Optional<ModelOverride> override(JsonNode node) {
        return node.isObject()
                ? Optional.of(new ModelOverride(
                        Optional.ofNullable(node.path("model").textValue()),
                        Optional.ofNullable(node.path("provider").textValue()),
                        Optional.ofNullable(node.path("base_url").textValue())))
                : Optional.empty();
    }

    private Optional<Instant> time(JsonNode node) {
        if (!node.isTextual()) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDateTime.parse(node.textValue().replace(' ', 'T'))
                    .atZone(zone)
                    .toInstant());
        } catch (DateTimeException e) {
            return timeWithOffset(node.textValue());
        }
    }

    private static Optional<Instant> timeWithOffset(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text.replace(' ', 'T')).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static long count(JsonNode node, String name) {
        JsonNode value = node.path(name);
        return value.isIntegralNumber() && value.canConvertToLong() ? Math.max(0, value.longValue()) : 0;
    }

    private static boolean flag(JsonNode node, String name) {
        return node.path(name).isBoolean() && node.path(name).booleanValue();
    }
}
