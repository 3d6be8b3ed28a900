package dev.parley.persistence.sqlite.search;

import dev.parley.application.port.SearchHit;
import dev.parley.application.port.SearchQuery;
import dev.parley.application.port.TranscriptSearch;
import dev.parley.domain.session.Session;
import dev.parley.domain.session.SessionId;
import dev.parley.domain.session.Viewer;
import dev.parley.domain.transcript.Content;
import dev.parley.domain.transcript.Role;
import dev.parley.persistence.sqlite.connection.Reads;
import dev.parley.persistence.sqlite.connection.SqlErrors;
import dev.parley.persistence.sqlite.json.ContentText;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import dev.parley.persistence.sqlite.statement.Time;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Searches with SQLite's full-text indexes. By time, up to {@value #EXACTLY_SORTED} matches are ordered exactly; more are ordered
 * as they were stored, which is the same unless a clock went back or sessions were brought in later, and needs no scan. Rows of
 * sessions whose id no {@link SessionId} can be are left out.
 */
public final class SqliteTranscriptSearch implements TranscriptSearch {
    static final int EXACTLY_SORTED = 2000;

    private static final int CONTEXT_CHARACTERS = 200;
    private static final String WITHOUT_TEXT = "[multimodal content]";

    private final Reads reads;
    private final Function<SessionId, Optional<Session>> sessions;

    /**
     * Searches what these reads see.
     *
     * @param reads the reads
     * @param sessions finds a session, for what a viewer may see
     */
    public SqliteTranscriptSearch(Reads reads, Function<SessionId, Optional<Session>> sessions) {
        this.reads = reads;
        this.sessions = sessions;
    }

    @Override
    public List<SearchHit> search(SearchQuery query) {
        if (query.limit() == 0) {
            return List.of();
        }
        return reads.read((connection, sql) -> {
            SearchPlan plan = SearchPlan.of(query.text(), SearchIndex.isWhole(connection));
            if (plan instanceof SearchPlan.Match match) {
                return match(connection, match, query);
            }
            return plan instanceof SearchPlan.Scan scan
                    ? withContext(connection, page(connection, SearchStatement.scan(scan, query), query))
                    : List.of();
        });
    }

    /** An index that does not understand a query is asked once more with every term quoted ([rec] of 5.1). */
    private List<SearchHit> match(Connection connection, SearchPlan.Match plan, SearchQuery query) throws SQLException {
        try {
            return match(connection, plan.table(), plan.query(), query);
        } catch (SQLException e) {
            if (!SqlErrors.isRefusedStatement(e)) {
                throw e;
            }
        }
        if (plan.retry().isEmpty()) {
            return List.of();
        }
        try {
            return match(connection, plan.table(), plan.retry().get(), query);
        } catch (SQLException e) {
            if (!SqlErrors.isRefusedStatement(e)) {
                throw e;
            }
            return List.of();
        }
    }

    private List<SearchHit> match(Connection connection, String table, String match, SearchQuery query)
            throws SQLException {
        boolean many = query.sort().isPresent() && matchesMany(connection, table, match);
        SearchStatement.Order order = SearchStatement.Order.of(query.sort(), many);
        boolean atOnce = order.comesInOrder() && query.viewer() instanceof Viewer.Operator;
        List<Found> page = page(connection, SearchStatement.match(table, match, query, order, atOnce), query);
        return withContext(connection, atOnce ? page : withSnippets(connection, table, match, page));
    }

    private static boolean matchesMany(Connection connection, String table, String match) throws SQLException {
        try (PreparedStatement statement =
                        SearchStatement.beyond(table, match, EXACTLY_SORTED).prepare(connection);
                ResultSet row = statement.executeQuery()) {
            return row.next();
        }
    }

    private List<Found> page(Connection connection, SearchStatement statement, SearchQuery query) throws SQLException {
        if (query.viewer() instanceof Viewer.Operator) {
            return rows(connection, statement.window(query.limit(), query.offset()), query.limit(), 0, id -> true);
        }
        Map<String, Boolean> seen = new HashMap<>();
        return rows(
                connection,
                statement,
                query.limit(),
                Math.max(0, query.offset()),
                id -> seen.computeIfAbsent(id, each -> maySee(query.viewer(), each)));
    }

    private boolean maySee(Viewer viewer, String id) {
        return SessionId.isSafe(id)
                && sessions.apply(SessionId.of(id)).filter(viewer::maySee).isPresent();
    }

    /** Walks the rows in order and stops as soon as the page is full; rows that may not be seen count for nothing. */
    private static List<Found> rows(
            Connection connection, SearchStatement sql, int limit, int offset, Function<String, Boolean> visible)
            throws SQLException {
        List<Found> page = new ArrayList<>();
        int skipped = 0;
        try (PreparedStatement statement = sql.prepare(connection);
                ResultSet rows = statement.executeQuery()) {
            while ((limit < 0 || page.size() < limit) && rows.next()) {
                String session = rows.getString("session_id");
                if (!SessionId.isSafe(session) || !visible.apply(session)) {
                    continue;
                }
                if (skipped < offset) {
                    skipped++;
                } else {
                    page.add(Found.read(rows, session));
                }
            }
        }
        return page;
    }

    private static List<Found> withSnippets(Connection connection, String table, String match, List<Found> page)
            throws SQLException {
        if (page.isEmpty()) {
            return page;
        }
        List<Long> ids = page.stream().map(Found::id).toList();
        Map<Long, String> snippets = new HashMap<>();
        try (PreparedStatement statement =
                        SearchStatement.snippets(table, match, ids).prepare(connection);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                snippets.put(rows.getLong("id"), rows.getString("snippet"));
            }
        }
        return page.stream().map(found -> found.with(snippets.get(found.id()))).toList();
    }

    /** One statement serves all hits: preparing it costs more than running it. */
    private static List<SearchHit> withContext(Connection connection, List<Found> page) throws SQLException {
        List<SearchHit> hits = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(SearchStatement.CONTEXT)) {
            for (Found found : page) {
                hits.add(found.hit(context(statement, found)));
            }
        }
        return hits;
    }

    private static List<SearchHit.Line> context(PreparedStatement statement, Found found) throws SQLException {
        SearchStatement.bind(statement, SearchStatement.contextOf(found.session(), found.timestamp(), found.id()));
        List<SearchHit.Line> lines = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                lines.add(new SearchHit.Line(new Role(rows.getString("role")), shown(rows.getString("content"))));
            }
        }
        return lines;
    }

    /** Returns the first 200 characters of what a reader sees of a message (5.6). */
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

        static Found read(ResultSet row, String session) throws SQLException {
            return new Found(
                    row.getLong("id"),
                    session,
                    row.getString("role"),
                    row.getDouble("timestamp"),
                    row.getString("tool_name"),
                    row.getString("source"),
                    row.getString("model"),
                    row.getDouble("started_at"),
                    row.getString("snippet"));
        }

        Found with(@Nullable String other) {
            return new Found(id, session, role, timestamp, toolName, source, model, started, other);
        }

        SearchHit hit(List<SearchHit.Line> context) {
            return new SearchHit(
                    id,
                    SessionId.of(session),
                    new Role(role),
                    Time.read(timestamp),
                    Optional.ofNullable(snippet),
                    context,
                    source,
                    Optional.ofNullable(model),
                    Time.read(started),
                    Optional.ofNullable(toolName));
        }
    }
}
