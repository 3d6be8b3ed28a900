package dev.parley.persistence.sqlite.ledger;

import static dev.parley.persistence.sql.statement.Renderer.nothing;
import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.domain.change.Change;
import dev.parley.domain.change.Refusals;
import dev.parley.domain.change.SessionEdit;
import dev.parley.domain.change.SessionFacts;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.usage.Billing;
import dev.parley.domain.usage.TokenUsage;
import dev.parley.domain.usage.UsageSlot;
import dev.parley.domain.usage.UsageUpdate;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.row.SessionRow;
import dev.parley.persistence.sqlite.table.ExtraTables.Sessions;
import dev.parley.persistence.sqlite.table.MessageTable;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Writes sessions. Every statement finds its row by its key. */
final class SessionWrites implements SessionFacts<SQLException> {
    /** The columns that usage changes, in the order in which the update binds them. */
    private static final List<Field<?>> USAGE = List.of(
            SessionTable.INPUT_TOKENS,
            SessionTable.OUTPUT_TOKENS,
            SessionTable.CACHE_READ_TOKENS,
            SessionTable.CACHE_WRITE_TOKENS,
            SessionTable.REASONING_TOKENS,
            SessionTable.API_CALL_COUNT,
            SessionTable.MODEL,
            SessionTable.BILLING_PROVIDER,
            SessionTable.BILLING_BASE_URL,
            SessionTable.BILLING_MODE,
            SessionTable.ESTIMATED_COST_USD,
            SessionTable.ACTUAL_COST_USD,
            SessionTable.COST_STATUS,
            SessionTable.COST_SOURCE,
            SessionTable.PRICING_VERSION);

    private static final int MOST_KNOWN = 1_000;

    private final Writer writer;
    private final Set<String> known = new HashSet<>();

    SessionWrites(Writer writer) {
        this.writer = writer;
    }

    @Override
    public boolean exists(SessionId session) throws SQLException {
        return exists(session.value());
    }

    boolean exists(String id) throws SQLException {
        if (known.contains(id)) {
            return true;
        }
        boolean found = isStored(id);
        if (found) {
            if (known.size() >= MOST_KNOWN) {
                known.clear();
            }
            known.add(id);
        }
        return found;
    }

    /** Forgets which sessions are stored: others may have removed them, or what stored them was taken back. */
    void forgetKnown() {
        known.clear();
    }

