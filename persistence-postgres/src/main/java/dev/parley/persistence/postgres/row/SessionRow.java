package dev.parley.persistence.postgres.row;

import dev.parley.domain.key.SessionKey;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.SessionPeer;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.persistence.postgres.table.SessionTables.Sessions;
import dev.parley.persistence.postgres.table.SessionTables.Use;
import dev.parley.persistence.sql.json.RawJsonText;
import dev.parley.persistence.sql.json.SourceText;
import dev.parley.persistence.sql.row.SessionIds;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Rows of sessions, spread over two tables. */
public final class SessionRow {
    /** The columns that {@link #read} needs, of both tables. */
    public static final List<Field<?>> READ = columns();

    private SessionRow() {}

    private static List<Field<?>> columns() {
        List<Field<?>> columns = new ArrayList<>(Sessions.ALL);
        columns.addAll(Use.ALL);
        return List.copyOf(columns);
    }

    /** Returns the values of {@link Sessions#ALL}, in order. */
    public static @Nullable Object[] values(Session session) {
        return new @Nullable Object[] {
            session.id().value(),
            session.source(),
            session.userId().orElse(null),
            session.model().orElse(null),
            RawJsonText.writeUnchanged(session.modelConfig()),
            session.systemPrompt().orElse(null),
            session.parent().map(SessionId::value).orElse(null),
            Time.nanos(session.startedAt()),
            Time.nanos(session.ending().map(Ending::at)),
            session.ending().flatMap(Ending::reason).or(session::unendedReason).orElse(null),
            session.title().orElse(null),
            session.peer().map(peer -> peer.key().value()).orElse(null),
            session.peer().flatMap(SessionPeer::origin).map(SourceText::write).orElse(null),
            session.archived()
        };
    }

    /** Returns the session. */
    public static Session read(Row row) throws SQLException {
        UseRow use = UseRow.read(row);
        return Session.builder(
                        SessionId.of(row.text(Sessions.ID)),
                        row.text(Sessions.SOURCE),
                        Time.ofNanos(row.number(Sessions.STARTED_AT)))
                .userId(row.textOrNull(Sessions.USER_ID))
                .model(row.textOrNull(Sessions.MODEL))
                .modelConfig(
                        RawJsonText.read(row.textOrNull(Sessions.MODEL_CONFIG)).orElse(null))
                .systemPrompt(row.textOrNull(Sessions.SYSTEM_PROMPT))
                .parent(SessionIds.read(row.optional(Sessions.PARENT)).orElse(null))
                .ending(ending(row).orElse(null))
                .counts(use.messages(), use.toolCalls())
                .usage(use.tokens(), use.apiCalls())
                .billing(use.billing())
                .unendedReason(row.textOrNull(Sessions.END_REASON))
                .title(row.textOrNull(Sessions.TITLE))
                .peer(peer(row).orElse(null))
                .archived(row.flag(Sessions.ARCHIVED))
                .rewindCount((int) Math.min(Integer.MAX_VALUE, use.rewinds()))
                .build();
    }

    /** Returns the tokens of a session, or of several that were added up. */
    public static TokenUsage tokens(Row row) throws SQLException {
        return new TokenUsage(
                row.number(Use.INPUT_TOKENS),
                row.number(Use.OUTPUT_TOKENS),
                row.number(Use.CACHE_READ_TOKENS),
                row.number(Use.CACHE_WRITE_TOKENS),
                row.number(Use.REASONING_TOKENS));
    }

    static Billing billing(Row row) throws SQLException {
        return new Billing(
                row.optional(Use.BILLING_PROVIDER),
                row.optional(Use.BILLING_BASE_URL),
                row.optional(Use.BILLING_MODE),
                cost(row.optionalReal(Use.ESTIMATED_COST_USD)),
                cost(row.optionalReal(Use.ACTUAL_COST_USD)),
                row.optional(Use.COST_STATUS),
                row.optional(Use.COST_SOURCE),
                row.optional(Use.PRICING_VERSION));
    }

    private static Optional<Double> cost(OptionalDouble value) {
        return value.isPresent() ? Optional.of(value.getAsDouble()) : Optional.empty();
    }

    private static Optional<Ending> ending(Row row) throws SQLException {
        Optional<String> reason = row.optional(Sessions.END_REASON);
        return Time.ofNanos(row.optionalNumber(Sessions.ENDED_AT)).map(at -> new Ending(at, reason));
    }

    private static Optional<SessionPeer> peer(Row row) throws SQLException {
        String lane = row.text(Sessions.LANE);
        return lane.isEmpty()
                ? Optional.empty()
                : Optional.of(new SessionPeer(SessionKey.of(lane), SourceText.read(row.textOrNull(Sessions.ORIGIN))));
    }
}
