package dev.parley.persistence.sqlite.search;

import dev.parley.application.port.ParleyException;
import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.StorageCorrupt;
import dev.parley.application.port.StorageUnavailable;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.domain.search.SearchedText;
import dev.parley.domain.search.TextSearch;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sql.statement.Row;
import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.json.ContentText;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.IndexWatch;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import dev.parley.persistence.sqlite.statement.KeptStatements;
import dev.parley.persistence.sqlite.statement.Seconds;
import dev.parley.persistence.sqlite.statement.Statements;
import dev.parley.persistence.sqlite.table.MessageTable;
import dev.parley.persistence.sqlite.table.SessionTable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Searches with SQLite's full-text indexes. By time, up to {@value #EXACTLY_SORTED} matches are ordered exactly; more are ordered
 * as they were stored, which is the same unless a clock went back or sessions were brought in later, and needs no scan. Rows of
 * sessions whose id no {@link SessionId} can be are left out.
 */
public final class SqliteTranscriptSearch implements TranscriptSearch {
    static final int EXACTLY_SORTED = 1000;

    /** So many places of one or two characters are ordered by time; beyond, their messages go by place. */
    static final int PLACES_LOOKED_AT = 4000;

    /** A search of more than this is one of hardly any meaning, or of one that nearly every message has. */
    private static final Bounds USUAL = new Bounds(
            new CostLimit(Duration.ofMillis(450), Duration.ofMillis(500)),
            new CostLimit(Duration.ofMillis(150), Duration.ofMillis(150)),
            new CostLimit(Duration.ofMillis(150), Duration.ofMillis(150)));

    static final String STOPPED = "This search would have taken more than a second: it was stopped, and shows"
            + " messages by place and perhaps not all; say more precisely what to look for.";

    private static final int CONTEXT_CHARACTERS = 200;
    private static final String SCHEMA = "PRAGMA main.schema_version";
    private static final Field<Long> PLACE = DSL.field(DSL.name("place"), SQLDataType.BIGINT);
    private static final Field<String> TOOLS = DSL.field(DSL.name("tools"), SQLDataType.VARCHAR);
    private static final Field<String> SNIPPET = DSL.field(DSL.name("snippet"), SQLDataType.VARCHAR);
    private static final long ITSELF = 2;
    private static final String WITHOUT_TEXT = "[multimodal content]";

    private final Reads reads;
    private final KeptStatements prepared = new KeptStatements(FoldedText::teach);
    private final Function<SessionId, Optional<Session>> sessions;
    private final IndexWatch index;
    private final Bounds bounds;
    private volatile @Nullable Seen seen;

    /**
     * Searches what these reads see.
     *
     * @param reads the reads
     * @param sessions finds a session, for what a viewer may see
     * @param index says whether the indexes may be asked, and is told where they are damaged
     */
    public SqliteTranscriptSearch(Reads reads, Function<SessionId, Optional<Session>> sessions, IndexWatch index) {
        this(reads, sessions, index, USUAL);
    }

    /** Searches with other bounds. */
    SqliteTranscriptSearch(
            Reads reads, Function<SessionId, Optional<Session>> sessions, IndexWatch index, Bounds bounds) {
        this.bounds = bounds;
        this.reads = reads;
        this.sessions = sessions;
        this.index = index;
    }

    @Override
    public Optional<String> note() {
        return index.note();
    }

    @Override
    public List<SearchHit> search(SearchQuery query) {
        return search(query, note -> {});
    }

    /**
     * {@inheritDoc} A search that asks for a page costs no more than a second, whatever it asks for. One that is stopped is answered with
     * messages that the index gives in the order they were stored, and where that is stopped too, with those of the latest ones that
     * have the terms in them.
     *
     * <p>A hit of an index that does not match shows that the index is damaged: then the messages are read instead.
     */
    @Override
    public List<SearchHit> search(SearchQuery query, Consumer<String> notes) {
        if (query.limit() == 0) {
            return List.of();
        }
        AtomicBoolean asked = new AtomicBoolean();
        AtomicBoolean sound = new AtomicBoolean();
        List<SearchHit> hits;
        try {
            hits = reads.read(connection -> {
                Statements statements = prepared.of(connection);
                Optional<IndexForm> form = index.isTrusted() ? whole(statements) : Optional.empty();
                sound.set(form.isPresent());
                SearchPlan plan = SearchPlan.of(query.text(), form);
                asked.set(!(plan instanceof SearchPlan.Scan));
                return query.limit() < 0 ? exactly(statements, plan, query) : bounded(statements, plan, query, notes);
            });
        } catch (StorageCorrupt | StorageUnavailable e) {
            if (!asked.get() || !SqlErrors.mayBeIndex(e)) {
                throw e;
            }
            hits = scanInstead(query, e, notes);
            sound.set(false);
        }
        if (!sound.get()) {
            note().ifPresent(notes);
        }
        return hits;
    }

