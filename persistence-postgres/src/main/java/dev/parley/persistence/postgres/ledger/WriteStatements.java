package dev.parley.persistence.postgres.ledger;

import static dev.parley.persistence.postgres.statement.AnyOf.isAnyOf;
import static dev.parley.persistence.sql.statement.Renderer.nothing;
import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.persistence.postgres.row.MessageRow;
import dev.parley.persistence.postgres.table.HoldTable;
import dev.parley.persistence.postgres.table.MessageTable;
import dev.parley.persistence.postgres.table.MetaTable;
import dev.parley.persistence.postgres.table.SessionTables.Sessions;
import dev.parley.persistence.postgres.table.SessionTables.Use;
import dev.parley.persistence.postgres.table.WriterTable;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.table.LaneTables.History;
import dev.parley.persistence.sql.table.LaneTables.Lanes;
import dev.parley.persistence.sql.table.QueueTables.Cursors;
import dev.parley.persistence.sql.table.QueueTables.Inbounds;
import dev.parley.persistence.sql.table.QueueTables.Outgoings;
import dev.parley.persistence.sql.table.QueueTables.Turns;
import dev.parley.persistence.sql.table.QueueTables.UsageSlots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** The texts of statements that store something. Each finds its row by a key. */
final class WriteStatements {
    private final Renderer renderer;

    WriteStatements(Renderer renderer) {
        this.renderer = renderer;
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return renderer.sql(name, statement);
    }

    /** An insert that becomes an update of all columns but the key where the key is stored. */
    private static Query upsert(DSLContext dsl, Table<Record> table, List<Field<?>> columns, List<Field<?>> key) {
        Map<Field<?>, Object> excluded = new LinkedHashMap<>();
        columns.stream()
                .filter(column -> !key.contains(column))
                .forEach(column -> excluded.put(column, DSL.excluded(column)));
        return dsl.insertInto(table, columns)
                .values(Renderer.values(columns))
                .onConflict(unqualified(key))
                .doUpdate()
                .set(excluded);
    }

    private static List<Field<?>> unqualified(List<Field<?>> fields) {
        List<Field<?>> plain = new ArrayList<>();
        fields.forEach(field -> plain.add(DSL.field(DSL.name(field.getName()), field.getDataType())));
        return plain;
    }

    private static Query insert(DSLContext dsl, Table<Record> table, List<Field<?>> columns) {
        return dsl.insertInto(table, columns).values(Renderer.values(columns));
    }

    String putHold() {
        return sql(
                "hold.put",
                dsl -> dsl.update(HoldTable.TABLE)
                        .set(HoldTable.LAST, value(HoldTable.LAST))
                        .set(HoldTable.HOLDER, value(HoldTable.HOLDER))
                        .set(HoldTable.TOKEN, value(HoldTable.TOKEN))
                        .where(HoldTable.LANE.eq(value(HoldTable.LANE))));
    }

    String putLane() {
        return sql("lane.put", dsl -> upsert(dsl, Lanes.TABLE, Lanes.ALL, List.of(Lanes.LANE)));
    }

    String removeLane() {
        return sql("lane.remove", dsl -> dsl.deleteFrom(Lanes.TABLE).where(Lanes.LANE.eq(value(Lanes.LANE))));
    }

    String putUse() {
        return sql("use.put", dsl -> {
            Map<Field<?>, Object> places = new LinkedHashMap<>();
            Use.ALL.stream().skip(1).forEach(column -> places.put(column, value(column)));
            return dsl.update(Use.TABLE).set(places).where(Use.SESSION_ID.eq(value(Use.SESSION_ID)));
        });
    }

    /** Asks the messages when the session was last active: some may be gone. */
    String renewUse() {
        return sql("use.renew", dsl -> {
            Field<Long> latest = DSL.field(dsl.select(DSL.max(MessageTable.AT))
                    .from(MessageTable.TABLE)
                    .where(MessageTable.SESSION_ID.eq(Use.SESSION_ID))
                    .and(MessageTable.STATE.ne(DSL.inline(MessageTable.REWOUND))));
            Field<Long> started = DSL.field(
                    dsl.select(Sessions.STARTED_AT).from(Sessions.TABLE).where(Sessions.ID.eq(Use.SESSION_ID)));
            return dsl.update(Use.TABLE)
                    .set(Use.LATEST, latest)
                    .set(Use.LAST_ACTIVE, DSL.coalesce(latest, started))
                    .where(Use.SESSION_ID.eq(value(Use.SESSION_ID)));
        });
    }

