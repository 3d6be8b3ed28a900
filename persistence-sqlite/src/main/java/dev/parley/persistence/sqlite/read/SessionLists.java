package dev.parley.persistence.sqlite.read;

import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.Cursor;
import dev.parley.application.port.Page;
import dev.parley.application.port.SessionListing;
import dev.parley.application.port.SessionQuery;
import dev.parley.domain.session.Ending;
import dev.parley.domain.session.Lineage;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.text.Ascii;
import dev.parley.domain.text.Unicode;
import dev.parley.domain.transcript.Preview;
import dev.parley.persistence.sql.statement.Renderer;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sqlite.json.ContentText;
import dev.parley.persistence.sqlite.row.SessionRow;
import dev.parley.persistence.sqlite.statement.Seconds;
import dev.parley.persistence.sqlite.statement.Statements;
import dev.parley.persistence.sqlite.table.ExtraTables;
import dev.parley.persistence.sqlite.table.MessageTable;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.SelectField;
import org.jooq.SelectOnConditionStep;
import org.jooq.Table;
import org.jooq.impl.DSL;

/** Lists of sessions: which rows they have, in which order, and what each row shows (storage 3.9). */
public final class SessionLists {
    private static final Table<Record> PARENT = SessionTable.TABLE.as("parent");
    private static final Field<String> PARENT_ID = DSL.field(DSL.name("parent", "id"), SessionTable.ID.getDataType());
    private static final Field<String> PARENT_REASON =
            DSL.field(DSL.name("parent", "end_reason"), SessionTable.END_REASON.getDataType());
    private static final Field<Double> PARENT_ENDED =
            DSL.field(DSL.name("parent", "ended_at"), SessionTable.ENDED_AT.getDataType());
    private static final Field<String> SHOWN_REASON =
            DSL.field(DSL.name("parent_end_reason"), SessionTable.END_REASON.getDataType());
    private static final Field<Double> SHOWN_ENDED =
            DSL.field(DSL.name("parent_ended_at"), SessionTable.ENDED_AT.getDataType());
    private static final Field<Double> LATEST = DSL.field(DSL.name("latest"), MessageTable.TIMESTAMP.getDataType());
    private static final Field<String> BEGINNING = DSL.field(DSL.name("beginning"), MessageTable.CONTENT.getDataType());

    /** So many previews are read by one statement: as many as a list usually has rows. */
    private static final int TOGETHER = 20;

    private static final Name WANTED = DSL.name("wanted");
    private static final Field<String> WANTED_ID =
            DSL.field(DSL.name(WANTED, DSL.name("id")), SessionTable.ID.getDataType());

    private static final Condition NOT_TAKEN_BACK =
            DSL.not(MessageTable.ACTIVE.eq(DSL.inline(0L)).and(MessageTable.COMPACTED.eq(DSL.inline(0L))));

    private static final Condition BEHIND = DSL.row(SessionTable.STARTED_AT, SessionTable.ID)
            .lt(DSL.row(value(SessionTable.STARTED_AT), value(SessionTable.ID)));

    private static final Condition NOT_BEFORE = SessionTable.STARTED_AT.ge(value(SessionTable.STARTED_AT));
    private static final Condition NOT_LATER = SessionTable.STARTED_AT.le(value(SessionTable.STARTED_AT));

    /** Written so that the index of sources is not used: it has another order, in which all of them would have to be read. */
    private static final Condition AMONG_MANY =
            DSL.coalesce(SessionTable.SOURCE, DSL.inline("")).eq(value(SessionTable.SOURCE));

    private final Renderer renderer;
    private final Optional<String> newestSessions;

    /**
     * Lists what this renderer's statements find.
     *
     * @param newestSessions selects the ids of all sessions, the last inserted first; absent where nobody else writes
     */
    public SessionLists(Renderer renderer, Optional<String> newestSessions) {
        this.renderer = renderer;
        this.newestSessions = newestSessions;
    }

    /**
     * A session on its way into a list.
     *
     * @param session the session
     * @param parentEnd how its parent ended; absent where it has not, or where there is none
     * @param latest when it was last active
     * @param preview how its conversation begins; absent where that was not read
     */
    record Seen(Session session, Optional<Ending> parentEnd, double latest, Optional<String> preview) {
        boolean isContinuation() {
            return session.parent().isPresent() && Lineage.continues(session, parentEnd);
        }

        boolean isRow() {
            return Lineage.standsAlone(session, parentEnd);
        }

