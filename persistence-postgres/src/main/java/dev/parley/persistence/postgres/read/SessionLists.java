package dev.parley.persistence.postgres.read;

import static dev.parley.persistence.postgres.statement.AnyOf.isAnyOf;
import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.text.Ascii;
import dev.parley.domain.transcript.Preview;
import dev.parley.persistence.postgres.json.ContentText;
import dev.parley.persistence.postgres.row.SessionRow;
import dev.parley.persistence.postgres.statement.Statements;
import dev.parley.persistence.postgres.table.MessageTable;
import dev.parley.persistence.postgres.table.SessionTables.Sessions;
import dev.parley.persistence.postgres.table.SessionTables.Use;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sql.statement.Time;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SelectField;
import org.jooq.SelectOnConditionStep;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/**
 * Lists of sessions: which rows they have, in which order, and what each row shows (storage 3.9). Walks an index from the greatest
 * row on, some rows at a time, until there is enough.
 */
final class SessionLists {
    private static final int FIRST = 40;
    private static final int MOST = 1_000;
    private static final int HOPS = 100;

    private static final Table<Record> PARENT = Sessions.TABLE.as("parent_session");
    private static final Field<String> PARENT_ID =
            DSL.field(DSL.name("parent_session", "id"), Sessions.ID.getDataType());
    private static final Field<Long> PARENT_ENDED =
            DSL.field(DSL.name("parent_session", "ended_at"), Sessions.ENDED_AT.getDataType());
    private static final Field<String> PARENT_REASON =
            DSL.field(DSL.name("parent_session", "end_reason"), Sessions.END_REASON.getDataType());
    private static final Field<Long> SHOWN_ENDED =
            DSL.field(DSL.name("parent_ended_at"), Sessions.ENDED_AT.getDataType());
    private static final Field<String> SHOWN_REASON =
            DSL.field(DSL.name("parent_end_reason"), Sessions.END_REASON.getDataType());
    private static final Field<Long> LIMIT = DSL.field("limit", Sessions.STARTED_AT.getDataType());

    private static final Comparator<Seen> NEWEST_FIRST = Comparator.comparing(
            Seen::session,
            Comparator.comparing(Session::startedAt).thenComparing(Session::id).reversed());
    private static final Comparator<Cursor> PLACES =
            Comparator.comparing(Cursor::at).thenComparing(Cursor::id);

    private final Renderer renderer;

    SessionLists(Renderer renderer) {
        this.renderer = renderer;
    }

    /**
     * A session on its way into a list.
     *
     * @param session the session
     * @param parentEnd how its parent ended; absent where it has not, or where there is none
     * @param lastActive when it was last active, in nanoseconds
     */
    private record Seen(Session session, Optional<Ending> parentEnd, long lastActive) {
        static Seen read(Row row) throws SQLException {
            OptionalLong ended = row.optionalNumber(SHOWN_ENDED);
            Optional<String> reason = row.optional(SHOWN_REASON);
            return new Seen(
                    SessionRow.read(row),
                    Time.ofNanos(ended).map(at -> new Ending(at, reason)),
                    row.number(Use.LAST_ACTIVE));
        }

        boolean continuesParent() {
            return session.parent().isPresent() && Lineage.continues(session, parentEnd);
        }
    }

    /** What passes the filters, from the offset on, until there is enough. */
    private static final class Window {
        private final SessionQuery query;
        private final long wanted;
        private final List<Seen> rows = new ArrayList<>();
        private int left;

        Window(SessionQuery query, int offset, long wanted) {
            this.query = query;
            this.left = offset;
            this.wanted = wanted;
        }

        boolean isFull() {
            return rows.size() >= wanted;
        }

        void offer(Seen seen) {
            if (!isFull() && passes(seen) && left-- <= 0) {
                rows.add(seen);
            }
        }

        private boolean passes(Seen seen) {
            Session session = seen.session();
            return (query.archived() || !session.archived())
                    && (query.children() || Lineage.standsAlone(session, seen.parentEnd()))
                    && query.source().filter(s -> !s.equals(session.source())).isEmpty()
                    && !query.exclude().contains(session.source())
                    && query.isInTime(session)
                    && (!query.titledOnly() || session.title().isPresent())
                    && query.text().filter(text -> !contains(session, text)).isEmpty()
                    && query.viewer().maySee(session);
        }

