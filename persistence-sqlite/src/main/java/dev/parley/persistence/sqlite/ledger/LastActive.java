package dev.parley.persistence.sqlite.ledger;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.persistence.sqlite.table.ExtraTables.Messages;
import dev.parley.persistence.sqlite.table.ExtraTables.Sessions;
import dev.parley.persistence.sqlite.table.MessageTable;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;

/**
 * Keeps an index of when sessions were last active, so that lists by activity read only what they show. An entry is an upper bound of
 * the real time, and exact unless others take messages away; readers check the session, so a stale later value is harmless.
 *
 * <p>Rows that other systems write are taken in at the beginning of the next transaction here: messages above the last one
 * written here, and sessions above the last one known here.
 */
final class LastActive {
    private static final Table<Record> STARTED = SessionTable.TABLE.as("started");
    private static final Field<String> STARTED_ID = DSL.field(DSL.name("started", "id"), SessionTable.ID.getDataType());
    private static final Field<Double> STARTED_AT =
            DSL.field(DSL.name("started", "started_at"), SessionTable.STARTED_AT.getDataType());

    /** Known sessions passed on the way down before it is believed that all below are known too. */
    private static final int KNOWN_IN_A_ROW = 8;
    /** Unknown sessions above this number are taken in by one statement. */
    private static final int FEW = 100;

    private final Writer writer;

    LastActive(Writer writer) {
        this.writer = writer;
    }

    /** Takes in what others have written since the last transaction, where they may have written. */
    void begin(boolean othersWrote) throws SQLException {
        if (othersWrote) {
            takeInSessions();
            takeInMessages();
        }
    }

    /** Notes activity. Where the session is known to have been active later, or to have begun later, its messages tell. */
    void raise(String session, double at) throws SQLException {
        int raised = writer.statements()
                .update(
                        sql(
                                "active.raise",
                                dsl -> dsl.update(Sessions.TABLE)
                                        .set(Sessions.LAST_ACTIVE, value(Sessions.LAST_ACTIVE))
                                        .where(Sessions.SESSION_ID.eq(value(Sessions.SESSION_ID)))
                                        .and(Sessions.LAST_ACTIVE.le(value(Sessions.LAST_ACTIVE)))),
                        at,
                        session,
                        at);
        if (raised == 0) {
            renew(session);
        }
    }

    /** Computes the activity from the messages: some may be gone. Does nothing for a session that is not stored. */
    void renew(String session) throws SQLException {
        writer.messages().insertHeldBack();
        int renewed = writer.statements()
                .update(
                        sql(
                                "active.renew." + writer.hiding(),
                                dsl -> dsl.update(Sessions.TABLE)
                                        .set(Sessions.LAST_ACTIVE, latest(value(Sessions.SESSION_ID)))
                                        .where(Sessions.SESSION_ID.eq(value(Sessions.SESSION_ID)))),
                        session,
                        session,
                        session);
        if (renewed == 0) {
            writer.statements()
                    .update(
                            sql(
                                    "active.insert." + writer.hiding(),
                                    dsl -> dsl.insertInto(Sessions.TABLE, Sessions.SESSION_ID, Sessions.LAST_ACTIVE)
                                            .select(dsl.select(SessionTable.ID, latest(SessionTable.ID))
                                                    .from(SessionTable.TABLE)
                                                    .where(SessionTable.ID.eq(value(SessionTable.ID))))),
                            session);
        }
    }

    /** Returns the time of the session's latest message that was not taken back, else its start. */
    private Field<Double> latest(Field<String> session) {
        return DSL.coalesce(
                DSL.field(DSL.select(MessageTable.TIMESTAMP)
                        .from(MessageTable.TABLE)
                        .where(MessageTable.SESSION_ID.eq(session))
                        .and(notTakenBack())
                        .orderBy(MessageTable.TIMESTAMP.desc())
                        .limit(DSL.inline(1))),
                DSL.field(DSL.select(STARTED_AT).from(STARTED).where(STARTED_ID.eq(session))));
    }

    private Condition notTakenBack() {
        return writer.hiding()
                ? DSL.not(MessageTable.ACTIVE.eq(DSL.inline(0L)).and(MessageTable.COMPACTED.eq(DSL.inline(0L))))
                : DSL.noCondition();
    }

    private void takeInMessages() throws SQLException {
        long known = writer.statements()
                .number(sql(
                        "extras.last",
                        dsl -> dsl.select(DSL.max(Messages.MESSAGE_ROW)).from(Messages.TABLE)));
        List<Activity> foreign = writer.statements()
                .list(
                        sql(
                                "active.foreign",
                                dsl -> dsl.select(
                                                MessageTable.SESSION_ID,
                                                DSL.max(MessageTable.TIMESTAMP).as(MessageTable.TIMESTAMP.getName()))
                                        .from(MessageTable.TABLE)
                                        .where(MessageTable.ID.gt(value(MessageTable.ID)))
                                        .groupBy(MessageTable.SESSION_ID)),
                        row -> new Activity(row.text(MessageTable.SESSION_ID), row.real(MessageTable.TIMESTAMP)),
                        known);
        for (Activity activity : foreign) {
            raise(activity.session(), activity.at());
        }
    }

    private void takeInSessions() throws SQLException {
        int known = 0;
        int unknown = 0;
        List<String> newest = newestSessions();
        for (String session : newest) {
            if (isKnown(session)) {
                known++;
                if (known >= KNOWN_IN_A_ROW) {
                    return;
                }
            } else {
                known = 0;
                unknown++;
                renew(session);
            }
        }
        if (newest.size() == FEW && unknown > 0) {
            takeInAllSessions();
        }
    }

    private List<String> newestSessions() throws SQLException {
        return writer.statements().list(writer.engine().newestSessions(FEW), row -> row.text(SessionTable.ID));
    }

    private boolean isKnown(String session) throws SQLException {
        return writer.statements()
                .any(
                        sql(
                                "extra.known",
                                dsl -> dsl.selectOne()
                                        .from(Sessions.TABLE)
                                        .where(Sessions.SESSION_ID.eq(value(Sessions.SESSION_ID)))
                                        .and(Sessions.LAST_ACTIVE.isNotNull())),
                        session);
    }

    private void takeInAllSessions() throws SQLException {
        writer.statements()
                .update(sql(
                        "active.insert.all." + writer.hiding(),
                        dsl -> dsl.insertInto(Sessions.TABLE, Sessions.SESSION_ID, Sessions.LAST_ACTIVE)
                                .select(dsl.select(SessionTable.ID, latest(SessionTable.ID))
                                        .from(SessionTable.TABLE)
                                        .where(DSL.notExists(DSL.selectOne()
                                                .from(Sessions.TABLE)
                                                .where(Sessions.SESSION_ID.eq(SessionTable.ID)))))));
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return writer.renderer().sql(name, statement);
    }

    /** A session and the time of a message in it. */
    private record Activity(String session, double at) {}
}
