package dev.parley.domain.search;

import java.util.List;

/** What an index is asked for; see {@link IndexedTerms}. */
public sealed interface IndexedQuery {
    /** Every text: the index cannot help. */
    record Everything() implements IndexedQuery {}

    /**
     * Texts with a term.
     *
     * @param term the term
     * @param prefix whether terms that begin so count too
     */
    record Has(String term, boolean prefix) implements IndexedQuery {}

    /**
     * Texts that pass each part.
     *
     * @param parts at least two
     */
    record All(List<IndexedQuery> parts) implements IndexedQuery {
        public All {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Texts that pass at least one part.
     *
     * @param parts at least two
     */
    record Any(List<IndexedQuery> parts) implements IndexedQuery {
        public Any {
            parts = List.copyOf(parts);
        }
    }

    /** Returns what each part asks for; everything where none asks for anything. */
    static IndexedQuery all(List<IndexedQuery> parts) {
        List<IndexedQuery> asking =
                parts.stream().filter(part -> !(part instanceof Everything)).toList();
        if (asking.size() < 2) {
            return asking.isEmpty() ? new Everything() : asking.get(0);
        }
        return new All(asking);
    }

    /** Returns what any part asks for; everything where one asks for nothing. */
    static IndexedQuery any(List<IndexedQuery> parts) {
        return parts.stream().anyMatch(Everything.class::isInstance) ? new Everything() : new Any(parts);
    }
}
