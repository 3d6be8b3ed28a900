package dev.parley.persistence.postgres.row;

import dev.parley.domain.change.MessageCounts;
import dev.parley.domain.session.Session;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.Counter;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageUpdate;
import dev.parley.persistence.postgres.table.SessionTables.Use;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What nearly every batch changes of a session.
 *
 * @param session its id
 * @param messages its counter of messages
 * @param toolCalls its counter of tool calls
 * @param tokens its tokens
 * @param apiCalls its calls of the model
 * @param billing its cost and route
 * @param rewinds how often messages were taken back
 * @param latest the time of its latest message that was not taken back; empty where there is none
 * @param lastActive that time, else its start
 */
public record UseRow(
        String session,
        long messages,
        long toolCalls,
        TokenUsage tokens,
        long apiCalls,
        Billing billing,
        long rewinds,
        OptionalLong latest,
        long lastActive) {

    /** Returns the row of a session without messages. */
    public static UseRow of(Session session) {
        return new UseRow(
                session.id().value(),
                session.messageCount(),
                session.toolCallCount(),
                session.tokens(),
                session.apiCalls(),
                session.billing(),
                session.rewindCount(),
                OptionalLong.empty(),
                Time.nanos(session.startedAt()));
    }

    /** Returns the row. */
    public static UseRow read(Row row) throws SQLException {
        return new UseRow(
                row.text(Use.SESSION_ID),
                row.number(Use.MESSAGE_COUNT),
                row.number(Use.TOOL_CALL_COUNT),
                SessionRow.tokens(row),
                row.number(Use.API_CALL_COUNT),
                SessionRow.billing(row),
                row.number(Use.REWIND_COUNT),
                row.optionalNumber(Use.LATEST),
                row.number(Use.LAST_ACTIVE));
    }

    /** Returns the values of {@link Use#ALL}, in order. */
    public @Nullable Object[] values() {
        return new @Nullable Object[] {
            session,
            messages,
            toolCalls,
            tokens.input(),
            tokens.output(),
            tokens.cacheRead(),
            tokens.cacheWrite(),
            tokens.reasoning(),
            apiCalls,
            text(billing.provider()),
            text(billing.baseUrl()),
            text(billing.mode()),
            billing.estimatedCostUsd().orElse(null),
            billing.actualCostUsd().orElse(null),
            text(billing.costStatus()),
            text(billing.costSource()),
            text(billing.pricingVersion()),
            rewinds,
            latest.isPresent() ? latest.getAsLong() : null,
            lastActive
        };
    }

    private static @Nullable String text(Optional<String> value) {
        return value.orElse(null);
    }

    /** Returns this with both counters raised. */
    public UseRow plus(MessageCounts more) {
        return counts(Counter.sum(messages, more.messages()), Counter.sum(toolCalls, more.toolCalls()));
    }

    /** Returns this with other counters. */
    public UseRow counts(long nextMessages, long nextToolCalls) {
        return new UseRow(session, nextMessages, nextToolCalls, tokens, apiCalls, billing, rewinds, latest, lastActive);
    }

    /** Returns this after an update of the usage. */
    public UseRow used(UsageUpdate update) {
        return new UseRow(
                session,
                messages,
                toolCalls,
                update.applyTo(tokens),
                update.applyTo(apiCalls),
                update.applyTo(billing),
                rewinds,
                latest,
                lastActive);
    }

    /** Returns this after messages were taken back once more. */
    public UseRow rewound() {
        return new UseRow(
                session, messages, toolCalls, tokens, apiCalls, billing, Counter.sum(rewinds, 1), latest, lastActive);
    }

    /** Returns this after a message of this time. */
    public UseRow said(long at) {
        long now = latest.isPresent() ? Math.max(latest.getAsLong(), at) : at;
        return new UseRow(session, messages, toolCalls, tokens, apiCalls, billing, rewinds, OptionalLong.of(now), now);
    }
}