    String insertSession() {
        return sql("session.insert", dsl -> insert(dsl, Sessions.TABLE, Sessions.ALL));
    }

    String insertUse() {
        return sql("use.insert", dsl -> insert(dsl, Use.TABLE, Use.ALL));
    }

    String endSession() {
        return sql(
                "session.end",
                dsl -> dsl.update(Sessions.TABLE)
                        .set(Sessions.ENDED_AT, value(Sessions.ENDED_AT))
                        .set(Sessions.END_REASON, value(Sessions.END_REASON))
                        .where(Sessions.ID.eq(value(Sessions.ID)))
                        .and(Sessions.ENDED_AT.isNull()));
    }

    String reopenSession() {
        return sql(
                "session.reopen",
                dsl -> dsl.update(Sessions.TABLE)
                        .set(Sessions.ENDED_AT, nothing(Sessions.ENDED_AT))
                        .set(Sessions.END_REASON, nothing(Sessions.END_REASON))
                        .where(Sessions.ID.eq(value(Sessions.ID))));
    }

    String set(Field<String> column) {
        return sql(
                "session.set." + column.getName(),
                dsl -> dsl.update(Sessions.TABLE).set(column, value(column)).where(Sessions.ID.eq(value(Sessions.ID))));
    }

    String setPeer() {
        return sql(
                "session.peer",
                dsl -> dsl.update(Sessions.TABLE)
                        .set(Sessions.LANE, value(Sessions.LANE))
                        .set(Sessions.ORIGIN, value(Sessions.ORIGIN))
                        .where(Sessions.ID.eq(value(Sessions.ID))));
    }

    String orphan() {
        return sql(
                "session.orphan",
                dsl -> dsl.update(Sessions.TABLE)
                        .set(Sessions.PARENT, nothing(Sessions.PARENT))
                        .where(Sessions.PARENT.eq(value(Sessions.PARENT))));
    }