        private static boolean contains(Session session, String text) {
            String wanted = Ascii.lower(text);
            return Ascii.lower(session.id().value()).contains(wanted)
                    || session.title()
                            .filter(title -> Ascii.lower(title).contains(wanted))
                            .isPresent();
        }
    }

    List<SessionListing> list(Statements statements, SessionQuery query) throws SQLException {
        if (query.limit() == 0) {
            return List.of();
        }
        long wanted = query.limit() < 0 ? Long.MAX_VALUE : query.limit();
        Window window = new Window(query, Math.max(0, query.offset()), wanted);
        if (query.order() == SessionQuery.Order.STARTED) {
            byStart(statements, window, Optional.empty());
        } else {
            byActivity(statements, window, Optional.empty());
        }
        return shown(statements, window.rows, query);
    }

    Page<SessionListing> page(Statements statements, SessionQuery query, Optional<Cursor> after) throws SQLException {
        int limit = query.limit() < 0 ? Integer.MAX_VALUE - 1 : query.limit();
        Window window = new Window(query, 0, limit + 1L);
        if (query.order() == SessionQuery.Order.STARTED) {
            byStart(statements, window, after);
        } else {
            byActivity(statements, window, after);
        }
        return Page.of(shown(statements, window.rows, query), limit, row -> place(row, query.order()));
    }

    private static Cursor place(SessionListing row, SessionQuery.Order order) {
        return new Cursor(
                order == SessionQuery.Order.STARTED ? row.session().startedAt() : row.lastActive(),
                row.lineageRoot().orElse(row.session().id()).value());
    }

    private void byStart(Statements statements, Window window, Optional<Cursor> after) throws SQLException {
        Optional<String> source = window.query.source();
        long end = window.query.to().map(Time::nanos).orElse(Long.MAX_VALUE);
        long begin = window.query.from().map(Time::nanos).orElse(Long.MIN_VALUE);
        long time = after.map(cursor -> Time.nanos(cursor.at())).orElse(end);
        String id = after.map(Cursor::id).orElse("");
        for (int step = FIRST; !window.isFull(); step = Math.min(MOST, step * 2)) {
            List<@Nullable Object> values = new ArrayList<>();
            source.ifPresent(values::add);
            values.add(time);
            values.add(id);
            values.add((long) step);
            String sql = renderer.sql(
                    source.isPresent() ? "list.started.source" : "list.started",
                    dsl -> seen(dsl)
                            .where(source.isPresent() ? Sessions.SOURCE.eq(value(Sessions.SOURCE)) : DSL.noCondition())
                            .and(DSL.row(Sessions.STARTED_AT, Sessions.ID)
                                    .lt(DSL.row(value(Sessions.STARTED_AT), value(Sessions.ID))))
                            .orderBy(Sessions.STARTED_AT.desc(), Sessions.ID.desc())
                            .limit(value(LIMIT)));
            List<Seen> some = statements.list(sql, Seen::read, values.toArray());
            some.forEach(window::offer);
            if (some.size() < step) {
                return;
            }
            Session last = some.get(some.size() - 1).session();
            time = Time.nanos(last.startedAt());
            if (time < begin) {
                return;
            }
            id = last.id().value();
        }
    }