    private boolean isStored(String id) throws SQLException {
        return writer.statements()
                .any(
                        sql(
                                "session.exists",
                                dsl -> dsl.selectOne()
                                        .from(SessionTable.TABLE)
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        id);
    }

    @Override
    public boolean isTitleTaken(String title, SessionId by) throws SQLException {
        return writer.statements()
                .any(
                        sql(
                                "session.titled",
                                dsl -> dsl.selectOne()
                                        .from(SessionTable.TABLE)
                                        .where(SessionTable.TITLE.eq(value(SessionTable.TITLE)))
                                        .and(SessionTable.ID.ne(value(SessionTable.ID)))),
                        Unicode.wellFormed(title),
                        by.value());
    }

    static void refuse(Optional<String> why) throws RefusedChange {
        if (why.isPresent()) {
            throw new RefusedChange(why.get());
        }
    }

    void create(Session session, @Nullable Object[] row, double started, Optional<Encoding.Peer> peer)
            throws SQLException {
        String id = session.id().value();
        if (exists(id)) {
            return;
        }
        refuse(Refusals.ofNew(session, this));
        writer.statements()
                .update(
                        sql(
                                "session.insert",
                                dsl -> dsl.insertInto(SessionTable.TABLE, SessionTable.ALL)
                                        .values(Renderer.values(SessionTable.ALL))),
                        row);
        if (session.rewindCount() > 0) {
            writer.needHiding();
            writer.statements()
                    .update(
                            sql(
                                    "session.rewinds",
                                    dsl -> dsl.update(SessionTable.TABLE)
                                            .set(SessionTable.REWIND_COUNT, value(SessionTable.REWIND_COUNT))
                                            .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                            session.rewindCount(),
                            id);
        }
        if (session.archived()) {
            writer.needArchiving();
            writer.statements()
                    .update(
                            sql(
                                    "session.archive",
                                    dsl -> dsl.update(SessionTable.TABLE)
                                            .set(SessionTable.ARCHIVED, DSL.inline(1L))
                                            .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                            id);
        }
        writer.put(
                sql("extra.update", dsl -> Updates.allButKey(dsl, Sessions.TABLE, Sessions.ALL, Sessions.SESSION_ID)),
                sql("extra.insert", SessionWrites::insertExtra),
                new @Nullable Object[] {
                    id,
                    peer.map(Encoding.Peer::lane).orElse(null),
                    peer.map(Encoding.Peer::origin).orElse(null),
                    started
                },
                0);
    }

    private static Query insertExtra(DSLContext dsl) {
        return dsl.insertInto(Sessions.TABLE, Sessions.ALL).values(Renderer.values(Sessions.ALL));
    }

    void end(String id, double at, @Nullable String reason) throws SQLException {
        writer.statements()
                .update(
                        sql(
                                "session.end",
                                dsl -> dsl.update(SessionTable.TABLE)
                                        .set(SessionTable.ENDED_AT, value(SessionTable.ENDED_AT))
                                        .set(SessionTable.END_REASON, value(SessionTable.END_REASON))
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))
                                        .and(SessionTable.ENDED_AT.isNull())),
                        at,
                        reason,
                        id);
    }

    void reopen(String id) throws SQLException {
        writer.statements()
                .update(
                        sql(
                                "session.reopen",
                                dsl -> dsl.update(SessionTable.TABLE)
                                        .set(SessionTable.ENDED_AT, nothing(SessionTable.ENDED_AT))
                                        .set(SessionTable.END_REASON, nothing(SessionTable.END_REASON))
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        id);
    }

    void retitle(String id, SessionEdit.Retitle edit, @Nullable String title) throws SQLException {
        if (exists(id)) {
            refuse(Refusals.ofEdit(SessionId.of(id), edit, this));
            set(SessionTable.TITLE, id, title);
        }
    }

    void systemPrompt(String id, String text) throws SQLException {
        set(SessionTable.SYSTEM_PROMPT, id, text);
    }

    void model(String id, String model, boolean configured, @Nullable String config) throws SQLException {
        set(SessionTable.MODEL, id, model);
        if (configured) {
            set(SessionTable.MODEL_CONFIG, id, config);
        }
    }

    void parent(String id, SessionEdit.Parent edit, @Nullable String parent) throws SQLException {
        if (exists(id)) {
            refuse(Refusals.ofEdit(SessionId.of(id), edit, this));
            set(SessionTable.PARENT_SESSION_ID, id, parent);
        }
    }

    private void set(Field<String> column, String id, @Nullable String text) throws SQLException {
        writer.statements()
                .update(
                        sql(
                                "session.set." + column.getName(),
                                dsl -> dsl.update(SessionTable.TABLE)
                                        .set(column, value(column))
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        text,
                        id);
    }

    void peer(String id, Encoding.Peer peer) throws SQLException {
        if (!exists(id)) {
            return;
        }
        int updated = writer.statements()
                .update(
                        sql(
                                "extra.peer",
                                dsl -> dsl.update(Sessions.TABLE)
                                        .set(Sessions.LANE, value(Sessions.LANE))
                                        .set(Sessions.ORIGIN, value(Sessions.ORIGIN))
                                        .where(Sessions.SESSION_ID.eq(value(Sessions.SESSION_ID)))),
                        peer.lane(),
                        peer.origin(),
                        id);
        if (updated == 0) {
            writer.lastActive().renew(id);
            peer(id, peer);
        }
    }

    void counts(String id, long messages, long toolCalls) throws SQLException {
        writer.statements()
                .update(
                        sql(
                                "session.counts",
                                dsl -> dsl.update(SessionTable.TABLE)
                                        .set(SessionTable.MESSAGE_COUNT, value(SessionTable.MESSAGE_COUNT))
                                        .set(SessionTable.TOOL_CALL_COUNT, value(SessionTable.TOOL_CALL_COUNT))
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        messages,
                        toolCalls,
                        id);
    }

    /** Raises both counters; returns whether the session is there. */
    boolean count(String id, long messages, long toolCalls) throws SQLException {
        return writer.statements()
                        .update(
                                sql(
                                        "session.count",
                                        dsl -> dsl.update(SessionTable.TABLE)
                                                .set(SessionTable.MESSAGE_COUNT, raised(SessionTable.MESSAGE_COUNT))
                                                .set(SessionTable.TOOL_CALL_COUNT, raised(SessionTable.TOOL_CALL_COUNT))
                                                .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                                messages,
                                toolCalls,
                                id)
                > 0;
    }

    private static Field<Long> raised(Field<Long> counter) {
        return DSL.coalesce(counter, DSL.inline(0L)).plus(value(counter));
    }

    void countRewind(String id) throws SQLException {
        writer.statements()
                .update(
                        sql(
                                "session.rewind",
                                dsl -> dsl.update(SessionTable.TABLE)
                                        .set(
                                                SessionTable.REWIND_COUNT,
                                                DSL.coalesce(SessionTable.REWIND_COUNT, DSL.inline(0L))
                                                        .plus(DSL.inline(1L)))
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        id);
    }

    void addUsage(Change.AddUsage change) throws SQLException {
        String id = change.session().value();
        UsageUpdate update = change.usage();
        if (change.at().isPresent()) {
            Optional<UsageSlot.Key> slot = slot(id, change::slot);
            if (slot.isPresent()) {
                writer.upkeep().use(slot.get(), kept -> kept.plus(update));
            }
        }
        Optional<@Nullable Object[]> after = writer.statements()
                .first(
                        sql(
                                "session.usage",
                                dsl -> dsl.select(USAGE)
                                        .from(SessionTable.TABLE)
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        row -> {
                            TokenUsage tokens = update.applyTo(SessionRow.tokens(row));
                            Billing billing = update.applyTo(SessionRow.billing(row));
                            return new @Nullable Object[] {
                                tokens.input(),
                                tokens.output(),
                                tokens.cacheRead(),
                                tokens.cacheWrite(),
                                tokens.reasoning(),
                                update.applyTo(row.number(SessionTable.API_CALL_COUNT)),
                                text(row.optional(SessionTable.MODEL).or(update::model)),
                                text(billing.provider()),
                                text(billing.baseUrl()),
                                text(billing.mode()),
                                billing.estimatedCostUsd().orElse(null),
                                billing.actualCostUsd().orElse(null),
                                text(billing.costStatus()),
                                text(billing.costSource()),
                                text(billing.pricingVersion()),
                                id
                            };
                        },
                        id);
        if (after.isPresent()) {
            writer.statements().update(sql("session.usage.update", SessionWrites::updateUsage), after.get());
        }
    }

    /** Returns the slot that a session's source and model lead to; absent where there is no such session. */
    Optional<UsageSlot.Key> slot(String id, BiFunction<String, Optional<String>, Optional<UsageSlot.Key>> rule)
            throws SQLException {
        return writer.statements()
                .first(
                        sql(
                                "session.slot",
                                dsl -> dsl.select(SessionTable.SOURCE, SessionTable.MODEL)
                                        .from(SessionTable.TABLE)
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        row -> rule.apply(row.text(SessionTable.SOURCE), row.optional(SessionTable.MODEL)),
                        id)
                .flatMap(slot -> slot);
    }

    private static Query updateUsage(DSLContext dsl) {
        Map<Field<?>, Object> places = new LinkedHashMap<>();
        USAGE.forEach(column -> places.put(column, value(column)));
        return dsl.update(SessionTable.TABLE).set(places).where(SessionTable.ID.eq(value(SessionTable.ID)));
    }

    private static @Nullable String text(Optional<String> value) {
        return value.map(Unicode::wellFormed).orElse(null);
    }

    void delete(String id) throws SQLException {
        known.remove(id);
        writer.messages().insertHeldBack();
        writer.statements()
                .update(
                        sql(
                                "session.orphan",
                                dsl -> dsl.update(SessionTable.TABLE)
                                        .set(SessionTable.PARENT_SESSION_ID, nothing(SessionTable.PARENT_SESSION_ID))
                                        .where(SessionTable.PARENT_SESSION_ID.eq(
                                                value(SessionTable.PARENT_SESSION_ID)))),
                        id);
        if (!writer.engine().deleteMessages(writer.statements().connection(), id)) {
            writer.statements()
                    .update(
                            sql(
                                    "messages.delete",
                                    dsl -> dsl.deleteFrom(MessageTable.TABLE)
                                            .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))),
                            id);
        }
        writer.messages().deleteExtras(id);
        writer.statements()
                .update(
                        sql(
                                "extra.delete",
                                dsl -> dsl.deleteFrom(Sessions.TABLE)
                                        .where(Sessions.SESSION_ID.eq(value(Sessions.SESSION_ID)))),
                        id);
        writer.statements()
                .update(
                        sql(
                                "session.delete",
                                dsl -> dsl.deleteFrom(SessionTable.TABLE)
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        id);
    }

    private String sql(String name, java.util.function.Function<DSLContext, ? extends Query> statement) {
        return writer.renderer().sql(name, statement);
    }
}
