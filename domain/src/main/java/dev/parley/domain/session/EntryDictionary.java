package dev.parley.domain.session;

import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.source.Platform;
import dev.parley.domain.source.SourceDictionary;
import dev.parley.domain.usage.TokenUsage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The dictionary form of a {@link SessionEntry}, in which {@code sessions.json} and the command line show it (E2.4). */
public final class EntryDictionary {
    private EntryDictionary() {}

    /**
     * Returns the dictionary, in the order in which it is written: texts, whole numbers, amounts as {@link Double}, truth values and
     * null. All fields are always there, except {@code origin} and {@code model_override}, which are dictionaries themselves and
     * there only when they say something.
     *
     * @param time writes a time
     */
    public static Map<String, @Nullable Object> write(SessionEntry entry, Function<Instant, String> time) {
        EntryUsage usage = entry.usage();
        TokenUsage tokens = usage.tokens();
        Optional<Standing.ResumePending> mark = entry.standing().resumePending();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("session_key", entry.key().value());
        fields.put("session_id", entry.sessionId().value());
        fields.put("created_at", time.apply(entry.createdAt()));
        fields.put("updated_at", time.apply(entry.updatedAt()));
        fields.put("display_name", entry.displayName().orElse(null));
        fields.put("platform", entry.platform().map(Platform::name).orElse(null));
        fields.put("chat_type", entry.chatType().value());
        fields.put("input_tokens", tokens.input());
        fields.put("output_tokens", tokens.output());
        fields.put("cache_read_tokens", tokens.cacheRead());
        fields.put("cache_write_tokens", tokens.cacheWrite());
        fields.put("reasoning_tokens", tokens.reasoning());
        fields.put("total_tokens", usage.totalTokens());
        fields.put("last_prompt_tokens", usage.lastPromptTokens());
        fields.put("estimated_cost_usd", usage.estimatedCostUsd());
        fields.put("cost_status", usage.costStatus());
        fields.put("was_auto_reset", entry.beginning() instanceof Beginning.AfterReset);
        fields.put(
                "auto_reset_reason",
                entry.autoResetReason().map(ResetReason::text).orElse(null));
        fields.put(
                "reset_had_activity", entry.beginning() instanceof Beginning.AfterReset reset && reset.hadActivity());
        fields.put("is_fresh_reset", entry.beginning() instanceof Beginning.Fresh);
        fields.put("expiry_finalized", entry.expiryFinalized());
        fields.put("suspended", entry.isSuspended());
        fields.put("resume_pending", mark.isPresent());
        fields.put(
                "resume_reason",
                mark.flatMap(Standing.ResumePending::reason)
                        .map(ResumeReason::text)
                        .orElse(null));
        fields.put(
                "last_resume_marked_at",
                mark.flatMap(Standing.ResumePending::markedAt).map(time).orElse(null));
        entry.origin().ifPresent(origin -> fields.put("origin", SourceDictionary.write(origin)));
        entry.modelOverride().ifPresent(override -> fields.put("model_override", override(override)));
        return fields;
    }

    private static Map<String, @Nullable Object> override(ModelOverride override) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        override.model().ifPresent(value -> fields.put("model", value));
        override.provider().ifPresent(value -> fields.put("provider", value));
        override.baseUrl().ifPresent(value -> fields.put("base_url", value));
        return fields;
    }
}
