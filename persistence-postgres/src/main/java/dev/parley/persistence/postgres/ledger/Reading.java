package dev.parley.persistence.postgres.ledger;

import static dev.parley.persistence.postgres.statement.AnyOf.isAnyOf;
import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.domain.turn.Hold;
import dev.parley.domain.turn.LifeId;
import dev.parley.domain.turn.PlatformMessage;
import dev.parley.persistence.postgres.row.MessageRow;
import dev.parley.persistence.postgres.row.UseRow;
import dev.parley.persistence.postgres.statement.Script;
import dev.parley.persistence.postgres.table.HoldTable;
import dev.parley.persistence.postgres.table.MessageTable;
import dev.parley.persistence.postgres.table.SessionTables.Sessions;
import dev.parley.persistence.postgres.table.SessionTables.Use;
import dev.parley.persistence.postgres.table.WriterTable;
import dev.parley.persistence.sql.row.LaneRow;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.table.LaneTables.Lanes;
import dev.parley.persistence.sql.table.QueueTables.Inbounds;
import dev.parley.persistence.sql.table.QueueTables.Turns;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.SelectForUpdateStep;
import org.jooq.impl.DSL;

/**
 * The first round trip of a batch: begins the transaction, notes the writer's sequence, takes the locks in one order (writer, lanes
 * and sessions by their keys, the rest) and reads. Each statement sees what was committed before it, so what is read behind a lock is
 * what nobody else changes until the transaction ends.
 */
final class Reading {
    private final Renderer renderer;
    private final Needs needs;
    private final Known known = new Known();
    private boolean isNew;

    Reading(Renderer renderer, Needs needs) {
        this.renderer = renderer;
        this.needs = needs;
    }

    Known known() {
        return known;
    }

    /** Returns whether the batch was not applied before. */
    boolean isNew() {
        return isNew;
    }

    /** Returns whether every lane that is needed was locked. */
    boolean isLocked() {
        return known.holds.keySet().containsAll(needs.lanes);
    }

    /** Returns the round trip; {@code unknown} are lanes that may never have been locked before. */
    Script script(String writer, long sequence, long now, Collection<String> unknown) {
        Script script = new Script();
        script.add("begin");
        script.add(sql("writer.note", Reading::noteWriter), rows -> isNew = rows > 0, writer, sequence, now);
        for (String lane : unknown) {
            script.add(
                    sql(
                            "hold.make",
                            dsl -> dsl.insertInto(HoldTable.TABLE, HoldTable.LANE)
                                    .values(value(HoldTable.LANE))
                                    .onConflictDoNothing()),
                    lane);
        }
        locks(script);
        reads(script);
        return script;
    }

    private static Query noteWriter(DSLContext dsl) {
        return dsl.insertInto(WriterTable.TABLE, WriterTable.ALL)
                .values(Renderer.values(WriterTable.ALL))
                .onConflict(DSL.field(DSL.name(WriterTable.WRITER.getName())))
                .doUpdate()
                .set(WriterTable.SEQUENCE, DSL.excluded(WriterTable.SEQUENCE))
                .set(WriterTable.AT, DSL.excluded(WriterTable.AT))
                .where(WriterTable.SEQUENCE.lt(DSL.excluded(WriterTable.SEQUENCE)));
    }

    private void locks(Script script) {
        if (!needs.lanes.isEmpty()) {
            script.rows(
                    sql(
                            "hold.lock",
                            dsl -> dsl.select(HoldTable.ALL)
                                    .from(HoldTable.TABLE)
                                    .where(isAnyOf(HoldTable.LANE))
                                    .orderBy(HoldTable.LANE)
                                    .forNoKeyUpdate()),
                    row -> known.holds.put(
                            row.text(HoldTable.LANE),
                            new Known.Held(
                                    new Hold(
                                            row.optional(HoldTable.HOLDER).map(LifeId::new),
                                            row.number(HoldTable.TOKEN)),
                                    row.number(HoldTable.LAST))),
                    needs.lanes);
        }
        lock(script, "use.own", needs.owned, SelectForUpdateStep::forUpdate);
        lock(script, "use.change", needs.changed, SelectForUpdateStep::forNoKeyUpdate);
        lock(script, "use.keep", needs.kept, SelectForUpdateStep::forKeyShare);
    }

    private void lock(
            Script script,
            String name,
            Set<String> sessions,
            Function<SelectForUpdateStep<?>, ? extends Query> strength) {
        if (!sessions.isEmpty()) {
            script.rows(
                    sql(
                            name,
                            dsl -> strength.apply(dsl.select(Use.ALL)
                                    .from(Use.TABLE)
                                    .where(isAnyOf(Use.SESSION_ID))
                                    .orderBy(Use.SESSION_ID))),
                    row -> known.sessions.put(row.text(Use.SESSION_ID), UseRow.read(row)),
                    sessions);
        }
    }

