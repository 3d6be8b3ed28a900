package dev.parley.persistence.sqlite.search;

import dev.parley.domain.search.SearchSyntax;

/** How much of a term is looked for. */
final class Limits {
    private Limits() {}

    /** Returns a text up to the end of its {@code most}-th unit: a word, or a Chinese, Japanese or Korean character. */
    static String cut(String text, int most) {
        int units = 0;
        boolean inside = false;
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            boolean word = SearchSyntax.isWord(point) && point != '_';
            if (word && (!inside || SearchSyntax.isCjk(point))) {
                units++;
                if (units > most) {
                    return text.substring(0, at);
                }
            }
            inside = word;
            at += Character.charCount(point);
        }
        return text;
    }
}
