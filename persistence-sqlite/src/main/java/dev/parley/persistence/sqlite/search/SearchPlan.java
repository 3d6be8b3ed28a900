package dev.parley.persistence.sqlite.search;

import dev.parley.persistence.sqlite.schema.IndexForm;
import dev.parley.persistence.sqlite.schema.SearchIndex;
import dev.parley.persistence.sqlite.search.SearchTerms.LowerCaseOperators;
import java.util.List;
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
     * @param folded whether terms are compared as the index of substrings compares them: in any case of any script, over all that is
     *     searched of a message as one text; else in any ASCII case, in each column
     */
    record Scan(SearchTerms terms, boolean sideBySide, boolean folded) implements SearchPlan {}

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
        String sanitized = QuerySanitizer.sanitize(typed);
        SearchTerms terms = SearchTerms.of(sanitized, LowerCaseOperators.WORDS);
        if (terms.isEmpty()) {
            return new Nothing();
        }
        if (Characters.cjkIn(sanitized) > 0) {
            return ofCjk(sanitized, terms, index);
        }
        if (index.isEmpty()) {
            return new Scan(terms.limited().withoutPrefixes(), true, false);
        }
        return terms.isLimited()
                ? new Match(SearchIndex.WORDS, sanitized, retry(terms))
                : new Match(SearchIndex.WORDS, terms.limited().asMatch(), retry(terms.limited()));
    }

    /**
     * The index of substrings knows no term of one or two characters, so one such decides for the whole query; so do fewer than
     * three in all, where an ideographic space is the only one.
     */
    private static SearchPlan ofCjk(String sanitized, SearchTerms terms, Optional<IndexForm> index) {
        boolean longEnough = Characters.cjkIn(sanitized) >= TRIGRAM
                && terms.terms()
                        .mapToLong(term -> Characters.cjkIn(term.text()))
                        .allMatch(count -> count == 0 || count >= TRIGRAM);
        if (!longEnough) {
            SearchTerms scanned = SearchTerms.of(sanitized, LowerCaseOperators.NOTHING)
                    .limited()
                    .withoutPrefixes();
            return scanned.isEmpty() ? new Nothing() : ofShort(new Scan(scanned, false, false), index);
        }
        SearchTerms whole = terms.limited().withoutPrefixes();
        boolean anywhere = index.isEmpty()
                || (index.get() == IndexForm.COMPACT
                        && whole.oneOfEach(SearchPlan::isChinese, true).isEmpty());
        if (anywhere) {
            SearchTerms known = whole.atLeast(TRIGRAM);
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

    private static boolean isChinese(SearchTerms.Term term) {
        return Characters.cjkIn(term.text()) > 0;
    }

    /** Returns up to three characters of a term from its first Chinese, Japanese or Korean one on. */
    private static String beginning(SearchTerms.Term term) {
        int[] points = term.text()
                .codePoints()
                .dropWhile(point -> !Characters.isCjk(point))
                .takeWhile(Characters::isCjk)
                .limit(TRIGRAM)
                .toArray();
        return new String(points, 0, points.length);
    }

    private static Optional<String> retry(SearchTerms terms) {
        return Optional.of(terms.wordsOnly()).filter(words -> !words.isEmpty()).map(SearchTerms::asMatch);
    }
}