    String deleteMessages() {
        return sql(
                "message.delete",
                dsl -> dsl.deleteFrom(MessageTable.TABLE)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID))));
    }

    String deleteUse() {
        return sql("use.delete", dsl -> dsl.deleteFrom(Use.TABLE).where(Use.SESSION_ID.eq(value(Use.SESSION_ID))));
    }

    String deleteSession() {
        return sql("session.delete", dsl -> dsl.deleteFrom(Sessions.TABLE).where(Sessions.ID.eq(value(Sessions.ID))));
    }

    String hideMessages() {
        return sql(
                "message.hide",
                dsl -> dsl.update(MessageTable.TABLE)
                        .set(MessageTable.STATE, value(MessageTable.STATE))
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(isAnyOf(MessageTable.UID))
                        .and(MessageTable.STATE.eq(DSL.inline(MessageTable.ACTIVE))));
    }

    String deleteActive() {
        return sql(
                "message.delete.active",
                dsl -> dsl.deleteFrom(MessageTable.TABLE)
                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                        .and(MessageTable.STATE.eq(DSL.inline(MessageTable.ACTIVE))));
    }

    String insertMessage() {
        return sql("message.insert", dsl -> {
            List<Field<?>> columns = new ArrayList<>(MessageRow.INSERTED);
            List<Field<?>> values = new ArrayList<>(Renderer.values(columns));
            columns.add(MessageTable.TERMS);
            values.add(DSL.field("cast({0} as tsvector)", SQLDataType.OTHER, value(MessageTable.TERMS)));
            return dsl.insertInto(MessageTable.TABLE, columns).values(values);
        });
    }

    /** Counts stop at the greatest number there is; the database would refuse a sum beyond it. */
    String addUsage() {
        return sql("usage.add", dsl -> {
            Map<Field<?>, Object> sums = new LinkedHashMap<>();
            for (Field<?> column : UsageSlots.ALL.subList(3, UsageSlots.ALL.size())) {
                sums.put(
                        column,
                        column.equals(UsageSlots.COST_USD)
                                ? DSL.field("{0} + {1}", column.getDataType(), column, DSL.excluded(column))
                                : DSL.field(
                                        "least({0}, 9223372036854775807 - greatest({1}, 0)) + {1}",
                                        column.getDataType(), column, DSL.excluded(column)));
            }
            return dsl.insertInto(UsageSlots.TABLE, UsageSlots.ALL)
                    .values(Renderer.values(UsageSlots.ALL))
                    .onConflict(unqualified(UsageSlots.ALL.subList(0, 3)))
                    .doUpdate()
                    .set(sums);
        });
    }

    String putUsage() {
        return sql("usage.put", dsl -> upsert(dsl, UsageSlots.TABLE, UsageSlots.ALL, UsageSlots.ALL.subList(0, 3)));
    }

    String putInbound() {
        return sql(
                "inbound.put",
                dsl -> upsert(dsl, Inbounds.TABLE, Inbounds.ALL.subList(1, Inbounds.ALL.size()), List.of(Inbounds.ID)));
    }

    String putTurn() {
        return sql(
                "turn.put", dsl -> upsert(dsl, Turns.TABLE, Turns.ALL.subList(1, Turns.ALL.size()), List.of(Turns.ID)));
    }

    String putOutgoing() {
        return sql(
                "outgoing.put",
                dsl -> upsert(
                        dsl, Outgoings.TABLE, Outgoings.ALL.subList(1, Outgoings.ALL.size()), List.of(Outgoings.ID)));
    }

    String appendHistory() {
        return sql("history.append", dsl -> insert(dsl, History.TABLE, History.ALL.subList(1, History.ALL.size())));
    }

    String putMeta() {
        return sql("meta.put", dsl -> upsert(dsl, MetaTable.TABLE, MetaTable.ALL, List.of(MetaTable.KEY)));
    }

    String putCursor() {
        return sql(
                "cursor.put",
                dsl -> upsert(
                        dsl, Cursors.TABLE, Cursors.ALL, List.of(Cursors.PLATFORM, Cursors.ACCOUNT, Cursors.NAME)));
    }

    String removeCursor() {
        return sql(
                "cursor.remove",
                dsl -> dsl.deleteFrom(Cursors.TABLE)
                        .where(Cursors.PLATFORM.eq(value(Cursors.PLATFORM)))
                        .and(Cursors.ACCOUNT.eq(value(Cursors.ACCOUNT)))
                        .and(Cursors.NAME.eq(value(Cursors.NAME))));
    }

    /** The statements of a retention; each binds the limit. */
    List<String> forget() {
        return List.of(
                sql("turn.forget", dsl -> dsl.deleteFrom(Turns.TABLE).where(Turns.ENDED_AT.lt(value(Turns.ENDED_AT)))),
                sql(
                        "inbound.forget",
                        dsl -> dsl.deleteFrom(Inbounds.TABLE)
                                .where(Inbounds.RECEIVED_AT.lt(value(Inbounds.RECEIVED_AT)))
                                .and(Inbounds.STATE.in(DSL.inline("done"), DSL.inline("dropped")))),
                sql(
                        "outgoing.forget",
                        dsl -> dsl.deleteFrom(Outgoings.TABLE)
                                .where(Outgoings.CREATED_AT.lt(value(Outgoings.CREATED_AT)))
                                .and(Outgoings.STATE.notIn(DSL.inline("pending"), DSL.inline("attempted")))),
                sql(
                        "writer.forget",
                        dsl -> dsl.deleteFrom(WriterTable.TABLE).where(WriterTable.AT.lt(value(WriterTable.AT)))));
    }

    String forgetHistory() {
        return sql("history.forget", dsl -> dsl.deleteFrom(History.TABLE).where(History.AT.lt(value(History.AT))));
    }
}
