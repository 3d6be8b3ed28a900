package dev.parley.domain.search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A query as it is looked for in texts one after the other, where there is no index: by words without regard to case and accents, or by
 * parts of the text (storage 1.4, 5.5). Not safe for concurrent use.
 */
public final class TextSearch {
    private final SearchSyntax.Route route;
    private final SearchTerms terms;
    private final List<SearchTerms.Phrase> wanted;
    private final Map<SearchTerms.Phrase, String[]> words = new HashMap<>();

    private TextSearch(SearchSyntax.Route route, SearchTerms terms) {
        this.route = route;
        this.terms = terms;
        this.wanted = terms.wantedPhrases();
    }

    /** Returns the search for a query as it was typed; nothing where it asks for nothing (storage 5.1). */
    public static Optional<TextSearch> of(String query) {
        String sanitised = SearchSyntax.sanitise(query);
        SearchSyntax.Route route = SearchSyntax.route(sanitised);
        Optional<SearchTerms> terms = sanitised.isEmpty()
                ? Optional.empty()
                : switch (route) {
                    case WORDS -> SearchSyntax.parse(sanitised).or(() -> SearchSyntax.parseLeniently(sanitised));
                    case TRIGRAMS -> SearchSyntax.parseSubstrings(sanitised, false);
                    case SCAN -> SearchSyntax.parseSubstrings(sanitised, true);
                };
        return terms.map(asked -> new TextSearch(route, asked));
    }

    /** Returns how texts are compared. */
    public SearchSyntax.Route route() {
        return route;
    }

    /** Returns the phrases that a match may have. */
    public List<SearchTerms.Phrase> wanted() {
        return wanted;
    }

    SearchTerms terms() {
        return terms;
    }

    /** The words of a phrase, folded. */
    String[] wordsOf(SearchTerms.Phrase phrase) {
        return words.computeIfAbsent(phrase, each -> new Words(each.text()).folded());
    }
}
