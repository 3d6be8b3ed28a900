package dev.parley.benchmarks;

import dev.parley.application.port.SearchQuery;
import dev.parley.domain.session.Viewer;
import java.util.List;
import java.util.Optional;

/** What is searched in {@link MessageFiles}, and the plain statement that answers it. */
public enum SearchCase {
    /** Two words in one message, best match first. */
    TWO_WORDS("word17 word42", Optional.empty(), index("messages_fts", "rank")),
    /** A word in every tenth message, newest first. */
    COMMON_NEWEST("common", Optional.of(SearchQuery.Sort.NEWEST), index("messages_fts", "messages_fts.rowid desc")),
    /** Three Chinese characters in every hundredth message, best match first. */
    CJK("大别山", Optional.empty(), index("messages_fts_trigram", "rank")),
    /** Two Chinese characters, too few for any index. */
    CJK_SHORT("协议", Optional.empty(), scan());

    private final String text;
    private final Optional<SearchQuery.Sort> sort;
    private final String statement;

    SearchCase(String text, Optional<SearchQuery.Sort> sort, String statement) {
        this.text = text;
        this.sort = sort;
        this.statement = statement;
    }

    SearchQuery query() {
        return new SearchQuery(text, Optional.empty(), List.of(), List.of(), 20, 0, sort, Viewer.operator());
    }

    String statement() {
        return statement;
    }

    /** Returns what the statement is asked with, as often as it has places. */
    List<String> bound() {
        String like = "%" + text + "%";
        return this == CJK_SHORT ? List.of(text, like, like, like) : List.of(text);
    }

    private static String index(String table, String order) {
        return "select m.id, m.session_id, m.role, snippet(" + table + ", 0, '>>>', '<<<', '...', 40) as snippet,"
                + " m.timestamp, m.tool_name, s.source, s.model, s.started_at from " + table
                + " join messages m on m.id = "
                + table + ".rowid join sessions s on s.id = m.session_id where " + table + " match ? order by " + order
                + " limit 20";
    }

    private static String scan() {
        return "select m.id, m.session_id, m.role, substr(m.content, max(1, instr(m.content, ?) - 40), 120) as snippet,"
                + " m.timestamp, m.tool_name, s.source, s.model, s.started_at from messages m"
                + " join sessions s on s.id = m.session_id where m.content like ? or m.tool_name like ? or m.tool_calls like ?"
                + " order by m.timestamp desc limit 20";
    }
}
