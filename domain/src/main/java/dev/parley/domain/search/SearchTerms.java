package dev.parley.domain.search;

import java.util.List;

/** What a query asks for, as a tree. Operators bind like this, tightest first: a blank, NOT, AND, OR. */
public sealed interface SearchTerms {
    /**
     * Words that stand beside each other in this order, or a run of characters where text is compared as a whole.
     *
     * @param text the words, as typed; may hold nothing that counts as a word
     * @param prefix whether the last word is a prefix
     */
    record Phrase(String text, boolean prefix) implements SearchTerms {}

    /**
     * Everything separated by blanks: each part is wanted. Parts without any word are left out.
     *
     * @param parts at least two
     */
    record Together(List<SearchTerms> parts) implements SearchTerms {
        public Together {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Both sides of an AND.
     *
     * @param left the left side
     * @param right the right side
     */
    record Both(SearchTerms left, SearchTerms right) implements SearchTerms {}

    /**
     * Either side of an OR.
     *
     * @param left the left side
     * @param right the right side
     */
    record Either(SearchTerms left, SearchTerms right) implements SearchTerms {}

    /**
     * The left side of a NOT, without what the right side matches.
     *
     * @param wanted the left side
     * @param unwanted the right side
     */
    record Without(SearchTerms wanted, SearchTerms unwanted) implements SearchTerms {}

    /** Returns the phrases that a match may contain, in the order they were typed: not those behind a NOT. */
    default List<Phrase> wantedPhrases() {
        List<Phrase> found = new java.util.ArrayList<>();
        collect(this, found);
        return List.copyOf(found);
    }

    private static void collect(SearchTerms terms, List<Phrase> into) {
        if (terms instanceof Phrase phrase) {
            into.add(phrase);
        } else if (terms instanceof Together together) {
            together.parts().forEach(part -> collect(part, into));
        } else if (terms instanceof Both both) {
            collect(both.left(), into);
            collect(both.right(), into);
        } else if (terms instanceof Either either) {
            collect(either.left(), into);
            collect(either.right(), into);
        } else if (terms instanceof Without without) {
            collect(without.wanted(), into);
        }
    }
}
