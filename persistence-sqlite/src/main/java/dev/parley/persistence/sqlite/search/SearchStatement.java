package dev.parley.persistence.sqlite.search;

import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.SearchQuery.Sort;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import dev.parley.persistence.sqlite.search.MatchedTerms.Operator;
import dev.parley.persistence.sqlite.search.MatchedTerms.Term;
import dev.parley.persistence.sqlite.statement.Seconds;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The statements of the search, as text with places for values: neither MATCH nor snippet can be said in jOOQ. Every name is
 * fixed here, every value is bound.
 *
 * @param sql the text
 * @param values what is bound, in order: texts and numbers
 */
record SearchStatement(String sql, List<Object> values) {
    private static final String HIT =
            "m.id, m.session_id, m.role, m.timestamp, m.tool_name, s.source, s.model, s.started_at";

    /** The 120 characters around the first term. */
    private static final String AROUND = "substr(m.content, max(1, instr(m.content, ?) - 40), 120)";

    /** The places where three characters stand, read from the index of substrings; a table of one's own connection. */
    static final String PLACES = "parley_places";

    /** Makes that table. */
    static final String MAKE_PLACES = "CREATE VIRTUAL TABLE IF NOT EXISTS temp." + PLACES + " USING fts5vocab('main', '"
            + SearchIndex.TRIGRAMS + "', 'instance')";

    /** No text goes on behind it. */
    private static final String LAST = "\udbff\udfff";

    private static final String TOOLS = "ifnull(tool_name, '') || ' ' || ifnull(tool_calls, '')";

    /**
     * Reads a message with its neighbours in its session by time and id (storage 5.6): place, role and content, and of the message itself
     * what else is searched, in any order.
     */
    static final String CONTEXT = neighbour(1, "<", "DESC")
            + " UNION ALL SELECT 2, role, content, " + TOOLS + " FROM messages WHERE id = ? UNION ALL "
            + neighbour(3, ">", "ASC");

    SearchStatement {
        values = List.copyOf(values);
    }

    /** In which order an index gives its rows. */
    enum Order {
        /** Best match first. The index sorts itself, so rows beyond the page are never joined; equal ranks keep the order of rows. */
        RANK(" ORDER BY rank"),
        /** Latest time first. */
        NEWEST(" ORDER BY m.timestamp DESC, rank, m.id DESC"),
        /** Earliest time first. */
        OLDEST(" ORDER BY m.timestamp, rank, m.id"),
        /** Last stored first: the index is read backwards, and no further than the page needs. */
        LAST_STORED(" ORDER BY rowid DESC"),
        /** First stored first, likewise. */
        FIRST_STORED(" ORDER BY rowid");

        private final String clause;

        Order(String clause) {
            this.clause = clause;
        }

        /** Returns whether rows come one by one; else all are read to be sorted, and must not be made costly. */
        boolean comesInOrder() {
            return this != NEWEST && this != OLDEST;
        }

        /** Returns the order for what was asked, by time where few rows match and by place where many do. */
        static Order of(Optional<Sort> sort, boolean many) {
            return sort.map(by -> switch (by) {
                        case NEWEST -> many ? LAST_STORED : NEWEST;
                        case OLDEST -> many ? FIRST_STORED : OLDEST;
                    })
                    .orElse(RANK);
        }
    }

    /** Asks an index whether more rows match than {@code limit}; gives at most one row. */
    static SearchStatement beyond(String table, String query, int limit) {
        return new SearchStatement(
                "SELECT 1 FROM " + table + " WHERE " + table + " MATCH ? ORDER BY rowid LIMIT 1 OFFSET ?",
                List.of(query, limit));
    }

    /** Asks an index; with snippets where {@code snippets} is set, else with null in their place. */
    static SearchStatement match(String table, String query, SearchQuery asked, Order order, boolean snippets) {
        List<Object> values = new ArrayList<>();
        values.add(query);
        String sql = "SELECT " + HIT + ", " + (snippets ? snippet(table) : "NULL") + " AS snippet FROM " + table
                + " JOIN messages m ON m.id = " + table + ".rowid JOIN sessions s ON s.id = m.session_id" + " WHERE "
                + table + " MATCH ?" + filters(asked, values)
                + order.clause;
        return new SearchStatement(sql, values);
    }

