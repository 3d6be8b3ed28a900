package dev.parley.persistence.sqlite.search;

import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.search.SearchTerms;
import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
     * @param folded whether terms are compared as the index of substrings compares them: in any case of any script, over all that is
     *     searched of a message as one text; else in any ASCII case, in each column
     */
    record Scan(MatchedTerms terms, boolean sideBySide, boolean folded) implements SearchPlan {}

    /**
     * The messages themselves are read, those only that have one of some beginnings: the index of substrings knows every three
     * characters of a message, so it knows which messages have something that begins so.
     *
     * @param scan what is looked for
     * @param beginnings one, two or three characters each, one of them in every match
     */
    record Beginnings(Scan scan, List<String> beginnings) implements SearchPlan {
        public Beginnings {
            beginnings = List.copyOf(beginnings);
        }
    }

    /**
     * Returns the plan for a query.
     *
     * @param typed the query as typed
     * @param index the form of the indexes; absent where they may not be asked, so that the messages are read instead
     */
    static SearchPlan of(String typed, Optional<IndexForm> index) {
        String sanitised = SearchSyntax.sanitise(typed);
        SearchSyntax.Route route = SearchSyntax.route(sanitised);
        return switch (route) {
            case WORDS -> read(SearchSyntax.parseLeniently(sanitised), terms -> ofWords(sanitised, terms, index));
            case TRIGRAMS ->
                read(SearchSyntax.parseSubstrings(sanitised, false), terms -> ofLong(terms.limited(), index));
            case SCAN ->
                read(
                        SearchSyntax.parseSubstrings(sanitised, true),
                        terms -> ofShort(new Scan(terms.limited(), false, false), index));
        };
    }

    private static SearchPlan read(Optional<SearchTerms> terms, Function<MatchedTerms, SearchPlan> plan) {
        return terms.map(MatchedTerms::of).map(plan).orElseGet(Nothing::new);
    }

    private static SearchPlan ofWords(String sanitised, MatchedTerms terms, Optional<IndexForm> index) {
        if (index.isEmpty()) {
            return new Scan(terms.limited().withoutPrefixes(), true, false);
        }
        return terms.isLimited()
                ? new Match(SearchIndex.WORDS, sanitised, retry(terms))
                : new Match(SearchIndex.WORDS, terms.limited().asMatch(), retry(terms.limited()));
    }

    private static SearchPlan ofLong(MatchedTerms whole, Optional<IndexForm> index) {
        boolean anywhere = index.isEmpty()
                || (index.get() == IndexForm.COMPACT
                        && whole.oneOfEach(SearchPlan::isChinese, true).isEmpty());
        if (anywhere) {
            MatchedTerms known = whole.atLeast(TRIGRAM);
            return known.isEmpty() ? new Nothing() : new Scan(known, true, true);
        }
        return new Match(SearchIndex.TRIGRAMS, whole.asMatch(), Optional.empty());
    }

    /** An alternative without any Chinese, Japanese or Korean character may be in any message. */
    private static SearchPlan ofShort(Scan scan, Optional<IndexForm> index) {
        return index.flatMap(form -> scan.terms().oneOfEach(SearchPlan::isChinese, scan.sideBySide()))
                .<SearchPlan>map(terms -> new Beginnings(
                        scan,
                        terms.stream().map(SearchPlan::beginning).distinct().toList()))
                .orElse(scan);
    }

    private static boolean isChinese(MatchedTerms.Term term) {
        return SearchSyntax.cjkIn(term.text()) > 0;
    }

    /** Returns up to three characters of a term from its first Chinese, Japanese or Korean one on. */
    private static String beginning(MatchedTerms.Term term) {
        int[] points = term.text()
                .codePoints()
                .dropWhile(point -> !SearchSyntax.isCjk(point))
                .takeWhile(SearchSyntax::isCjk)
                .limit(TRIGRAM)
                .toArray();
        return new String(points, 0, points.length);
    }

    private static Optional<String> retry(MatchedTerms terms) {
        return Optional.of(terms.wordsOnly()).filter(words -> !words.isEmpty()).map(MatchedTerms::asMatch);
    }
}