    /**
     * Walks by when sessions were last active. The first session of a chain that is met is the one that was active last, so it decides
     * the place of the whole chain; sessions of one time are sorted together.
     */
    private void byActivity(Statements statements, Window window, Optional<Cursor> after) throws SQLException {
        Set<SessionId> met = new HashSet<>();
        Optional<Seen> behind = after.isPresent() ? find(statements, after.get().id()) : Optional.empty();
        OptionalLong top = behind.isPresent()
                ? OptionalLong.of(ofChain(statements, behind.get()))
                : after.isPresent() ? OptionalLong.of(Time.nanos(after.get().at())) : OptionalLong.empty();
        long time = top.isPresent() && top.getAsLong() < Long.MAX_VALUE ? top.getAsLong() + 1 : Long.MAX_VALUE;
        String id = "";
        List<Seen> together = new ArrayList<>();
        for (int step = FIRST; !window.isFull(); step = Math.min(MOST, step * 2)) {
            String sql = renderer.sql(
                    "list.active",
                    dsl -> seen(dsl)
                            .where(DSL.row(Use.LAST_ACTIVE, Use.SESSION_ID)
                                    .lt(DSL.row(value(Use.LAST_ACTIVE), value(Use.SESSION_ID))))
                            .orderBy(Use.LAST_ACTIVE.desc(), Use.SESSION_ID.desc())
                            .limit(value(LIMIT)));
            List<Seen> some = statements.list(sql, Seen::read, time, id, (long) step);
            for (Seen each : some) {
                if (!together.isEmpty() && together.get(0).lastActive() != each.lastActive()) {
                    show(statements, window, together, met, after, behind, top);
                    together.clear();
                }
                together.add(each);
            }
            if (some.size() < step) {
                show(statements, window, together, met, after, behind, top);
                return;
            }
            Seen last = some.get(some.size() - 1);
            time = last.lastActive();
            id = last.session().id().value();
        }
    }

    private void show(
            Statements statements,
            Window window,
            List<Seen> together,
            Set<SessionId> met,
            Optional<Cursor> after,
            Optional<Seen> behind,
            OptionalLong top)
            throws SQLException {
        if (together.isEmpty()) {
            return;
        }
        long time = together.get(0).lastActive();
        List<Seen> rows = new ArrayList<>();
        for (Seen each : together) {
            chain(statements, each, met, rows);
        }
        rows.sort(NEWEST_FIRST);
        for (Seen row : rows) {
            if (window.isFull()) {
                return;
            }
            if (after.isEmpty() || isBehind(statements, row, time, after.get(), behind, top)) {
                window.offer(row);
            }
        }
    }

    private boolean isBehind(
            Statements statements, Seen row, long time, Cursor after, Optional<Seen> behind, OptionalLong top)
            throws SQLException {
        if (ofChain(statements, row) != time) {
            // Its chain was active later than this walk begins, so it stands on an earlier page.
            return false;
        }
        if (top.isEmpty() || time != top.getAsLong()) {
            return true;
        }
        if (behind.isPresent()) {
            return NEWEST_FIRST.compare(row, behind.get()) > 0;
        }
        return PLACES.compare(new Cursor(Time.ofNanos(time), row.session().id().value()), after) < 0;
    }

    /** Adds a session and those it goes on from. */
    private void chain(Statements statements, Seen last, Set<SessionId> met, List<Seen> rows) throws SQLException {
        Optional<Seen> each = Optional.of(last);
        for (int hop = 0; each.isPresent() && hop <= HOPS; hop++) {
            Seen seen = each.get();
            if (!met.add(seen.session().id())) {
                return;
            }
            rows.add(seen);
            each = seen.continuesParent()
                    ? find(
                            statements,
                            seen.session().parent().map(SessionId::value).orElse(""))
                    : Optional.empty();
        }
    }

    private long ofChain(Statements statements, Seen root) throws SQLException {
        if (!root.session().endedBy(Ending.COMPRESSION)) {
            return root.lastActive();
        }
        Instant latest =
                StatedFamily.ask(statements, this, family -> Lineage.lastActiveOfChain(root.session(), family));
        return Time.nanos(latest);
    }

    private SelectOnConditionStep<Record> seen(DSLContext dsl) {
        List<SelectField<?>> columns = new ArrayList<>(SessionRow.READ);
        columns.add(PARENT_ENDED.as(SHOWN_ENDED));
        columns.add(PARENT_REASON.as(SHOWN_REASON));
        return dsl.select(columns)
                .from(Sessions.TABLE)
                .join(Use.TABLE)
                .on(Use.SESSION_ID.eq(Sessions.ID))
                .leftJoin(PARENT)
                .on(PARENT_ID.eq(Sessions.PARENT));
    }

    private Optional<Seen> find(Statements statements, String id) throws SQLException {
        return statements.first(
                renderer.sql("list.one", dsl -> seen(dsl).where(Sessions.ID.eq(value(Sessions.ID)))), Seen::read, id);
    }

    Optional<Session> session(Statements statements, SessionId id) throws SQLException {
        return find(statements, id.value()).map(Seen::session);
    }

