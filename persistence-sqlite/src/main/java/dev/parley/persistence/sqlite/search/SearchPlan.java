package dev.parley.persistence.sqlite.search;

import dev.parley.persistence.sqlite.schema.SearchIndex;
import dev.parley.persistence.sqlite.search.SearchTerms.LowerCaseOperators;
import java.util.Optional;

/** How a query is answered (storage 5.1, 5.5). */
sealed interface SearchPlan {
    /** How many characters the index of substrings needs of a term. */
    int TRIGRAM = 3;

    /** Nothing is asked, so nothing is found. */
    record Nothing() implements SearchPlan {}

    /**
     * An index answers.
     *
     * @param table the index
     * @param query the query in its language
     * @param retry what is asked where the index does not understand the query; absent where it always does
     */
    record Match(String table, String query, Optional<String> retry) implements SearchPlan {}

    /**
     * The messages themselves are read.
     *
     * @param terms what is looked for
     * @param sideBySide whether of terms side by side all must be found; else any
     */
    record Scan(SearchTerms terms, boolean sideBySide) implements SearchPlan {}

    /**
     * Returns the plan for a query.
     *
     * @param typed the query as typed
     * @param indexWhole whether the indexes may be asked; where not, the messages are read instead
     */
    static SearchPlan of(String typed, boolean indexWhole) {
        String sanitized = QuerySanitizer.sanitize(typed);
        SearchTerms terms = SearchTerms.of(sanitized, LowerCaseOperators.WORDS);
        if (terms.isEmpty()) {
            return new Nothing();
        }
        if (Characters.cjkIn(sanitized) > 0) {
            return ofCjk(sanitized, terms, indexWhole);
        }
        return indexWhole
                ? new Match(SearchIndex.WORDS, sanitized, retry(terms))
                : new Scan(terms.withoutPrefixes(), true);
    }

    /**
     * The index of substrings knows no term of one or two characters, so one such decides for the whole query; so do fewer than
     * three in all, where an ideographic space is the only one.
     */
    private static SearchPlan ofCjk(String sanitized, SearchTerms terms, boolean indexWhole) {
        boolean longEnough = Characters.cjkIn(sanitized) >= TRIGRAM
                && terms.terms()
                        .mapToLong(term -> Characters.cjkIn(term.text()))
                        .allMatch(count -> count == 0 || count >= TRIGRAM);
        if (!longEnough) {
            SearchTerms scanned =
                    SearchTerms.of(sanitized, LowerCaseOperators.NOTHING).withoutPrefixes();
            return scanned.isEmpty() ? new Nothing() : new Scan(scanned, false);
        }
        SearchTerms whole = terms.withoutPrefixes();
        return indexWhole ? new Match(SearchIndex.TRIGRAMS, whole.asMatch(), Optional.empty()) : new Scan(whole, true);
    }

    private static Optional<String> retry(SearchTerms terms) {
        return Optional.of(terms.wordsOnly()).filter(words -> !words.isEmpty()).map(SearchTerms::asMatch);
    }
}