    private List<SearchHit> bounded(Statements statements, SearchPlan plan, SearchQuery query, Consumer<String> notes)
            throws SQLException {
        try {
            return bounds.exact().hold(statements.connection(), () -> exactly(statements, plan, query));
        } catch (SQLException e) {
            if (!CostLimit.isStop(e)) {
                throw e;
            }
        }
        notes.accept(STOPPED);
        if (plan instanceof SearchPlan.Match match && query.sort().isEmpty()) {
            try {
                return bounds.byPlace()
                        .hold(
                                statements.connection(),
                                () -> match(statements, match, SearchStatement.Order.LAST_STORED, query));
            } catch (SQLException e) {
                if (!CostLimit.isStop(e)) {
                    throw e;
                }
            }
        }
        return latest(statements, query);
    }

    /** Reads messages in the order they were stored until a page is full, or until that has cost enough. */
    private List<SearchHit> latest(Statements statements, SearchQuery query) throws SQLException {
        if (!(SearchPlan.of(query.text(), Optional.empty()) instanceof SearchPlan.Scan scan)) {
            return List.of();
        }
        List<Found> found = new ArrayList<>();
        try {
            bounds.latest()
                    .hold(
                            statements.connection(),
                            () -> page(statements, SearchStatement.walk(scan, query), query, found));
        } catch (SQLException e) {
            if (!CostLimit.isStop(e)) {
                throw e;
            }
        }
        return withContext(statements, found);
    }

    private List<SearchHit> exactly(Statements statements, SearchPlan plan, SearchQuery query) throws SQLException {
        if (plan instanceof SearchPlan.Match match) {
            return match(statements, match, query);
        }
        return plan instanceof SearchPlan.Beginnings beginnings
                ? beginnings(statements, beginnings, query)
                : scan(statements, plan, query);
    }

    /** Where the index fails and the messages can be read, the index is to blame, whatever it failed with. */
    private List<SearchHit> scanInstead(SearchQuery query, ParleyException failure, Consumer<String> notes) {
        SearchPlan scan = SearchPlan.of(query.text(), Optional.empty());
        List<SearchHit> hits = reads.read(connection -> {
            Statements statements = prepared.of(connection);
            return query.limit() < 0 ? exactly(statements, scan, query) : bounded(statements, scan, query, notes);
        });
        index.foundDamaged(failure);
        return hits;
    }

    private List<SearchHit> scan(Statements statements, SearchPlan plan, SearchQuery query) throws SQLException {
        return plan instanceof SearchPlan.Scan scan
                ? withContext(statements, page(statements, SearchStatement.scan(scan, query), query))
                : List.of();
    }

    /**
     * Few places are looked at all, to order their messages by time. Where there are many, the messages are read in the order they were
     * stored: a page is full soon.
     */
    private List<SearchHit> beginnings(Statements statements, SearchPlan.Beginnings plan, SearchQuery query)
            throws SQLException {
        statements.run(SearchStatement.MAKE_PLACES);
        SearchStatement beyond = SearchStatement.standBeyond(plan.beginnings(), PLACES_LOOKED_AT);
        if (statements.any(beyond.sql(), beyond.bound())) {
            return withContext(statements, page(statements, SearchStatement.walk(plan.scan(), query), query));
        }
        boolean all = query.viewer() instanceof Viewer.Operator;
        SearchStatement statement =
                SearchStatement.beginnings(plan, query, all ? query.limit() : -1, all ? query.offset() : 0);
        return withContext(statements, page(statements, statement, query, new ArrayList<>(), all));
    }

    /**
     * Looks at the index again only where the schema is another than the last time: its structure costs as much as a small search, and
     * counting what it has reads an index of the messages.
     */
    private Optional<IndexForm> whole(Statements statements) throws SQLException {
        long schema = statements.number(SCHEMA);
        Seen last = seen;
        if (last == null || last.schema != schema) {
            Optional<IndexForm> whole = SearchIndex.whole(statements.connection());
            if (whole.isPresent() && !SearchIndex.hasEveryMessage(statements.connection(), whole.get())) {
                whole = Optional.empty();
                index.foundIncomplete();
            }
            last = new Seen(schema, whole);
            seen = last;
        }
        return last.whole;
    }

    /** The form of the index under a version of the schema; absent where it was not whole. */
    private record Seen(long schema, Optional<IndexForm> whole) {}

