package dev.parley.persistence.sqlite.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.persistence.sqlite.read.SessionLists.Seen;
import dev.parley.persistence.sqlite.statement.Statements;
import dev.parley.persistence.sqlite.table.ExtraTables;
import dev.parley.persistence.sqlite.table.MessageTable;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.impl.DSL;

/**
 * Walks sessions by the latest activity of their chains and stops when enough is found. The index says of each session a time
 * that is never earlier than the truth; the truth is looked up on the way, so a session waits until nothing that is still to
 * come can be later; the order of sessions of one time is decided here, so the index need not be sorted. Rows that other systems wrote since the last commit here are looked up before.
 */
final class ActivityOrder {
    private static final int KNOWN_IN_A_ROW = 8;
    private static final int FEW = 100;
    private static final int HOPS = 100;
    static final Comparator<Seen> NEWEST_FIRST = Comparator.comparing(
            Seen::session,
            Comparator.comparing(Session::startedAt).thenComparing(Session::id).reversed());
    private static final Comparator<Seen> LATEST_FIRST =
            Comparator.comparingDouble(Seen::latest).reversed().thenComparing(NEWEST_FIRST);

    private static final Name NEWEST = DSL.name("newest");
    private static final Field<String> NEWEST_ID =
            DSL.field(DSL.name(NEWEST, DSL.name("id")), SessionTable.ID.getDataType());

    private final Statements statements;
    private final SessionLists lists;
    private final Optional<String> newestSessions;
    private final PriorityQueue<Seen> waiting = new PriorityQueue<>(LATEST_FIRST);
    private final Set<SessionId> queued = new HashSet<>();
    private final Set<SessionId> shown = new HashSet<>();

    ActivityOrder(Statements statements, SessionLists lists, Optional<String> newestSessions) {
        this.statements = statements;
        this.lists = lists;
        this.newestSessions = newestSessions;
    }

    /** Returns whether others have written what is not in the index yet. */
    boolean isToTakeIn() throws SQLException {
        return newestSessions.isPresent() && othersHaveWritten(newestSessions.get());
    }

    void walk(SessionLists.Window window) throws SQLException {
        if (newestSessions.isPresent() && othersHaveWritten(newestSessions.get())) {
            takeForeignSessions(newestSessions.get());
            takeForeignMessages();
        }
        boolean begun = window.isWide();
        String sql = lists.sql(
                begun ? "list.active.begun" : "list.active",
                dsl -> lists.seenByActivity(dsl, begun)
                        .where(ExtraTables.Sessions.LAST_ACTIVE.isNotNull())
                        .orderBy(ExtraTables.Sessions.LAST_ACTIVE.desc()));
        statements.walk(sql, row -> {
            double limit = row.real(ExtraTables.Sessions.LAST_ACTIVE);
            Optional<Seen> seen = Seen.read(row, begun);
            show(window, limit);
            seen.ifPresent(this::queue);
            return !window.isFull();
        });
        show(window, Double.NEGATIVE_INFINITY);
    }

    private void queue(Seen seen) {
        if (queued.add(seen.session().id())) {
            waiting.add(seen);
        }
    }

    /** Shows everything later than the limit: nothing that is still to come is. */
    private void show(SessionLists.Window window, double limit) throws SQLException {
        for (Seen next = waiting.peek(); next != null && !window.isFull(); next = waiting.peek()) {
            double time = next.latest();
            if (time <= limit && limit != Double.NEGATIVE_INFINITY) {
                return;
            }
            List<Seen> together = new ArrayList<>();
            while (next != null && next.latest() == time) {
                chain(waiting.remove(), together);
                next = waiting.peek();
            }
            together.sort(NEWEST_FIRST);
            together.forEach(window::offer);
        }
    }

    /** Adds a session and those it goes on from: the latest activity of any of them is that of the chain. */
    private void chain(Seen last, List<Seen> together) throws SQLException {
        Optional<Seen> each = Optional.of(last);
        for (int hop = 0; each.isPresent() && hop <= HOPS; hop++) {
            Seen seen = each.get();
            if (!shown.add(seen.session().id())) {
                return;
            }
            together.add(seen);
            each = seen.isContinuation()
                    ? lists.find(
                            statements,
                            seen.session().parent().map(SessionId::value).orElse(""))
                    : Optional.empty();
        }
    }

    private void takeForeignSessions(String newest) throws SQLException {
        List<String> unknown = new ArrayList<>();
        int[] known = {0};
        String isKnown = lists.sql(
                "list.known",
                dsl -> dsl.selectOne()
                        .from(ExtraTables.Sessions.TABLE)
                        .where(ExtraTables.Sessions.SESSION_ID.eq(value(ExtraTables.Sessions.SESSION_ID)))
                        .and(ExtraTables.Sessions.LAST_ACTIVE.isNotNull()));
        statements.walk(newest, row -> {
            String id = row.text(SessionTable.ID);
            if (statements.any(isKnown, id)) {
                known[0]++;
            } else {
                known[0] = 0;
                unknown.add(id);
            }
            return known[0] < KNOWN_IN_A_ROW && unknown.size() < FEW;
        });
        if (unknown.size() < FEW) {
            for (String id : unknown) {
                lists.find(statements, id).ifPresent(this::queue);
            }
        } else {
            takeAllUnknown();
        }
    }

    /** Asks in one statement, since the answer is nearly always no. */
    private boolean othersHaveWritten(String newest) throws SQLException {
        return statements.any(lists.sql(
                "list.foreign",
                dsl -> dsl.selectOne()
                        .from(DSL.table("(" + newest + " limit " + KNOWN_IN_A_ROW + ")")
                                .as(NEWEST))
                        .where(DSL.notExists(DSL.selectOne()
                                .from(ExtraTables.Sessions.TABLE)
                                .where(ExtraTables.Sessions.SESSION_ID.eq(NEWEST_ID))
                                .and(ExtraTables.Sessions.LAST_ACTIVE.isNotNull())))
                        .unionAll(dsl.selectOne().from(MessageTable.TABLE).where(isForeign()))));
    }

    /** A message above the last one that was written here. */
    private static Condition isForeign() {
        return MessageTable.ID.gt(DSL.coalesce(
                DSL.field(DSL.select(DSL.max(ExtraTables.Messages.MESSAGE_ROW)).from(ExtraTables.Messages.TABLE)),
                DSL.inline(0L)));
    }

    /** Nobody has indexed these: all of them are read, once per list, until the first commit here. */
    private void takeAllUnknown() throws SQLException {
        statements.each(
                lists.sql(
                        "list.unknown",
                        dsl -> lists.seen(dsl, false)
                                .where(ExtraTables.Sessions.LAST_ACTIVE.isNull())
                                .orderBy(SessionTable.ID)),
                row -> Seen.read(row, false).ifPresent(this::queue));
    }

    /** The rows above the last one written here: usually none, and never to be found by walking the others. */
    private void takeForeignMessages() throws SQLException {
        Set<String> touched = new LinkedHashSet<>();
        statements.each(
                lists.sql(
                        "list.touched",
                        dsl -> dsl.select(MessageTable.SESSION_ID)
                                .from(MessageTable.TABLE)
                                .where(isForeign())
                                .orderBy(MessageTable.ID)),
                row -> touched.add(row.text(MessageTable.SESSION_ID)));
        for (String id : touched) {
            lists.find(statements, id).ifPresent(this::queue);
        }
    }
}