        static Optional<Seen> read(Row row, boolean begun) throws SQLException {
            Optional<Session> session = SessionRow.read(row);
            if (session.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(new Seen(
                    session.get(),
                    session.get().parent().isEmpty() ? Optional.empty() : parentEnd(row),
                    row.real(LATEST),
                    begun ? Optional.of(SessionLists.preview(row)) : Optional.empty()));
        }

        private static Optional<Ending> parentEnd(Row row) throws SQLException {
            OptionalDouble at = row.optionalReal(SHOWN_ENDED);
            return at.isPresent()
                    ? Optional.of(Ending.of(Seconds.read(at.getAsDouble()), row.text(SHOWN_REASON)))
                    : Optional.empty();
        }
    }

    List<SessionListing> list(Statements statements, SessionQuery query) throws SQLException {
        if (query.limit() == 0) {
            return List.of();
        }
        Window window = new Window(query);
        Optional<SourceSessions> few = SourceSessions.few(statements, this, query);
        if (few.isPresent()) {
            few.get().walk(window, Optional.empty());
        } else if (query.order() == SessionQuery.Order.STARTED) {
            byStart(statements, query, window, Optional.empty());
        } else {
            new ActivityOrder(statements, this, newestSessions).walk(window);
        }
        return listings(statements, window.rows, query);
    }

    /**
     * Returns a page of a list: it begins at its place in the index that has the order, so a page far behind costs what the first one
     * does. Absent where rows of others are not in that index yet.
     */
    Optional<Page<SessionListing>> page(Statements statements, SessionQuery query, Optional<Cursor> after)
            throws SQLException {
        int limit = query.limit() < 0 ? Integer.MAX_VALUE - 1 : query.limit();
        Window window = new Window(query.window(limit + 1, 0));
        boolean byStart = query.order() == SessionQuery.Order.STARTED;
        Optional<SourceSessions> few = SourceSessions.few(statements, this, query);
        List<Cursor> places = new ArrayList<>();
        if (few.isPresent()) {
            places = few.get().walk(window, after);
        } else if (byStart) {
            byStart(statements, query, window, after);
        } else {
            ActivityOrder order = new ActivityOrder(statements, this, newestSessions);
            if (order.isToTakeIn()) {
                return Optional.empty();
            }
            places = new ActivityPages(statements, this).walk(window, after);
        }
        List<Seen> rows = window.rows.subList(0, Math.min(window.rows.size(), limit));
        Optional<Cursor> next = Optional.empty();
        if (window.rows.size() > limit && limit > 0) {
            Seen last = rows.get(limit - 1);
            next = Optional.of(
                    byStart
                            ? new Cursor(
                                    last.session().startedAt(),
                                    last.session().id().value())
                            : places.get(limit - 1));
        }
        return Optional.of(new Page<>(listings(statements, rows, query), next));
    }

    private List<SessionListing> listings(Statements statements, List<Seen> rows, SessionQuery query)
            throws SQLException {
        List<Shown> shown = new ArrayList<>();
        for (Seen seen : rows) {
            shown.add(shown(statements, seen, query));
        }
        Map<SessionId, String> previews = previews(statements, shown);
        return shown.stream()
                .map(each -> each.listing(previews.getOrDefault(each.session().id(), "")))
                .toList();
    }

    /**
     * A row of a list.
     *
     * @param session what the row says
     * @param lastActive when it was last active
     * @param root the session whose continuation is shown, where it is
     * @param preview how the conversation begins, where that was read
     */
    private record Shown(Session session, Instant lastActive, Optional<SessionId> root, Optional<String> preview) {
        SessionListing listing(String otherwise) {
            return new SessionListing(session, preview.orElse(otherwise), lastActive, root);
        }
    }

    /** What passes the filters, from the offset on, until the limit is reached. */
    static final class Window {
        private final SessionQuery query;
        private final List<Seen> rows = new ArrayList<>();
        private int passed;

        Window(SessionQuery query) {
            this.query = query;
        }

        /** Returns whether nearly every session passes, so that its beginning may be read with it. */
        boolean isWide() {
            return query.text().isEmpty()
                    && query.from().isEmpty()
                    && query.to().isEmpty()
                    && !query.titledOnly()
                    && query.viewer() instanceof Viewer.Operator;
        }

        boolean isFull() {
            return query.limit() >= 0 && rows.size() >= query.limit();
        }

        /** Returns whether the session has become a row. */
        boolean offer(Seen seen) {
            if (!isFull() && passes(seen) && ++passed > query.offset()) {
                rows.add(seen);
                return true;
            }
            return false;
        }