    private void reads(Script script) {
        if (!needs.sources.isEmpty()) {
            script.rows(
                    sql(
                            "session.sources",
                            dsl -> dsl.select(Sessions.ID, Sessions.SOURCE, Sessions.MODEL)
                                    .from(Sessions.TABLE)
                                    .where(isAnyOf(Sessions.ID))),
                    row -> known.sources.put(
                            row.text(Sessions.ID),
                            new Known.Source(row.text(Sessions.SOURCE), row.optional(Sessions.MODEL))),
                    needs.sources);
        }
        if (!needs.entries.isEmpty()) {
            script.rows(
                    sql(
                            "lane.entries",
                            dsl -> dsl.select(Lanes.ALL).from(Lanes.TABLE).where(isAnyOf(Lanes.LANE))),
                    row -> known.lanes.put(row.text(Lanes.LANE), LaneRow.read(row)),
                    needs.entries);
        }
        if (!needs.titles.isEmpty()) {
            script.rows(
                    sql(
                            "session.titled",
                            dsl -> dsl.select(Sessions.ID, Sessions.TITLE)
                                    .from(Sessions.TABLE)
                                    .where(isAnyOf(Sessions.TITLE))),
                    row -> known.titles.put(row.text(Sessions.TITLE), row.text(Sessions.ID)),
                    needs.titles);
        }
        for (Map.Entry<String, Set<String>> each : needs.uids.entrySet()) {
            script.rows(
                    sql(
                            "message.states",
                            dsl -> dsl.select(MessageTable.UID, MessageTable.STATE)
                                    .from(MessageTable.TABLE)
                                    .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                                    .and(isAnyOf(MessageTable.UID))),
                    row -> known.messagesOf(each.getKey())
                            .put(row.text(MessageTable.UID), MessageRow.state(row.number(MessageTable.STATE))),
                    each.getKey(),
                    each.getValue());
        }
        for (String session : needs.current) {
            script.rows(
                    sql(
                            "lane.current",
                            dsl -> dsl.select(Lanes.SESSION_ID)
                                    .from(Lanes.TABLE)
                                    .where(Lanes.SESSION_ID.eq(value(Lanes.SESSION_ID)))
                                    .orderBy(Lanes.LANE)
                                    .limit(DSL.inline(1))),
                    row -> known.current.add(row.text(Lanes.SESSION_ID)),
                    session);
        }
        queue(script);
    }

    private void queue(Script script) {
        if (!needs.turns.isEmpty()) {
            script.rows(
                    sql(
                            "turn.claimed",
                            dsl -> dsl.select(Turns.ID, Turns.RUN, Turns.STATE)
                                    .from(Turns.TABLE)
                                    .where(isAnyOf(Turns.ID))
                                    .orderBy(Turns.ID)
                                    .forNoKeyUpdate()),
                    row -> {
                        if (row.text(Turns.STATE).equals("claimed")) {
                            known.claimed.put(row.text(Turns.ID), row.text(Turns.RUN));
                        }
                    },
                    needs.turns);
        }
        if (!needs.inbounds.isEmpty()) {
            script.rows(
                    sql(
                            "inbound.admitted",
                            dsl -> dsl.select(Inbounds.ID, Inbounds.STATE)
                                    .from(Inbounds.TABLE)
                                    .where(isAnyOf(Inbounds.ID))
                                    .orderBy(Inbounds.ID)
                                    .forNoKeyUpdate()),
                    row -> {
                        if (row.text(Inbounds.STATE).equals("admitted")) {
                            known.admitted.add(row.text(Inbounds.ID));
                        }
                    },
                    needs.inbounds);
        }
        for (PlatformMessage message : needs.received) {
            script.rows(
                    sql(
                            "inbound.received",
                            dsl -> dsl.select(Inbounds.ID)
                                    .from(Inbounds.TABLE)
                                    .where(Inbounds.PLATFORM.eq(value(Inbounds.PLATFORM)))
                                    .and(Inbounds.CHAT_ID.eq(value(Inbounds.CHAT_ID)))
                                    .and(Inbounds.MESSAGE_ID.eq(value(Inbounds.MESSAGE_ID)))),
                    row -> known.received.add(Known.name(message)),
                    message.platform().name(),
                    message.chatId(),
                    message.messageId());
        }
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return renderer.sql(name, statement);
    }
}