    private List<SearchHit> match(Statements statements, SearchPlan.Match plan, SearchQuery query) throws SQLException {
        return understood(plan, asked -> {
            boolean many = query.sort().isPresent() && matchesMany(statements, plan.table(), asked);
            return match(statements, plan.table(), asked, SearchStatement.Order.of(query.sort(), many), query);
        });
    }

    private List<SearchHit> match(
            Statements statements, SearchPlan.Match plan, SearchStatement.Order order, SearchQuery query)
            throws SQLException {
        return understood(plan, asked -> match(statements, plan.table(), asked, order, query));
    }

    /**
     * What a search may cost.
     *
     * @param exact the search as it is asked
     * @param byPlace what the index gives by place, where that was stopped
     * @param latest reading the latest messages, where that was stopped too
     */
    record Bounds(CostLimit exact, CostLimit byPlace, CostLimit latest) {}

    /** Asks an index something. */
    private interface Question {
        List<SearchHit> ask(String match) throws SQLException;
    }

    /** An index that does not understand a query is asked once more with every term quoted (storage 5.1). */
    private static List<SearchHit> understood(SearchPlan.Match plan, Question question) throws SQLException {
        try {
            return question.ask(plan.query());
        } catch (SQLException e) {
            if (!SqlErrors.isRefusedStatement(e)) {
                throw e;
            }
        }
        if (plan.retry().isEmpty()) {
            return List.of();
        }
        try {
            return question.ask(plan.retry().get());
        } catch (SQLException e) {
            if (!SqlErrors.isRefusedQuery(e)) {
                throw e;
            }
            return List.of();
        }
    }

    private List<SearchHit> match(
            Statements statements, String table, String match, SearchStatement.Order order, SearchQuery query)
            throws SQLException {
        boolean atOnce = order.comesInOrder() && query.viewer() instanceof Viewer.Operator;
        List<Found> page = page(statements, SearchStatement.match(table, match, query, order, atOnce), query);
        return onlyMatches(
                statements, table, match, query, atOnce ? page : withSnippets(statements, table, match, page));
    }

    /**
     * A damaged index may give messages that do not match, without SQLite noticing: so each hit is compared with its text, which is read
     * for its neighbours anyway.
     */
    private static List<SearchHit> onlyMatches(
            Statements statements, String table, String match, SearchQuery query, List<Found> page)
            throws SQLException {
        Optional<TextSearch> wanted = TextSearch.of(query.text());
        List<SearchHit> hits = new ArrayList<>();
        Set<Long> seen = new HashSet<>();
        List<Long> doubted = new ArrayList<>();
        for (Found found : page) {
            Surroundings around = surroundings(statements, found);
            hits.add(found.hit(around.lines()));
            if (!seen.add(found.id())) {
                throw Reindexed.wrongHit();
            }
            boolean matches = wanted.isPresent()
                    && around.text().isPresent()
                    && new SearchedText(wanted.get(), around.text().get()).matches();
            if (!matches) {
                doubted.add(found.id());
            }
        }
        if (!doubted.isEmpty()) {
            Reindexed.requireMatches(statements.connection(), table, match, doubted);
        }
        return hits;
    }

    private static boolean matchesMany(Statements statements, String table, String match) throws SQLException {
        SearchStatement beyond = SearchStatement.beyond(table, match, EXACTLY_SORTED);
        return statements.any(beyond.sql(), beyond.bound());
    }

    private List<Found> page(Statements statements, SearchStatement statement, SearchQuery query) throws SQLException {
        return page(statements, statement, query, new ArrayList<>());
    }

    private List<Found> page(Statements statements, SearchStatement statement, SearchQuery query, List<Found> page)
            throws SQLException {
        return query.viewer() instanceof Viewer.Operator
                ? page(statements, statement.window(query.limit(), query.offset()), query, page, true)
                : page(statements, statement, query, page, false);
    }

    /** Reads rows into a page: those of a window as they are, else those that the viewer may see. */
    private List<Found> page(
            Statements statements, SearchStatement statement, SearchQuery query, List<Found> page, boolean windowed)
            throws SQLException {
        if (windowed) {
            rows(statements, statement, query.limit(), 0, id -> true, page);
            return page;
        }
        Map<String, Boolean> seen = new HashMap<>();
        rows(
                statements,
                statement,
                query.limit(),
                Math.max(0, query.offset()),
                id -> seen.computeIfAbsent(id, each -> maySee(query.viewer(), each)),
                page);
        return page;
    }

    private boolean maySee(Viewer viewer, String id) {
        return SessionId.isSafe(id)
                && sessions.apply(SessionId.of(id)).filter(viewer::maySee).isPresent();
    }