        private boolean passes(Seen seen) {
            Session session = seen.session();
            return (query.archived() || !session.archived())
                    && (query.children() || seen.isRow())
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

    private void byStart(Statements statements, SessionQuery query, Window window, Optional<Cursor> after)
            throws SQLException {
        boolean one = query.source().isPresent();
        boolean begun = window.isWide();
        // Behind a place, the end of the time is left to the window: the place is before it.
        Optional<Instant> to = after.isPresent() ? Optional.empty() : query.to();
        String sql = sql(
                "list.started" + (after.isPresent() ? ".after" : "")
                        + (query.from().isPresent() ? ".from" : "")
                        + (to.isPresent() ? ".to" : "")
                        + (one ? ".among" : "")
                        + (begun ? ".begun" : ""),
                dsl -> seen(dsl, begun)
                        .where(after.isPresent() ? BEHIND : DSL.noCondition())
                        .and(query.from().isPresent() ? NOT_BEFORE : DSL.noCondition())
                        .and(to.isPresent() ? NOT_LATER : DSL.noCondition())
                        .and(one ? AMONG_MANY : DSL.noCondition())
                        .orderBy(SessionTable.STARTED_AT.desc(), SessionTable.ID.desc()));
        List<Object> values = new ArrayList<>();
        if (after.isPresent()) {
            values.add(started(statements, after.get()));
            values.add(Unicode.wellFormed(after.get().id()));
        }
        query.from().map(Seconds::write).ifPresent(values::add);
        to.map(Seconds::write).ifPresent(values::add);
        query.source().map(Unicode::wellFormed).ifPresent(values::add);
        statements.walk(
                sql,
                row -> {
                    Seen.read(row, begun).ifPresent(window::offer);
                    return !window.isFull();
                },
                values.toArray());
    }

    /** Returns when the session of a place began, as it is stored: a column may have more digits than a place. */
    double started(Statements statements, Cursor place) throws SQLException {
        return statements
                .first(
                        sql(
                                "list.started.of",
                                dsl -> dsl.select(SessionTable.STARTED_AT)
                                        .from(SessionTable.TABLE)
                                        .where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        row -> row.real(SessionTable.STARTED_AT),
                        Unicode.wellFormed(place.id()))
                .filter(at -> Seconds.read(at).equals(place.at()))
                .orElseGet(() -> Seconds.write(place.at()));
    }

    /** Begins a select of sessions with their parents' ends, their latest activity and, where wanted, their beginnings. */
    SelectOnConditionStep<Record> seen(DSLContext dsl, boolean begun) {
        return dsl.select(columns(begun))
                .from(SessionTable.TABLE)
                .leftJoin(ExtraTables.Sessions.TABLE)
                .on(ExtraTables.Sessions.SESSION_ID.eq(SessionTable.ID))
                .leftJoin(PARENT)
                .on(PARENT_ID.eq(SessionTable.PARENT_SESSION_ID));
    }

    /** Begins a select of the sessions that are indexed by activity, in the order of that index. */
    SelectOnConditionStep<Record> seenByActivity(DSLContext dsl, boolean begun) {
        return dsl.select(columns(begun))
                .select(ExtraTables.Sessions.LAST_ACTIVE)
                .from(ExtraTables.Sessions.TABLE)
                .join(SessionTable.TABLE)
                .on(SessionTable.ID.eq(ExtraTables.Sessions.SESSION_ID))
                .leftJoin(PARENT)
                .on(PARENT_ID.eq(SessionTable.PARENT_SESSION_ID));
    }

    private List<SelectField<?>> columns(boolean begun) {
        List<SelectField<?>> columns = new ArrayList<>(SessionRow.READ);
        columns.add(PARENT_REASON.as(SHOWN_REASON));
        columns.add(PARENT_ENDED.as(SHOWN_ENDED));
        columns.add(latest().as(LATEST));
        if (begun) {
            columns.add(beginningOf(SessionTable.ID).as(BEGINNING));
        }
        return columns;
    }

    /** When a session was last active, from its own messages. */
    static Field<Double> latest() {
        return DSL.coalesce(
                DSL.field(DSL.select(MessageTable.TIMESTAMP)
                        .from(MessageTable.TABLE)
                        .where(MessageTable.SESSION_ID.eq(SessionTable.ID))
                        .and(NOT_TAKEN_BACK)
                        .orderBy(MessageTable.TIMESTAMP.desc(), MessageTable.ID.desc())
                        .limit(DSL.inline(1))),
                SessionTable.STARTED_AT);
    }

    Optional<Seen> find(Statements statements, String id) throws SQLException {
        return find(statements, id, false);
    }

    /** Finds a session, with its beginning where that is wanted. */
    Optional<Seen> find(Statements statements, String id, boolean begun) throws SQLException {
        return statements
                .first(
                        sql(
                                begun ? "list.one.begun" : "list.one",
                                dsl -> seen(dsl, begun).where(SessionTable.ID.eq(value(SessionTable.ID)))),
                        row -> Seen.read(row, begun),
                        id)
                .flatMap(found -> found);
    }

    private Shown shown(Statements statements, Seen seen, SessionQuery query) throws SQLException {
        Session session = seen.session();
        Session tip = query.children() || !query.project() ? session : tip(statements, session);
        boolean projected = !tip.id().equals(session.id()) && query.viewer().maySee(tip);
        return new Shown(
                projected ? Lineage.projected(session, tip) : session,
                projected ? lastActive(statements, tip) : Seconds.read(seen.latest()),
                projected ? Optional.of(session.id()) : Optional.empty(),
                projected ? Optional.empty() : seen.preview());
    }

    private Session tip(Statements statements, Session root) throws SQLException {
        if (!root.endedBy(Ending.COMPRESSION)) {
            return root;
        }
        StatedFamily family = new StatedFamily(statements, this);
        return family.find(Lineage.compressionTip(root.id(), family)).orElse(root);
    }

    List<Session> childrenOf(Statements statements, SessionId parent) throws SQLException {
        List<Session> children = new ArrayList<>();
        statements.each(
                sql(
                        "list.children",
                        dsl -> SqliteSessions.sessions(dsl)
                                .where(SessionTable.PARENT_SESSION_ID.eq(value(SessionTable.PARENT_SESSION_ID)))
                                .orderBy(SessionTable.STARTED_AT.desc(), SessionTable.ID.desc())),
                row -> SessionRow.read(row).ifPresent(children::add),
                parent.value());
        return children;
    }

    Instant lastActive(Statements statements, Session session) throws SQLException {
        return statements
                .first(
                        sql(
                                "list.latest",
                                dsl -> dsl.select(MessageTable.TIMESTAMP)
                                        .from(MessageTable.TABLE)
                                        .where(MessageTable.SESSION_ID.eq(value(MessageTable.SESSION_ID)))
                                        .and(NOT_TAKEN_BACK)
                                        .orderBy(MessageTable.TIMESTAMP.desc(), MessageTable.ID.desc())
                                        .limit(DSL.inline(1))),
                        row -> Seconds.read(row.real(MessageTable.TIMESTAMP)),
                        session.id().value())
                .orElse(session.startedAt());
    }

    /** Reads the beginnings that are missing: one statement for many, since each costs more than what it finds. */
    private Map<SessionId, String> previews(Statements statements, List<Shown> shown) throws SQLException {
        List<String> missing = shown.stream()
                .filter(each -> each.preview().isEmpty())
                .map(each -> each.session().id().value())
                .toList();
        Map<SessionId, String> previews = new HashMap<>();
        for (int from = 0; from < missing.size(); from += TOGETHER) {
            List<String> some = missing.subList(from, Math.min(missing.size(), from + TOGETHER));
            statements.each(
                    sql(
                            "list.previews",
                            dsl -> dsl.select(WANTED_ID, beginningOf(WANTED_ID).as(BEGINNING))
                                    .from(wanted(dsl).asTable(WANTED))
                                    .where(WANTED_ID.isNotNull())),
                    row -> previews.put(SessionId.of(row.text(WANTED_ID)), preview(row)),
                    Arrays.copyOf(some.toArray(), TOGETHER));
        }
        return previews;
    }

    private static String preview(Row row) throws SQLException {
        return Preview.of(ContentText.read(row.text(BEGINNING)));
    }

    /** As many ids as are asked for at once; null where there are fewer. */
    private static Select<Record1<String>> wanted(DSLContext dsl) {
        Select<Record1<String>> ids = dsl.select(value(SessionTable.ID).as(WANTED_ID.getName()));
        for (int i = 1; i < TOGETHER; i++) {
            ids = ids.unionAll(dsl.select(value(SessionTable.ID)));
        }
        return ids;
    }

    private Field<String> beginningOf(Field<String> session) {
        return DSL.field(DSL.select(beginning())
                .from(MessageTable.TABLE)
                .where(MessageTable.SESSION_ID.eq(session))
                .and(MessageTable.ROLE.eq(DSL.inline("user")))
                .and(MessageTable.CONTENT.isNotNull())
                .and(NOT_TAKEN_BACK)
                .orderBy(MessageTable.TIMESTAMP, MessageTable.ID)
                .limit(DSL.inline(1)));
    }

    /**
     * SQLite counts characters, and its {@code substr} sees nothing behind U+0000: so only the first characters are read, except
     * of content of several parts. Other databases count otherwise and give the whole.
     */
    private Field<String> beginning() {
        if (renderer.dsl().dialect() != SQLDialect.SQLITE) {
            return MessageTable.CONTENT;
        }
        return DSL.when(
                        DSL.substring(MessageTable.CONTENT, DSL.inline(1), DSL.inline(1))
                                .eq(DSL.inline("")),
                        MessageTable.CONTENT)
                .otherwise(DSL.substring(MessageTable.CONTENT, DSL.inline(1), DSL.inline(Preview.READ)));
    }

    String sql(String name, Function<DSLContext, ? extends Query> statement) {
        return renderer.sql(name.toLowerCase(Locale.ROOT), statement);
    }
}
