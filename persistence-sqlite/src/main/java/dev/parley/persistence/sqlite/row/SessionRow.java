package dev.parley.persistence.sqlite.row;

import static dev.parley.domain.text.Unicode.wellFormed;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.persistence.sql.json.RawJsonText;
import dev.parley.persistence.sql.json.SourceText;
import dev.parley.persistence.sql.row.SessionIds;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sqlite.statement.Seconds;
import dev.parley.persistence.sqlite.table.ExtraTables;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Rows of sessions, joined with what Parley keeps beside them. */
public final class SessionRow {
    /** What stands for the source of a row that has none. */
    private static final String UNKNOWN_SOURCE = "unknown";

    /** Whether any of the many columns about costs says something. */
    private static final Field<Long> BILLED = DSL.field(DSL.name("billed"), SQLDataType.BIGINT);

    /** The columns that {@link #read} needs; those of {@link ExtraTables.Sessions} by outer join. */
    public static final List<Field<?>> READ = columns();

    private SessionRow() {}

    private static List<Field<?>> columns() {
        List<Field<?>> columns = new ArrayList<>(SessionTable.ALL);
        columns.add(SessionTable.REWIND_COUNT);
        columns.add(SessionTable.ARCHIVED);
        columns.add(ExtraTables.Sessions.LANE);
        columns.add(ExtraTables.Sessions.ORIGIN);
        columns.add(DSL.when(
                        SessionTable.BILLING_PROVIDER
                                .isNotNull()
                                .or(SessionTable.BILLING_BASE_URL.isNotNull())
                                .or(SessionTable.BILLING_MODE.isNotNull())
                                .or(SessionTable.ESTIMATED_COST_USD.isNotNull())
                                .or(SessionTable.ACTUAL_COST_USD.isNotNull())
                                .or(SessionTable.COST_STATUS.isNotNull())
                                .or(SessionTable.COST_SOURCE.isNotNull())
                                .or(SessionTable.PRICING_VERSION.isNotNull()),
                        DSL.inline(1))
                .otherwise(DSL.inline(0))
                .as(BILLED));
        return List.copyOf(columns);
    }

    /** Returns the values of {@link SessionTable#ALL}, in order. */
    public static @Nullable Object[] values(Session session) {
        Billing billing = session.billing();
        return new @Nullable Object[] {
            wellFormed(session.id().value()),
            wellFormed(session.source()),
            text(session.userId()),
            text(session.model()),
            RawJsonText.writeUnchanged(session.modelConfig()),
            text(session.systemPrompt()),
            session.parent().map(SessionId::value).map(Unicode::wellFormed).orElse(null),
            Seconds.write(session.startedAt()),
            Seconds.write(session.ending().map(Ending::at)),
            text(session.ending().flatMap(Ending::reason).or(session::unendedReason)),
            session.messageCount(),
            session.toolCallCount(),
            session.tokens().input(),
            session.tokens().output(),
            session.tokens().cacheRead(),
            session.tokens().cacheWrite(),
            session.tokens().reasoning(),
            text(billing.provider()),
            text(billing.baseUrl()),
            text(billing.mode()),
            billing.estimatedCostUsd().orElse(null),
            billing.actualCostUsd().orElse(null),
            text(billing.costStatus()),
            text(billing.costSource()),
            text(billing.pricingVersion()),
            text(session.title()),
            session.apiCalls()
        };
    }

    /** Returns the session; absent where its id is none that Parley accepts (E2.6). */
    public static Optional<Session> read(Row row) throws SQLException {
        String id = row.text(SessionTable.ID);
        if (!SessionId.isSafe(id)) {
            return Optional.empty();
        }
        String source = row.text(SessionTable.SOURCE);
        Instant started = Seconds.read(row.real(SessionTable.STARTED_AT));
        return Optional.of(Session.builder(SessionId.of(id), source.isBlank() ? UNKNOWN_SOURCE : source, started)
                .userId(row.textOrNull(SessionTable.USER_ID))
                .model(row.textOrNull(SessionTable.MODEL))
                .modelConfig(RawJsonText.read(row.textOrNull(SessionTable.MODEL_CONFIG))
                        .orElse(null))
                .systemPrompt(row.textOrNull(SessionTable.SYSTEM_PROMPT))
                .parent(SessionIds.read(row.optional(SessionTable.PARENT_SESSION_ID))
                        .orElse(null))
                .ending(ending(row).orElse(null))
                .unendedReason(row.textOrNull(SessionTable.END_REASON))
                .counts(row.number(SessionTable.MESSAGE_COUNT), row.number(SessionTable.TOOL_CALL_COUNT))
                .usage(tokens(row), row.number(SessionTable.API_CALL_COUNT))
                .billing(row.flag(BILLED) ? billing(row) : Billing.NONE)
                .title(row.textOrNull(SessionTable.TITLE))
                .peer(peer(row).orElse(null))
                .rewindCount((int) row.number(SessionTable.REWIND_COUNT))
                .archived(row.flag(SessionTable.ARCHIVED))
                .build());
    }

    /** Returns tokens and calls and costs as an absolute state. */
    public static TokenUsage tokens(Row row) throws SQLException {
        return new TokenUsage(
                count(row, SessionTable.INPUT_TOKENS),
                count(row, SessionTable.OUTPUT_TOKENS),
                count(row, SessionTable.CACHE_READ_TOKENS),
                count(row, SessionTable.CACHE_WRITE_TOKENS),
                count(row, SessionTable.REASONING_TOKENS));
    }

    /** Returns cost and route. */
    public static Billing billing(Row row) throws SQLException {
        return new Billing(
                row.optional(SessionTable.BILLING_PROVIDER),
                row.optional(SessionTable.BILLING_BASE_URL),
                row.optional(SessionTable.BILLING_MODE),
                cost(row.optionalReal(SessionTable.ESTIMATED_COST_USD)),
                cost(row.optionalReal(SessionTable.ACTUAL_COST_USD)),
                row.optional(SessionTable.COST_STATUS),
                row.optional(SessionTable.COST_SOURCE),
                row.optional(SessionTable.PRICING_VERSION));
    }

    private static long count(Row row, Field<Long> field) throws SQLException {
        return Math.max(0, row.number(field));
    }

    private static Optional<Double> cost(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }

    private static Optional<Ending> ending(Row row) throws SQLException {
        Optional<Instant> at = Seconds.read(row.optionalReal(SessionTable.ENDED_AT));
        Optional<String> reason = row.optional(SessionTable.END_REASON);
        return at.map(instant -> new Ending(instant, reason));
    }

    private static Optional<SessionPeer> peer(Row row) throws SQLException {
        String lane = row.text(ExtraTables.Sessions.LANE);
        return lane.isEmpty()
                ? Optional.empty()
                : Optional.of(new SessionPeer(
                        SessionKey.of(lane), SourceText.read(row.textOrNull(ExtraTables.Sessions.ORIGIN))));
    }

    private static @Nullable String text(Optional<String> value) {
        return value.map(Unicode::wellFormed).orElse(null);
    }
}