    /** Walks the rows in order and stops as soon as the page is full; rows that may not be seen count for nothing. */
    private static void rows(
            Statements statements,
            SearchStatement sql,
            int limit,
            int offset,
            Function<String, Boolean> visible,
            List<Found> page)
            throws SQLException {
        int[] skipped = {0};
        statements.walk(
                sql.sql(),
                row -> {
                    String session = row.text(MessageTable.SESSION_ID);
                    if (SessionId.isSafe(session) && visible.apply(session) && skipped[0]++ >= offset) {
                        page.add(Found.read(row, session));
                    }
                    return limit < 0 || page.size() < limit;
                },
                sql.bound());
    }

    private static List<Found> withSnippets(Statements statements, String table, String match, List<Found> page)
            throws SQLException {
        if (page.isEmpty()) {
            return page;
        }
        List<Long> ids = page.stream().map(Found::id).toList();
        Map<Long, String> snippets = new HashMap<>();
        SearchStatement statement = SearchStatement.snippets(table, match, ids);
        statements.each(
                statement.sql(),
                row -> snippets.put(row.number(MessageTable.ID), row.text(SNIPPET)),
                statement.bound());
        return page.stream().map(found -> found.with(snippets.get(found.id()))).toList();
    }

    private static List<SearchHit> withContext(Statements statements, List<Found> page) throws SQLException {
        List<SearchHit> hits = new ArrayList<>();
        for (Found found : page) {
            hits.add(found.hit(surroundings(statements, found).lines()));
        }
        return hits;
    }

    /** A message and its neighbours as they are shown; all that is searched of the message, absent where it could not be read. */
    private record Surroundings(List<SearchHit.Line> lines, Optional<String> text) {}

    /** A damaged index of the messages takes the neighbours away, not the hit (storage 5.6). */
    private static Surroundings surroundings(Statements statements, Found found) throws SQLException {
        try {
            return neighbours(statements, found);
        } catch (SQLException e) {
            if (!SqlErrors.isDamaged(e)) {
                throw e;
            }
            return new Surroundings(List.of(), Optional.empty());
        }
    }

    private static Surroundings neighbours(Statements statements, Found found) throws SQLException {
        TreeMap<Long, SearchHit.Line> lines = new TreeMap<>();
        StringBuilder text = new StringBuilder();
        statements.each(
                SearchStatement.CONTEXT,
                row -> {
                    long place = row.number(PLACE);
                    String content = row.textOrNull(MessageTable.CONTENT);
                    lines.put(place, new SearchHit.Line(new Role(row.text(MessageTable.ROLE)), shown(content)));
                    if (place == ITSELF) {
                        text.append(content == null ? "" : content).append(' ').append(row.text(TOOLS));
                    }
                },
                SearchStatement.contextOf(found.session(), found.timestamp(), found.id())
                        .toArray());
        return new Surroundings(List.copyOf(lines.values()), Optional.of(text.toString()));
    }

    /** Returns the first 200 characters of what a reader sees of a message (storage 5.6). */
    static String shown(@Nullable String column) {
        Content content = ContentText.read(column);
        String text = content instanceof Content.Multipart parts ? shown(parts) : content.plainText();
        return text.codePointCount(0, text.length()) <= CONTEXT_CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, CONTEXT_CHARACTERS));
    }

    /** A list shows its texts, an object nothing. */
    private static String shown(Content.Multipart parts) {
        if (!parts.json().text().stripLeading().startsWith("[")) {
            return "";
        }
        String text = String.join(" ", parts.textParts()).strip();
        return text.isEmpty() ? WITHOUT_TEXT : text;
    }

    private record Found(
            long id,
            String session,
            String role,
            double timestamp,
            @Nullable String toolName,
            String source,
            @Nullable String model,
            double started,
            @Nullable String snippet) {

        static Found read(Row row, String session) throws SQLException {
            return new Found(
                    row.number(MessageTable.ID),
                    session,
                    row.text(MessageTable.ROLE),
                    row.real(MessageTable.TIMESTAMP),
                    row.textOrNull(MessageTable.TOOL_NAME),
                    row.text(SessionTable.SOURCE),
                    row.textOrNull(SessionTable.MODEL),
                    row.real(SessionTable.STARTED_AT),
                    row.textOrNull(SNIPPET));
        }

        Found with(@Nullable String other) {
            return new Found(id, session, role, timestamp, toolName, source, model, started, other);
        }

        SearchHit hit(List<SearchHit.Line> context) {
            return new SearchHit(
                    id,
                    SessionId.of(session),
                    new Role(role),
                    Seconds.read(timestamp),
                    Optional.ofNullable(snippet),
                    context,
                    source,
                    Optional.ofNullable(model),
                    Seconds.read(started),
                    Optional.ofNullable(toolName));
        }
    }
}
