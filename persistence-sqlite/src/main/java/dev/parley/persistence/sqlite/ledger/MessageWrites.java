package dev.parley.persistence.sqlite.ledger;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.domain.change.Refusals;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.transcript.MessageId;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sqlite.row.MessageRow;
import dev.parley.persistence.sqlite.table.ExtraTables.Messages;
import dev.parley.persistence.sqlite.table.MessageTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.InsertValuesStepN;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages. Row numbers are given here, above every number the table ever had: the file's own counter rises with them
 * (storage 1.2), and asking the database for each would cost another statement.
 *
 * <p>The rows themselves are held back and inserted some at a time, before the transaction ends and before anything else looks at them.
 * Between two statements SQLite writes what the search index has gathered, so messages of one statement cost it once.
 */
final class MessageWrites {
    private static final Condition VISIBLE = MessageTable.ACTIVE.isNull().or(MessageTable.ACTIVE.ne(DSL.inline(0L)));

    /** So many messages are inserted by one statement. */
    private static final int MOST_TOGETHER = 16;

    private final Writer writer;
    private final List<@Nullable Object[]> heldBack = new ArrayList<>(MOST_TOGETHER);
    private long lastRow = -1;

    MessageWrites(Writer writer) {
        this.writer = writer;
    }

    /** Forgets the last row number: others may have written. */
    void forgetLastRow() {
        lastRow = -1;
    }

    /** Forgets what a transaction, or the part of it that was taken back, has not inserted yet. */
    void forget() {
        heldBack.clear();
        forgetLastRow();
    }

    /** Inserts the messages that are held back; whoever reads or changes the table in another way calls this before. */
    void insertHeldBack() throws SQLException {
        if (heldBack.isEmpty()) {
            return;
        }
        int rows = heldBack.size();
        @Nullable Object[] values = heldBack.get(0);
        if (rows > 1) {
            int columns = values.length;
            values = new @Nullable Object[rows * columns];
            for (int i = 0; i < rows; i++) {
                System.arraycopy(heldBack.get(i), 0, values, i * columns, columns);
            }
        }
        heldBack.clear();
        writer.statements()
                .update(
                        sql(rows == 1 ? "message.insert" : "message.insert." + rows, dsl -> inserting(dsl, rows)),
                        values);
    }

    private static Query inserting(DSLContext dsl, int rows) {
        InsertValuesStepN<Record> insert = dsl.insertInto(MessageTable.TABLE, MessageTable.ALL);
        for (int i = 0; i < rows; i++) {
            insert = insert.values(Renderer.values(MessageTable.ALL));
        }
        return insert;
    }

    void append(String session, List<MessageRow> rows) throws SQLException {
        requireSession(session);
        Stored stored = store(session, rows);
        if (stored.messages() > 0) {
            writer.sessions().count(session, stored.messages(), stored.toolCalls());
            writer.lastActive().raise(session, stored.latest());
        }
    }

    void replace(String session, List<MessageRow> rows) throws SQLException {
        if (!writer.sessions().exists(session)) {
            if (rows.isEmpty()) {
                return;
            }
            requireSession(session);
        }
        insertHeldBack();
        writer.statements()
                .update(
                        sql(
                                writer.hiding() ? "extras.delete.active" : "extras.delete.all",
                                dsl -> dsl.deleteFrom(Messages.TABLE)
                                        .where(Messages.SESSION_ID.eq(value(Messages.SESSION_ID)))
                                        .and(Messages.MESSAGE_ROW.in(DSL.select(MessageTable.ID)
                                                .from(MessageTable.TABLE)
                                                .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                                                .and(visible())))),
                        session,
                        session);
        writer.statements()
                .update(
                        sql(
                                writer.hiding() ? "messages.delete.active" : "messages.delete.all",
                                dsl -> dsl.deleteFrom(MessageTable.TABLE)
                                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                                        .and(visible())),
                        session);
        Stored stored = store(session, rows);
        writer.sessions().counts(session, stored.messages(), stored.toolCalls());
        writer.lastActive().renew(session);
    }

    private Condition visible() {
        return writer.hiding() ? VISIBLE : DSL.noCondition();
    }

    void importAll(List<Encoding.ImportedRow> rows) throws SQLException {
        for (Encoding.ImportedRow each : rows) {
            requireSession(each.session());
            if (find(each.session(), each.row().uid()).isEmpty()) {
                if (!each.active()) {
                    writer.needHiding();
                }
                long row = insert(each.session(), each.row(), each.sequence());
                if (!each.active()) {
                    hide(row, each.compacted());
                }
                if (each.active() || each.compacted()) {
                    writer.lastActive().raise(each.session(), each.row().at());
                }
            }
        }
    }

    void hide(String session, List<String> uids, boolean compacted) throws SQLException {
        writer.needHiding();
        for (String uid : uids) {
            OptionalLong row = find(session, uid);
            if (row.isPresent()) {
                hide(row.getAsLong(), compacted);
            }
        }
        if (!compacted) {
            writer.sessions().countRewind(session);
            writer.lastActive().renew(session);
        }
    }

