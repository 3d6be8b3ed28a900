package dev.parley.domain.search;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What an index that knows words only looks up of a text, and of a query. Each word of a text is a term, folded; so is each character
 * of a script without blanks, and each pair of such characters that stand beside each other, both behind a mark that no word has.
 * Every text that a query matches passes its {@link IndexedQuery}; others may pass too, so {@link SearchedText} decides.
 */
public final class IndexedTerms {
    private static final String MARK = "^";
    /** Longer words are looked up by their beginning. */
    private static final int LONGEST = 200;

    private IndexedTerms() {}

    /** Returns the terms of a text. */
    public static Set<String> of(String text) {
        Set<String> terms = new LinkedHashSet<>();
        for (String word : new Words(text).folded()) {
            if (!word.isEmpty()) {
                terms.add(cut(word));
            }
        }
        addRuns(text, terms, true);
        return terms;
    }

    /** Returns what must be among a text's terms where it is what was asked for. */
    public static IndexedQuery of(TextSearch search) {
        return of(search.terms(), search);
    }

    private static IndexedQuery of(SearchTerms terms, TextSearch search) {
        if (terms instanceof SearchTerms.Both both) {
            return IndexedQuery.all(List.of(of(both.left(), search), of(both.right(), search)));
        }
        if (terms instanceof SearchTerms.Either either) {
            return IndexedQuery.any(List.of(of(either.left(), search), of(either.right(), search)));
        }
        if (terms instanceof SearchTerms.Without without) {
            return of(without.wanted(), search);
        }
        if (terms instanceof SearchTerms.Together together) {
            return IndexedQuery.all(
                    together.parts().stream().map(part -> of(part, search)).toList());
        }
        SearchTerms.Phrase phrase = (SearchTerms.Phrase) terms;
        return search.route() == SearchSyntax.Route.WORDS ? words(phrase, search) : runs(phrase);
    }

    private static IndexedQuery words(SearchTerms.Phrase phrase, TextSearch search) {
        String[] words = search.wordsOf(phrase);
        List<IndexedQuery> wanted = new ArrayList<>();
        for (int i = 0; i < words.length; i++) {
            if (!words[i].isEmpty()) {
                wanted.add(new IndexedQuery.Has(cut(words[i]), phrase.prefix() && i == words.length - 1));
            }
        }
        return IndexedQuery.all(wanted);
    }

    /** A part of a text holds the pairs of its runs, or the character of a run of one; letters beside them are not looked up. */
    private static IndexedQuery runs(SearchTerms.Phrase phrase) {
        Set<String> terms = new LinkedHashSet<>();
        addRuns(phrase.text(), terms, false);
        return IndexedQuery.all(terms.stream()
                .<IndexedQuery>map(term -> new IndexedQuery.Has(term, false))
                .toList());
    }

    private static void addRuns(String text, Set<String> terms, boolean singles) {
        String before = "";
        boolean paired = false;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            at += Character.charCount(point);
            if (SearchSyntax.isCjk(point)) {
                String character = Character.toString(point);
                if (singles) {
                    terms.add(MARK + character);
                }
                if (!before.isEmpty()) {
                    terms.add(MARK + before + character);
                    paired = true;
                }
                before = character;
            } else {
                addSingle(before, paired || singles, terms);
                before = "";
                paired = false;
            }
        }
        addSingle(before, paired || singles, terms);
    }

    private static void addSingle(String last, boolean known, Set<String> terms) {
        if (!last.isEmpty() && !known) {
            terms.add(MARK + last);
        }
    }

    private static String cut(String word) {
        if (word.length() <= LONGEST) {
            return word;
        }
        boolean between = Character.isHighSurrogate(word.charAt(LONGEST - 1));
        return word.substring(0, between ? LONGEST - 1 : LONGEST);
    }
}
