package dev.parley.persistence.postgres.search;

import dev.parley.domain.search.IndexedQuery;
import dev.parley.persistence.postgres.row.TermsText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the index is asked for, as a {@code tsquery} is written. Messages that are indexed in part always pass. */
final class QueryText {
    private QueryText() {}

    /** Returns the text; absent where the index cannot help. */
    static Optional<String> of(IndexedQuery query) {
        return query instanceof IndexedQuery.Everything
                ? Optional.empty()
                : Optional.of(text(query) + " | " + TermsText.CUT);
    }

    private static String text(IndexedQuery query) {
        if (query instanceof IndexedQuery.Has has) {
            return TermsText.quoted(has.term()) + (has.prefix() ? ":*" : "");
        }
        if (query instanceof IndexedQuery.All all) {
            return joined(all.parts(), " & ");
        }
        return joined(((IndexedQuery.Any) query).parts(), " | ");
    }

    private static String joined(List<IndexedQuery> parts, String operator) {
        return parts.stream().map(QueryText::text).collect(Collectors.joining(operator, "(", ")"));
    }
}