    private void hide(long row, boolean compacted) throws SQLException {
        insertHeldBack();
        writer.statements()
                .update(
                        sql(
                                "message.hide",
                                dsl -> dsl.update(MessageTable.TABLE)
                                        .set(MessageTable.ACTIVE, DSL.inline(0L))
                                        .set(MessageTable.COMPACTED, value(MessageTable.COMPACTED))
                                        .where(MessageTable.ID.eq(value(MessageTable.ID)))
                                        .and(VISIBLE)),
                        compacted,
                        row);
    }

    void deleteExtras(String session) throws SQLException {
        writer.statements()
                .update(
                        sql(
                                "extras.delete",
                                dsl -> dsl.deleteFrom(Messages.TABLE)
                                        .where(Messages.SESSION_ID.eq(value(Messages.SESSION_ID)))),
                        session);
    }

    private void requireSession(String session) throws SQLException {
        SessionWrites.refuse(Refusals.ofMessages(SessionId.of(session), writer.sessions()));
    }

    /** Returns the row of the session's message with this id; absent where there is none. */
    private OptionalLong find(String session, String uid) throws SQLException {
        OptionalLong known = writer.statements()
                .first(
                        sql(
                                "extras.find",
                                dsl -> dsl.select(Messages.MESSAGE_ROW)
                                        .from(Messages.TABLE)
                                        .where(Messages.SESSION_ID.eq(value(Messages.SESSION_ID)))
                                        .and(Messages.UID.eq(value(Messages.UID)))),
                        row -> row.optionalNumber(Messages.MESSAGE_ROW),
                        session,
                        uid)
                .orElse(OptionalLong.empty());
        if (known.isPresent()) {
            return isThere(session, known.getAsLong()) ? known : forgotten(known.getAsLong());
        }
        long number = new MessageId(uid).row();
        return number >= 0 && isUnnamed(session, number) ? OptionalLong.of(number) : known;
    }

    private boolean isThere(String session, long row) throws SQLException {
        insertHeldBack();
        return writer.statements()
                .any(
                        sql(
                                "message.there",
                                dsl -> dsl.selectOne()
                                        .from(MessageTable.TABLE)
                                        .where(MessageTable.ID.eq(value(MessageTable.ID)))
                                        .and(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))),
                        row,
                        session);
    }

    /** Another system has deleted the message: what was kept beside it goes too. */
    private OptionalLong forgotten(long row) throws SQLException {
        writer.statements()
                .update(
                        sql(
                                "extras.forget",
                                dsl -> dsl.deleteFrom(Messages.TABLE)
                                        .where(Messages.MESSAGE_ROW.eq(value(Messages.MESSAGE_ROW)))),
                        row);
        return OptionalLong.empty();
    }

    /** Returns whether a row of the session is known by its number alone, because another system wrote it. */
    private boolean isUnnamed(String session, long row) throws SQLException {
        insertHeldBack();
        return writer.statements()
                .any(
                        sql(
                                "message.unnamed",
                                dsl -> dsl.selectOne()
                                        .from(MessageTable.TABLE)
                                        .where(MessageTable.ID.eq(value(MessageTable.ID)))
                                        .and(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                                        .and(DSL.notExists(DSL.selectOne()
                                                .from(Messages.TABLE)
                                                .where(Messages.MESSAGE_ROW.eq(MessageTable.ID))
                                                .and(Messages.SESSION_ID.eq(MessageTable.SESSION_ID))))),
                        row,
                        session);
    }

    private Stored store(String session, List<MessageRow> rows) throws SQLException {
        long messages = 0;
        long toolCalls = 0;
        double latest = Double.NEGATIVE_INFINITY;
        for (MessageRow row : rows) {
            if (find(session, row.uid()).isEmpty()) {
                insert(session, row, 0);
                messages++;
                toolCalls += row.toolCalls();
                latest = Math.max(latest, row.at());
            }
        }
        return new Stored(messages, toolCalls, latest);
    }

    /** Stores a message under the number it wants, where that rises above every number there was, else under the next. */
    private long insert(String session, MessageRow message, long wanted) throws SQLException {
        if (lastRow < 0) {
            lastRow = writer.engine().lastMessageRow(writer.statements());
        }
        long row = wanted > lastRow && wanted <= StoredMessage.HIGHEST_KEPT ? wanted : lastRow + 1;
        lastRow = row;
        heldBack.add(message.values(row, session));
        if (heldBack.size() == MOST_TOGETHER) {
            insertHeldBack();
        }
        writer.statements()
                .update(
                        sql(
                                "extra.message.insert",
                                dsl -> dsl.insertInto(Messages.TABLE, Messages.ALL)
                                        .values(Renderer.values(Messages.ALL))),
                        row,
                        message.uid(),
                        session,
                        message.platformMessageId(),
                        message.kind());
        return row;
    }

    private String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return writer.renderer().sql(name, statement);
    }

    /** What was stored: how many messages, how many tool calls they add, and the time of the latest. */
    private record Stored(long messages, long toolCalls, double latest) {}
}