    List<Session> childrenOf(Statements statements, SessionId parent) throws SQLException {
        return statements.list(
                renderer.sql(
                        "list.children",
                        dsl -> PostgresSessions.sessions(dsl)
                                .where(Sessions.PARENT.eq(value(Sessions.PARENT)))
                                .orderBy(Sessions.STARTED_AT.desc(), Sessions.ID.desc())),
                SessionRow::read,
                parent.value());
    }

    Instant lastActive(Statements statements, Session session) throws SQLException {
        return Time.ofNanos(statements.number(
                renderer.sql(
                        "list.latest",
                        dsl -> dsl.select(Use.LAST_ACTIVE)
                                .from(Use.TABLE)
                                .where(Use.SESSION_ID.eq(value(Use.SESSION_ID)))),
                session.id().value()));
    }

    private List<SessionListing> shown(Statements statements, List<Seen> rows, SessionQuery query) throws SQLException {
        List<SessionListing> listings = new ArrayList<>();
        List<String> of = new ArrayList<>();
        for (Seen seen : rows) {
            Session session = seen.session();
            Session tip = query.children() || !query.project() ? session : tip(statements, session);
            boolean projected = !tip.id().equals(session.id()) && query.viewer().maySee(tip);
            of.add((projected ? tip : session).id().value());
            listings.add(new SessionListing(
                    projected ? Lineage.projected(session, tip) : session,
                    "",
                    projected ? lastActive(statements, tip) : Time.ofNanos(seen.lastActive()),
                    projected ? Optional.of(session.id()) : Optional.empty()));
        }
        Map<String, String> previews = previews(statements, of);
        List<SessionListing> whole = new ArrayList<>();
        for (int i = 0; i < listings.size(); i++) {
            SessionListing row = listings.get(i);
            whole.add(new SessionListing(
                    row.session(), previews.getOrDefault(of.get(i), ""), row.lastActive(), row.lineageRoot()));
        }
        return whole;
    }

    private Session tip(Statements statements, Session root) throws SQLException {
        if (!root.endedBy(Ending.COMPRESSION)) {
            return root;
        }
        return StatedFamily.ask(
                statements,
                this,
                family -> family.find(Lineage.compressionTip(root.id(), family)).orElse(root));
    }

    /** Reads how conversations begin: the earliest user message that has content and was not taken back. */
    private Map<String, String> previews(Statements statements, List<String> sessions) throws SQLException {
        Map<String, String> previews = new HashMap<>();
        if (sessions.isEmpty()) {
            return previews;
        }
        statements.each(
                renderer.sql("list.previews", SessionLists::beginnings),
                row -> previews.put(
                        row.text(MessageTable.SESSION_ID),
                        Preview.of(
                                ContentText.read(row.textOrNull(MessageTable.CONTENT), row.flag(MessageTable.PARTS)))),
                sessions);
        return previews;
    }

    private static org.jooq.Query beginnings(DSLContext dsl) {
        Table<?> first = DSL.lateral(dsl.select(
                        MessageTable.SESSION_ID,
                        DSL.when(MessageTable.PARTS, MessageTable.CONTENT)
                                .otherwise(DSL.left(MessageTable.CONTENT, DSL.inline(2 * Preview.READ)))
                                .as(MessageTable.CONTENT.getName()),
                        MessageTable.PARTS)
                .from(MessageTable.TABLE)
                .where(MessageTable.SESSION_ID.eq(Use.SESSION_ID))
                .and(MessageTable.ROLE.eq(DSL.inline("user")))
                .and(MessageTable.CONTENT.isNotNull())
                .and(MessageTable.STATE.ne(DSL.inline(MessageTable.REWOUND)))
                .orderBy(MessageTable.AT, MessageTable.SEQ)
                .limit(DSL.inline(1))
                .asTable("beginning"));
        return dsl.select(
                        DSL.field(DSL.name("beginning", "session_id")),
                        DSL.field(DSL.name("beginning", "content")),
                        DSL.field(DSL.name("beginning", "parts")))
                .from(Use.TABLE)
                .crossJoin(first)
                .where(isAnyOf(Use.SESSION_ID));
    }
}