    /** Asks an index for the snippets of some rows. */
    static SearchStatement snippets(String table, String query, List<Long> rows) {
        List<Object> values = new ArrayList<>();
        values.add(query);
        values.addAll(rows);
        return new SearchStatement(
                "SELECT rowid AS id, " + snippet(table) + " AS snippet FROM " + table + " WHERE " + table
                        + " MATCH ? AND rowid IN (" + places(rows.size()) + ")",
                values);
    }

    /**
     * Reads the messages themselves: no index knows terms this short, or the index is not whole. The snippet is 120 characters
     * around the first term as it was typed, without marks (storage 5.4).
     */
    static SearchStatement scan(SearchPlan.Scan plan, SearchQuery asked) {
        boolean oldest = asked.sort().equals(Optional.of(Sort.OLDEST));
        return reading("messages m JOIN sessions s ON s.id = m.session_id", plan, asked)
                .then(oldest ? " ORDER BY m.timestamp ASC, m.id ASC" : " ORDER BY m.timestamp DESC, m.id DESC");
    }

    /** Reads the messages themselves in the order they were stored, so no further than the page needs. */
    static SearchStatement walk(SearchPlan.Scan plan, SearchQuery asked) {
        return reading("messages m CROSS JOIN sessions s ON s.id = m.session_id", plan, asked)
                .then(asked.sort().equals(Optional.of(Sort.OLDEST)) ? " ORDER BY m.id ASC" : " ORDER BY m.id DESC");
    }

    /**
     * Reads the messages that have one of these beginnings, latest time first: their times first, to be put in order, and everything else
     * only of those in the window. A negative limit means all rows.
     */
    static SearchStatement beginnings(SearchPlan.Beginnings plan, SearchQuery asked, int limit, int offset) {
        String direction = asked.sort().equals(Optional.of(Sort.OLDEST)) ? "ASC" : "DESC";
        List<Object> values = new ArrayList<>();
        values.add(firstTerm(plan.scan()));
        String begun = ranges(plan.beginnings(), "DISTINCT doc", " UNION ", values);
        String condition = condition(plan.scan(), values);
        String filters = filters(asked, values);
        values.add(limit);
        values.add(Math.max(0, offset));
        String chosen = "SELECT m.id AS id, m.timestamp AS timestamp FROM (" + begun
                + ") c CROSS JOIN messages m ON m.id = c.doc JOIN sessions s ON s.id = m.session_id WHERE " + condition
                + filters + " ORDER BY m.timestamp " + direction + ", m.id " + direction + " LIMIT ? OFFSET ?";
        return new SearchStatement(
                "SELECT " + HIT + ", " + AROUND + " AS snippet FROM (" + chosen
                        + ") k CROSS JOIN messages m ON m.id = k.id JOIN sessions s ON s.id = m.session_id"
                        + " ORDER BY k.timestamp " + direction + ", k.id " + direction,
                values);
    }

    private static String firstTerm(SearchPlan.Scan plan) {
        return plan.terms().terms().findFirst().orElseThrow().text();
    }

    /** Asks whether these beginnings stand at more places than {@code limit}; gives at most one row. */
    static SearchStatement standBeyond(List<String> beginnings, int limit) {
        List<Object> values = new ArrayList<>();
        String sql = "SELECT 1 FROM (" + ranges(beginnings, "doc", " UNION ALL ", values) + ") LIMIT 1 OFFSET ?";
        values.add(limit);
        return new SearchStatement(sql, values);
    }

    private static String ranges(List<String> beginnings, String what, String between, List<Object> values) {
        beginnings.forEach(beginning -> {
            values.add(beginning);
            values.add(beginning + LAST);
        });
        return String.join(
                between,
                Collections.nCopies(
                        beginnings.size(),
                        "SELECT " + what + " FROM temp." + PLACES + " WHERE term >= ? AND term <= ?"));
    }

    private static SearchStatement reading(String from, SearchPlan.Scan plan, SearchQuery asked) {
        List<Object> values = new ArrayList<>();
        values.add(firstTerm(plan));
        String condition = condition(plan, values);
        return new SearchStatement(
                "SELECT " + HIT + ", " + AROUND + " AS snippet FROM " + from + " WHERE " + condition
                        + filters(asked, values),
                values);
    }

    private SearchStatement then(String more) {
        return new SearchStatement(sql + more, values);
    }

    /** Returns what {@link #CONTEXT} is asked for one message. */
    static List<Object> contextOf(String session, double timestamp, long id) {
        return List.of(session, timestamp, id, id, session, timestamp, id);
    }

