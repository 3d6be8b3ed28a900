package dev.parley.persistence.postgres.search;

import static dev.parley.persistence.postgres.statement.AnyOf.isAnyOf;
import static dev.parley.persistence.sql.statement.Renderer.value;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.domain.search.IndexedTerms;
import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.search.SearchedMessage;
import dev.parley.domain.search.SearchedText;
import dev.parley.domain.search.TextRanking;
import dev.parley.domain.search.TextSearch;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.Message;
import dev.parley.domain.transcript.StoredMessage;
import dev.parley.persistence.postgres.read.Reader;
import dev.parley.persistence.postgres.row.MessageRow;
import dev.parley.persistence.postgres.row.SessionRow;
import dev.parley.persistence.postgres.statement.Statements;
import dev.parley.persistence.postgres.table.MessageTable;
import dev.parley.persistence.postgres.table.SessionTables.Sessions;
import dev.parley.persistence.postgres.table.SessionTables.Use;
import dev.parley.persistence.sql.statement.Time;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.Select;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages. The index gives every message that may match, in the order of time; whether one does, and which part of it is shown,
 * {@link TextSearch} says. By time, candidates are read until there is enough; the best match is chosen among the newest
 * {@value #RANKED}.
 */
public final class PostgresTranscriptSearch implements TranscriptSearch {
    /** So many candidates at most are compared for the best match. */
    static final int RANKED = 10_000;

    private static final int FIRST = 100;
    private static final int MOST = 1_000;
    private static final int COUNTED = 10_000;
    /** So many hits get what was said before and after them by one statement. */
    private static final int SHOWN = 500;

    private static final Field<Long> HIT = DSL.field(DSL.name("hit"), SQLDataType.BIGINT);
    private static final Field<Long> HIT_PLACE = DSL.field(DSL.name("hits", "place"), SQLDataType.BIGINT);
    private static final Field<String> HIT_SESSION = DSL.field(DSL.name("hits", "session"), SQLDataType.VARCHAR);

    private static final Field<Long> LIMIT = DSL.field("limit", SQLDataType.BIGINT);

    private final Reader reader;

    /** Searches through this reader. */
    public PostgresTranscriptSearch(Reader reader) {
        this.reader = reader;
    }

    @Override
    public List<SearchHit> search(SearchQuery query) {
        Optional<TextSearch> search = TextSearch.of(query.text());
        if (search.isEmpty()
                || query.limit() == 0
                || query.sources().filter(List::isEmpty).isPresent()) {
            return List.of();
        }
        return reader.read(statements -> new Run(statements, query, search.get()).hits());
    }

    /** One search. */
    private final class Run {
        private final Statements statements;
        private final SearchQuery query;
        private final TextSearch search;
        private final boolean ascending;
        private final boolean ranked;
        private final Optional<String> terms;
        private final Map<SessionId, Session> sessions = new HashMap<>();

        Run(Statements statements, SearchQuery query, TextSearch search) {
            this.statements = statements;
            this.query = query;
            this.search = search;
            this.terms = QueryText.of(IndexedTerms.of(search));
            this.ascending =
                    query.sort().filter(SearchQuery.Sort.OLDEST::equals).isPresent();
            this.ranked = query.sort().isEmpty() && search.route() != SearchSyntax.Route.SCAN;
        }

        List<SearchHit> hits() throws SQLException {
            List<Found> found = ranked ? best() : inTime();
            List<SearchHit> hits = new ArrayList<>();
            for (int from = 0; from < found.size(); from += SHOWN) {
                List<Found> some = found.subList(from, Math.min(found.size(), from + SHOWN));
                Map<Long, SearchHit.Line> before = new HashMap<>();
                Map<Long, SearchHit.Line> after = new HashMap<>();
                near(some, before, after);
                for (Found each : some) {
                    long place = each.row().sequence();
                    hits.add(hit(each, Optional.ofNullable(before.get(place)), Optional.ofNullable(after.get(place))));
                }
            }
            return hits;
        }

        private List<Found> inTime() throws SQLException {
            long offset = Math.max(0, query.offset());
            long wanted = query.limit() < 0 ? Long.MAX_VALUE : offset + query.limit();
            List<Found> found = new ArrayList<>();
            walk(each -> {
                if (each.text().matches()) {
                    found.add(each);
                }
                return found.size() < wanted;
            });
            return window(found, wanted);
        }

        private List<Found> best() throws SQLException {
            TextRanking ranking = new TextRanking(search.wanted().size());
            List<Found> found = new ArrayList<>();
            int[] seen = new int[1];
            walk(each -> {
                SearchedText text = each.text();
                if (text.matches()) {
                    found.add(each);
                    ranking.measure(text);
                    ranking.countMatch(each.places(search));
                }
                return ++seen[0] < RANKED;
            });
            ranking.among(messages());
            Map<Found, Double> scores = new HashMap<>();
            found.forEach(each -> scores.put(
                    each, ranking.score(each.places(search), each.text().size())));
            found.sort(Comparator.comparingDouble((Found each) -> -scores.getOrDefault(each, 0.0))
                    .thenComparing(each -> each.row().sequence()));
            long wanted = query.limit() < 0 ? Long.MAX_VALUE : (long) Math.max(0, query.offset()) + query.limit();
            return window(found, wanted);
        }

        private List<Found> window(List<Found> found, long wanted) {
            int from = Math.min(found.size(), Math.max(0, query.offset()));
            return found.subList(from, (int) Math.min(found.size(), wanted));
        }

        /** Returns about how many messages there are: exactly where they are few, else as the last analysis says. */
        private long messages() throws SQLException {
            long few = statements.number(reader.sql(
                    "search.few",
                    dsl -> dsl.selectCount()
                            .from(dsl.select(DSL.inline(1).as("one"))
                                    .from(MessageTable.TABLE)
                                    .limit(DSL.inline(COUNTED)))));
            return few < COUNTED
                    ? few
                    : Math.max(
                            few,
                            statements.number(
                                    "select reltuples::bigint from pg_class where oid = 'parley_messages'::regclass"));
        }

        /** Hands candidates that the viewer may see to {@code each}, in the order of time, until it has enough. */
        private void walk(Step each) throws SQLException {
            @Nullable StoredMessage last = null;
            for (int step = FIRST; ; step = Math.min(MOST, step * 2)) {
                List<StoredMessage> some = candidates(last, step);
                know(some);
                for (StoredMessage row : some) {
                    Session session = sessions.get(row.session());
                    if (session != null && query.viewer().maySee(session)) {
                        SearchedText text = new SearchedText(search, new SearchedMessage(row.message()).indexed());
                        if (!each.take(new Found(session, row, text))) {
                            return;
                        }
                    }
                }
                if (some.size() < step) {
                    return;
                }
                last = some.get(some.size() - 1);
            }
        }

        private List<StoredMessage> candidates(@Nullable StoredMessage last, int step) throws SQLException {
            List<Object> values = new ArrayList<>();
            StringBuilder name = new StringBuilder("search");
            Condition condition = MessageTable.STATE.ne(DSL.inline(MessageTable.REWOUND));
            if (terms.isPresent()) {
                name.append(".terms");
                condition = condition.and(
                        DSL.condition("{0} @@ cast({1} as tsquery)", MessageTable.TERMS, value(MessageTable.TERMS)));
                values.add(terms.get());
            }
            if (!query.roles().isEmpty()) {
                name.append(".roles");
                condition = condition.and(isAnyOf(MessageTable.ROLE));
                values.add(query.roles());
            }
            if (query.sources().isPresent()) {
                name.append(".sources");
                condition = condition.and(isAnyOf(Sessions.SOURCE));
                values.add(query.sources().get());
            }
            if (!query.excludeSources().isEmpty()) {
                name.append(".not");
                condition = condition.andNot(isAnyOf(Sessions.SOURCE));
                values.add(query.excludeSources());
            }
            if (query.from().isPresent()) {
                name.append(".from");
                condition = condition.and(MessageTable.AT.ge(value(MessageTable.AT)));
                values.add(Time.nanos(query.from().get()));
            }
            if (query.to().isPresent()) {
                name.append(".to");
                condition = condition.and(MessageTable.AT.lt(value(MessageTable.AT)));
                values.add(Time.nanos(query.to().get()));
            }
            if (query.viewer() instanceof Viewer.ChatUser user) {
                // Whatever such a viewer may see is of their platform.
                name.append(".viewer");
                condition =
                        condition.and(Sessions.SOURCE.eq(value(Sessions.SOURCE)).or(Sessions.ORIGIN.isNotNull()));
                values.add(user.source().platform().name());
            }
            if (last != null) {
                name.append(".behind");
                org.jooq.Row2<Long, Long> place = DSL.row(MessageTable.AT, MessageTable.SEQ);
                org.jooq.Row2<Long, Long> behind = DSL.row(value(MessageTable.AT), value(MessageTable.SEQ));
                condition = condition.and(ascending ? place.gt(behind) : place.lt(behind));
                values.add(Time.nanos(last.message().at()));
                values.add(last.sequence());
            }
            values.add((long) step);
            Condition all = condition;
            String sql = reader.sql(name + (ascending ? ".oldest" : ""), dsl -> candidates(dsl, all));
            return statements.list(sql, MessageRow::read, values.toArray());
        }

        private Query candidates(DSLContext dsl, Condition condition) {
            return dsl.select(MessageTable.ALL)
                    .from(MessageTable.TABLE)
                    .join(Sessions.TABLE)
                    .on(Sessions.ID.eq(MessageTable.SESSION_ID))
                    .where(condition)
                    .orderBy(
                            ascending ? MessageTable.AT.asc() : MessageTable.AT.desc(),
                            ascending ? MessageTable.SEQ.asc() : MessageTable.SEQ.desc())
                    .limit(value(LIMIT));
        }

        private void know(List<StoredMessage> rows) throws SQLException {
            TreeSet<String> unknown = new TreeSet<>();
            rows.stream()
                    .map(StoredMessage::session)
                    .filter(id -> !sessions.containsKey(id))
                    .forEach(id -> unknown.add(id.value()));
            if (!unknown.isEmpty()) {
                statements.each(
                        reader.sql(
                                "search.sessions",
                                dsl -> dsl.select(SessionRow.READ)
                                        .from(Sessions.TABLE)
                                        .join(Use.TABLE)
                                        .on(Use.SESSION_ID.eq(Sessions.ID))
                                        .where(isAnyOf(Sessions.ID))),
                        row -> {
                            Session session = SessionRow.read(row);
                            sessions.put(session.id(), session);
                        },
                        unknown);
            }
        }

        private SearchHit hit(Found found, Optional<SearchHit.Line> before, Optional<SearchHit.Line> after) {
            Message message = found.row().message();
            SearchedMessage searched = new SearchedMessage(message);
            List<SearchHit.Line> context = new ArrayList<>();
            before.ifPresent(context::add);
            context.add(line(found.row()));
            after.ifPresent(context::add);
            Session session = found.session();
            return new SearchHit(
                    found.row().sequence(),
                    session.id(),
                    message.role(),
                    message.at(),
                    search.route() == SearchSyntax.Route.SCAN
                            ? searched.excerpt(search)
                            : Optional.of(found.text().snippet()),
                    context,
                    session.source(),
                    session.model(),
                    session.startedAt(),
                    message.toolName());
        }

        /** Reads what was said before and after each hit, by the hit's place. */
        private void near(List<Found> hits, Map<Long, SearchHit.Line> before, Map<Long, SearchHit.Line> after)
                throws SQLException {
            statements.each(
                    reader.sql(
                            "search.near",
                            dsl -> dsl.select(HIT_PLACE.as(HIT), DSL.field("{0}.*", DSL.name("near")))
                                    .from(DSL.table(
                                            "unnest(cast({0} as text[]), cast({1} as bigint[])) as hits (session, place)",
                                            value(HIT_SESSION), value(HIT_PLACE)))
                                    .crossJoin(DSL.lateral(beside(dsl, true)
                                            .unionAll(beside(dsl, false))
                                            .asTable("near")))),
                    row -> {
                        long hit = row.number(HIT);
                        StoredMessage said = MessageRow.read(row);
                        (said.sequence() < hit ? before : after).put(hit, line(said));
                    },
                    hits.stream().map(each -> each.session().id().value()).toList(),
                    hits.stream().map(each -> each.row().sequence()).toList());
        }

        private Select<Record> beside(DSLContext dsl, boolean before) {
            return dsl.select(MessageTable.ALL)
                    .from(MessageTable.TABLE)
                    .where(MessageTable.SESSION_ID.eq(HIT_SESSION))
                    .and(MessageTable.STATE.ne(DSL.inline(MessageTable.REWOUND)))
                    .and(before ? MessageTable.SEQ.lt(HIT_PLACE) : MessageTable.SEQ.gt(HIT_PLACE))
                    .orderBy(before ? MessageTable.SEQ.desc() : MessageTable.SEQ.asc())
                    .limit(DSL.inline(1));
        }

        private SearchHit.Line line(StoredMessage row) {
            return new SearchHit.Line(row.message().role(), new SearchedMessage(row.message()).context());
        }
    }

    @FunctionalInterface
    private interface Step {
        /** Takes a candidate; returns whether it wants more. */
        boolean take(Found candidate);
    }

    /** A message that may match. */
    private record Found(Session session, StoredMessage row, SearchedText text) {
        List<Integer> places(TextSearch search) {
            return search.wanted().stream().map(text::occurrences).toList();
        }
    }
}
