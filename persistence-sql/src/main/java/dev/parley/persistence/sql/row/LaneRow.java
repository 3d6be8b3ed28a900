package dev.parley.persistence.sql.row;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.reset.ResetReason;
import dev.parley.domain.session.Beginning;
import dev.parley.domain.session.EntryUsage;
import dev.parley.domain.session.Lane;
import dev.parley.domain.session.ModelOverride;
import dev.parley.domain.session.ResumeReason;
import dev.parley.domain.session.SessionEntry;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Standing;
import dev.parley.domain.source.ChatType;
import dev.parley.domain.source.Platform;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.persistence.sql.json.SourceText;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.LaneTables.Lanes;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows of lanes: the entry with its state spread over flat columns. */
public final class LaneRow {
    private static final String ORDINARY = "ordinary";
    private static final String AFTER_RESET = "after_reset";
    private static final String FRESH = "fresh";

    private LaneRow() {}

    /** Returns the values of {@link Lanes#ALL}, in order. */
    public static @Nullable Object[] values(Lane lane) {
        SessionEntry entry = lane.entry();
        EntryUsage usage = entry.usage();
        Optional<Standing.ResumePending> mark = entry.standing().resumePending();
        return new @Nullable Object[] {
            entry.key().value(),
            entry.sessionId().value(),
            lane.epoch(),
            Time.nanos(entry.createdAt()),
            Time.nanos(entry.updatedAt()),
            entry.origin().map(SourceText::write).orElse(null),
            entry.displayName().orElse(null),
            entry.platform().map(Platform::name).orElse(null),
            entry.chatType().value(),
            usage.tokens().input(),
            usage.tokens().output(),
            usage.tokens().cacheRead(),
            usage.tokens().cacheWrite(),
            usage.tokens().reasoning(),
            usage.totalTokens(),
            usage.estimatedCostUsd(),
            usage.costStatus(),
            usage.lastPromptTokens(),
            beginning(entry.beginning()),
            entry.autoResetReason().map(ResetReason::text).orElse(null),
            entry.beginning() instanceof Beginning.AfterReset reset ? reset.hadActivity() : null,
            entry.isSuspended(),
            mark.isPresent(),
            reason(mark).orElse(null),
            Time.nanos(mark.flatMap(Standing.ResumePending::markedAt)),
            entry.expiryFinalized(),
            override(entry, ModelOverride::model),
            override(entry, ModelOverride::provider),
            override(entry, ModelOverride::baseUrl)
        };
    }

    /** Returns the text that the column of a mark's reason holds. */
    public static Optional<String> reason(Optional<Standing.ResumePending> mark) {
        return mark.flatMap(Standing.ResumePending::reason).map(ResumeReason::text);
    }

    /** Returns the lane. */
    public static Lane read(Row row) throws SQLException {
        SessionEntry entry = new SessionEntry(
                SessionKey.of(row.text(Lanes.LANE)),
                SessionId.of(row.text(Lanes.SESSION_ID)),
                Time.ofNanos(row.number(Lanes.CREATED_AT)),
                Time.ofNanos(row.number(Lanes.UPDATED_AT)),
                SourceText.read(row.textOrNull(Lanes.ORIGIN)),
                row.optional(Lanes.DISPLAY_NAME),
                row.optional(Lanes.PLATFORM).filter(name -> !name.isBlank()).map(Platform::of),
                row.optional(Lanes.CHAT_TYPE)
                        .filter(type -> !type.isEmpty())
                        .map(ChatType::of)
                        .orElse(ChatType.DM),
                usage(row),
                beginning(row),
                standing(row),
                row.flag(Lanes.EXPIRY_FINALIZED),
                override(row));
        return new Lane(entry, row.number(Lanes.EPOCH));
    }

    private static EntryUsage usage(Row row) throws SQLException {
        TokenUsage tokens = new TokenUsage(
                row.number(Lanes.INPUT_TOKENS),
                row.number(Lanes.OUTPUT_TOKENS),
                row.number(Lanes.CACHE_READ_TOKENS),
                row.number(Lanes.CACHE_WRITE_TOKENS),
                row.number(Lanes.REASONING_TOKENS));
        return new EntryUsage(
                tokens,
                row.number(Lanes.TOTAL_TOKENS),
                row.real(Lanes.ESTIMATED_COST_USD),
                row.text(Lanes.COST_STATUS),
                row.number(Lanes.LAST_PROMPT_TOKENS));
    }

    private static String beginning(Beginning beginning) {
        return beginning instanceof Beginning.AfterReset
                ? AFTER_RESET
                : beginning instanceof Beginning.Fresh ? FRESH : ORDINARY;
    }

    private static Beginning beginning(Row row) throws SQLException {
        String beginning = row.text(Lanes.BEGINNING);
        Optional<ResetReason> reason = row.optional(Lanes.RESET_REASON).flatMap(ResetReason::parse);
        if (beginning.equals(AFTER_RESET) && reason.isPresent()) {
            return new Beginning.AfterReset(reason.get(), row.flag(Lanes.RESET_HAD_ACTIVITY));
        }
        return beginning.equals(FRESH) ? Beginning.fresh() : Beginning.ordinary();
    }

    private static Standing standing(Row row) throws SQLException {
        Optional<Standing.ResumePending> mark = row.flag(Lanes.RESUME_PENDING)
                ? Optional.of(new Standing.ResumePending(
                        row.optional(Lanes.RESUME_REASON).map(ResumeReason::new),
                        Time.ofNanos(row.optionalNumber(Lanes.RESUME_MARKED_AT))))
                : Optional.empty();
        if (row.flag(Lanes.SUSPENDED)) {
            return new Standing.Suspended(mark);
        }
        return mark.<Standing>map(m -> m).orElseGet(Standing::open);
    }

    private static @Nullable String override(SessionEntry entry, Function<ModelOverride, Optional<String>> part) {
        return entry.modelOverride().flatMap(part).orElse(null);
    }

    private static Optional<ModelOverride> override(Row row) throws SQLException {
        return Optional.of(new ModelOverride(
                row.optional(Lanes.OVERRIDE_MODEL),
                row.optional(Lanes.OVERRIDE_PROVIDER),
                row.optional(Lanes.OVERRIDE_BASE_URL)));
    }
}