    /** Binds values in order. */
    static void bind(PreparedStatement statement, List<Object> values) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            statement.setObject(i + 1, values.get(i));
        }
    }

    /** Returns what is bound, in order. */
    Object[] bound() {
        return values.toArray();
    }

    private static String neighbour(int place, String side, String nearest) {
        return "SELECT * FROM (SELECT " + place
                + " AS place, n.role, n.content, NULL AS tools FROM messages n"
                + " WHERE n.session_id = ? AND (n.timestamp, n.id) " + side + " (?, ?) AND " + shown("n")
                + " ORDER BY n.timestamp " + nearest + ", n.id " + nearest + " LIMIT 1)";
    }

    /** Returns this with a window; a negative limit means all rows (storage 5.1). */
    SearchStatement window(int limit, int offset) {
        List<Object> windowed = new ArrayList<>(values);
        windowed.add(limit);
        windowed.add(Math.max(0, offset));
        return new SearchStatement(sql + " LIMIT ? OFFSET ?", windowed);
    }

    /** Returns this prepared with its values bound. */
    PreparedStatement prepare(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            bind(statement, values);
            return statement;
        } catch (SQLException e) {
            statement.close();
            throw e;
        }
    }

    /** Messages that were taken back are in no result; compacted ones are (storage 4.5). */
    private static String shown(String message) {
        return "(" + message + ".active IS NOT 0 OR " + message + ".compacted IS NOT 0)";
    }

    private static String snippet(String table) {
        return "snippet(" + table + ", 0, '>>>', '<<<', '...', 40)";
    }

    private static String filters(SearchQuery asked, List<Object> values) {
        StringBuilder sql = new StringBuilder(" AND ").append(shown("m"));
        asked.sources().ifPresent(sources -> sql.append(among("s.source IN", sources, values)));
        if (!asked.excludeSources().isEmpty()) {
            sql.append(among("s.source NOT IN", asked.excludeSources(), values));
        }
        if (!asked.roles().isEmpty()) {
            sql.append(among("m.role IN", asked.roles(), values));
        }
        asked.from().ifPresent(from -> sql.append(time(" AND m.timestamp >= ?", from, values)));
        asked.to().ifPresent(to -> sql.append(time(" AND m.timestamp < ?", to, values)));
        return sql.toString();
    }

    private static String time(String test, Instant at, List<Object> values) {
        values.add(Seconds.write(at));
        return test;
    }

    private static String among(String test, List<String> allowed, List<Object> values) {
        values.addAll(allowed);
        return " AND " + test + " (" + places(allowed.size()) + ")";
    }

    private static String places(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }

    /** OR of ANDs of NOTs of groups, each level a balanced tree, since the depth of an expression is limited. */
    private static String condition(SearchPlan.Scan plan, List<Object> values) {
        MatchedTerms terms = plan.terms();
        List<String> alternatives = new ArrayList<>();
        List<String> required = new ArrayList<>();
        for (int i = 0; i < terms.groups().size(); i++) {
            Operator before = i == 0 ? Operator.OR : terms.operators().get(i - 1);
            if (before == Operator.OR && !required.isEmpty()) {
                alternatives.add(balanced(required, " AND "));
                required.clear();
            }
            String group = group(terms.groups().get(i), plan, values);
            required.add(before == Operator.NOT ? "NOT " + group : group);
        }
        alternatives.add(balanced(required, " AND "));
        return balanced(alternatives, " OR ");
    }

    private static String group(List<Term> terms, SearchPlan.Scan plan, List<Object> values) {
        return balanced(
                terms.stream()
                        .map(term -> plan.folded() ? containsFolded(term, values) : contains(term, values))
                        .collect(Collectors.toList()),
                plan.sideBySide() ? " AND " : " OR ");
    }

    private static String containsFolded(Term term, List<Object> values) {
        values.add(term.text());
        return FoldedText.HAS + "(" + SearchIndex.indexedText("m") + ", ?)";
    }

    private static String contains(Term term, List<Object> values) {
        String pattern =
                "%" + term.text().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%";
        return balanced(
                List.of("content", "tool_name", "tool_calls").stream()
                        .map(column -> {
                            values.add(pattern);
                            return "ifnull(m." + column + ", '') LIKE ? ESCAPE '\\'";
                        })
                        .toList(),
                " OR ");
    }

    private static String balanced(List<String> parts, String operator) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        int half = parts.size() / 2;
        return "(" + balanced(parts.subList(0, half), operator) + operator
                + balanced(parts.subList(half, parts.size()), operator) + ")";
    }
}
