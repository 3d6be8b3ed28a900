package dev.parley.persistence.sql.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.OutgoingQuery;
import dev.parley.application.port.Page;
import dev.parley.application.port.TurnQuery;
import dev.parley.application.port.TurnQueue;
import dev.parley.domain.key.SessionKey;
import dev.parley.domain.source.Platform;
import dev.parley.domain.turn.Inbound;
import dev.parley.domain.turn.InboundId;
import dev.parley.domain.turn.Outgoing;
import dev.parley.domain.turn.OutgoingId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.domain.turn.Turn;
import dev.parley.domain.turn.TurnId;
import dev.parley.persistence.sql.row.InboundRow;
import dev.parley.persistence.sql.row.OutgoingRow;
import dev.parley.persistence.sql.row.TurnRow;
import dev.parley.persistence.sql.statement.Time;
import dev.parley.persistence.sql.table.Columns;
import dev.parley.persistence.sql.table.QueueTables.Inbounds;
import dev.parley.persistence.sql.table.QueueTables.Outgoings;
import dev.parley.persistence.sql.table.QueueTables.Turns;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Reads what is admitted, claimed and to be delivered; what is done is never read to find what is not. */
public final class SqlTurnQueue implements TurnQueue {
    private static final Param<String> ADMITTED = DSL.inline("admitted");
    private static final Param<String> CLAIMED = DSL.inline("claimed");

    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);

    private final RowReader reader;
    private final Table<?> ordinals;

    /**
     * Reads through this reader.
     *
     * @param ordinals the table that has the greatest ordinal ever given in each lane
     */
    public SqlTurnQueue(RowReader reader, Table<?> ordinals) {
        this.reader = reader;
        this.ordinals = ordinals;
    }

    @Override
    public List<Inbound> admitted() {
        String sql = sql(
                "inbound.admitted.all",
                dsl -> dsl.select(Inbounds.ALL)
                        .from(Inbounds.TABLE)
                        .where(Inbounds.STATE.eq(ADMITTED))
                        .orderBy(Inbounds.LANE, Inbounds.ORDINAL, Inbounds.SEQ));
        return reader.one(Inbounds.TABLE, statements -> statements.list(sql, InboundRow::read));
    }

    @Override
    public List<Inbound> admitted(SessionKey lane) {
        String sql = sql(
                "inbound.admitted.lane",
                dsl -> dsl.select(Inbounds.ALL)
                        .from(Inbounds.TABLE)
                        .where(Inbounds.STATE.eq(ADMITTED))
                        .and(Inbounds.LANE.eq(value(Inbounds.LANE)))
                        .orderBy(Inbounds.ORDINAL, Inbounds.SEQ));
        return reader.one(Inbounds.TABLE, statements -> statements.list(sql, InboundRow::read, lane.value()));
    }

    @Override
    public long lastOrdinal(SessionKey key) {
        Field<String> lane = Columns.text(ordinals, "lane");
        Field<Long> last = Columns.integer(ordinals, "last");
        String sql = sql("ordinals.last", dsl -> dsl.select(last).from(ordinals).where(lane.eq(value(lane))));
        return reader.one(ordinals, statements -> statements.number(sql, key.value()));
    }

    @Override
    public Optional<Inbound> inbound(InboundId id) {
        String sql = sql(
                "inbound.find",
                dsl -> dsl.select(Inbounds.ALL).from(Inbounds.TABLE).where(Inbounds.ID.eq(value(Inbounds.ID))));
        return reader.one(Inbounds.TABLE, statements -> statements.first(sql, InboundRow::read, id.value()));
    }

    @Override
    public Optional<Inbound> received(PlatformMessage message) {
        String sql = sql(
                "inbound.byMessage",
                dsl -> dsl.select(Inbounds.ALL)
                        .from(Inbounds.TABLE)
                        .where(Inbounds.PLATFORM.eq(value(Inbounds.PLATFORM)))
                        .and(Inbounds.CHAT_ID.eq(value(Inbounds.CHAT_ID)))
                        .and(Inbounds.MESSAGE_ID.eq(value(Inbounds.MESSAGE_ID)))
                        .orderBy(Inbounds.SEQ)
                        .limit(DSL.inline(1)));
        return reader.one(
                Inbounds.TABLE,
                statements -> statements.first(
                        sql, InboundRow::read, message.platform().name(), message.chatId(), message.messageId()));
    }

    @Override
    public List<Turn> claimed() {
        String sql = sql(
                "turns.claimed",
                dsl -> dsl.select(Turns.ALL)
                        .from(Turns.TABLE)
                        .where(Turns.STATE.eq(CLAIMED))
                        .orderBy(Turns.LANE, Turns.STARTED_AT, Turns.ID));
        return reader.one(Turns.TABLE, statements -> statements.list(sql, TurnRow::read));
    }

    @Override
    public List<Turn> claimed(SessionKey lane) {
        String sql = sql(
                "turns.claimed.lane",
                dsl -> dsl.select(Turns.ALL)
                        .from(Turns.TABLE)
                        .where(Turns.STATE.eq(CLAIMED))
                        .and(Turns.LANE.eq(value(Turns.LANE)))
                        .orderBy(Turns.STARTED_AT, Turns.ID));
        return reader.one(Turns.TABLE, statements -> statements.list(sql, TurnRow::read, lane.value()));
    }

    @Override
    public Optional<Turn> turn(TurnId id) {
        String sql =
                sql("turns.find", dsl -> dsl.select(Turns.ALL).from(Turns.TABLE).where(Turns.ID.eq(value(Turns.ID))));
        return reader.one(Turns.TABLE, statements -> statements.first(sql, TurnRow::read, id.value()));
    }

    @Override
    public List<Outgoing> undelivered() {
        String sql = sql(
                "outgoing.undelivered",
                dsl -> dsl.select(Outgoings.ALL)
                        .from(Outgoings.TABLE)
                        .where(Outgoings.STATE.in(DSL.inline("pending"), DSL.inline("attempted")))
                        .orderBy(Outgoings.SEQ));
        return reader.one(Outgoings.TABLE, statements -> statements.list(sql, OutgoingRow::read));
    }

    @Override
    public void forEach(Instant since, Consumer<Inbound> inbound, Consumer<Turn> turns, Consumer<Outgoing> outgoing) {
        String inbounds = sql(
                "inbound.since",
                dsl -> dsl.select(Inbounds.ALL)
                        .from(Inbounds.TABLE)
                        .where(Inbounds.RECEIVED_AT.ge(value(Inbounds.RECEIVED_AT)))
                        .orderBy(Inbounds.SEQ));
        String claims = sql(
                "turns.since",
                dsl -> dsl.select(Turns.ALL)
                        .from(Turns.TABLE)
                        .where(Turns.STARTED_AT.ge(value(Turns.STARTED_AT)))
                        .orderBy(Turns.SEQ));
        String sendings = sql(
                "outgoing.since",
                dsl -> dsl.select(Outgoings.ALL)
                        .from(Outgoings.TABLE)
                        .where(Outgoings.CREATED_AT.ge(value(Outgoings.CREATED_AT)))
                        .orderBy(Outgoings.SEQ));
        long from = Time.nanos(since);
        reader.walk(statements -> {
            statements.each(inbounds, row -> inbound.accept(InboundRow.read(row)), from);
            statements.each(claims, row -> turns.accept(TurnRow.read(row)), from);
            statements.each(sendings, row -> outgoing.accept(OutgoingRow.read(row)), from);
            return true;
        });
    }

    @Override
    public List<Outgoing> undelivered(SessionKey lane) {
        String sql = sql(
                "outgoing.undelivered.lane",
                dsl -> dsl.select(Outgoings.ALL)
                        .from(Outgoings.TABLE)
                        .where(Outgoings.LANE.eq(value(Outgoings.LANE)))
                        .and(Outgoings.STATE.in(DSL.inline("pending"), DSL.inline("attempted")))
                        .orderBy(Outgoings.SEQ));
        return reader.one(Outgoings.TABLE, statements -> statements.list(sql, OutgoingRow::read, lane.value()));
    }

    @Override
    public List<Outgoing> sentTo(Platform platform, String chatId, Optional<OutgoingId> after, int limit) {
        String from = sql(
                "outgoing.seq",
                dsl -> dsl.select(Outgoings.SEQ).from(Outgoings.TABLE).where(Outgoings.ID.eq(value(Outgoings.ID))));
        String sql = sql(
                "outgoing.sentTo",
                dsl -> dsl.select(Outgoings.ALL)
                        .from(Outgoings.TABLE)
                        .where(Outgoings.PLATFORM.eq(value(Outgoings.PLATFORM)))
                        .and(Outgoings.CHAT_ID.eq(value(Outgoings.CHAT_ID)))
                        .and(Outgoings.SEQ.gt(value(Outgoings.SEQ)))
                        .and(Outgoings.STATE.in(DSL.inline("attempted"), DSL.inline("delivered")))
                        .orderBy(Outgoings.SEQ)
                        .limit(value(LIMIT)));
        return reader.one(Outgoings.TABLE, statements -> {
            long behind =
                    after.isPresent() ? statements.number(from, after.get().value()) : 0;
            return statements.list(sql, OutgoingRow::read, platform.name(), chatId, behind, Math.max(0, limit));
        });
    }

    @Override
    public Page<Turn> turns(TurnQuery query) {
        Filter filter = new Filter("turns.page");
        query.lane().ifPresent(lane -> filter.equal(Turns.LANE, lane.value()));
        query.session().ifPresent(session -> filter.equal(Turns.SESSION_ID, session.value()));
        filter.oneOf(Turns.STATE, query.states());
        query.from().ifPresent(from -> filter.atLeast(Turns.STARTED_AT, Time.nanos(from)));
        query.after()
                .ifPresent(cursor -> filter.before(Turns.STARTED_AT, Time.nanos(cursor.at()), Turns.ID, cursor.id()));
        String sql = sql(
                filter.name(),
                dsl -> dsl.select(Turns.ALL)
                        .from(Turns.TABLE)
                        .where(filter.condition())
                        .orderBy(Turns.STARTED_AT.desc(), Turns.ID.desc())
                        .limit(value(LIMIT)));
        List<Turn> found = reader.one(
                Turns.TABLE, statements -> statements.list(sql, TurnRow::read, filter.values(query.limit() + 1L)));
        return Page.of(
                found,
                query.limit(),
                turn -> new Cursor(turn.startedAt(), turn.id().value()));
    }

    /** The order of storing is that of the rows' numbers; where the row a page ended with is forgotten, its time is asked. */
    @Override
    public Page<Outgoing> outgoing(OutgoingQuery query) {
        Filter filter = new Filter("outgoing.page");
        query.lane().ifPresent(lane -> filter.equal(Outgoings.LANE, lane.value()));
        query.platform().ifPresent(platform -> filter.equal(Outgoings.PLATFORM, platform.name()));
        filter.oneOf(Outgoings.STATE, query.states());
        query.from().ifPresent(from -> filter.atLeast(Outgoings.CREATED_AT, Time.nanos(from)));
        String last = sql(
                "outgoing.seq",
                dsl -> dsl.select(Outgoings.SEQ).from(Outgoings.TABLE).where(Outgoings.ID.eq(value(Outgoings.ID))));
        List<Outgoing> found = reader.one(Outgoings.TABLE, statements -> {
            if (query.after().isPresent()) {
                Cursor cursor = query.after().get();
                long row = statements.number(last, cursor.id());
                if (row > 0) {
                    filter.below(Outgoings.SEQ, row);
                } else {
                    filter.below(Outgoings.CREATED_AT, Time.nanos(cursor.at()));
                }
            }
            String sql = sql(
                    filter.name(),
                    dsl -> dsl.select(Outgoings.ALL)
                            .from(Outgoings.TABLE)
                            .where(filter.condition())
                            .orderBy(Outgoings.SEQ.desc())
                            .limit(value(LIMIT)));
            return statements.list(sql, OutgoingRow::read, filter.values(query.limit() + 1L));
        });
        return Page.of(
                found,
                query.limit(),
                message -> new Cursor(message.createdAt(), message.id().value()));
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return reader.sql(name, statement);
    }
}
