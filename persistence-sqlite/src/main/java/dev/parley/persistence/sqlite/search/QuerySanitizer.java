package dev.parley.persistence.sqlite.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Makes a typed query safe to be matched (storage 5.2). Balanced phrases stay as they are, characters with a meaning to the index vanish,
 * operators at the ends fall away, and names with inner dots, hyphens or underscores become phrases. Pure; never throws.
 *
 * <p>Phrases are kept apart as numbers that no character has, so no query can forge one.
 */
final class QuerySanitizer {
    /** Longer queries are cut: nobody types them, and the depth of an expression is limited. */
    private static final int LONGEST = 2048;

    private static final List<String> OPERATORS = List.of("AND", "OR", "NOT");

    private final List<String> phrases = new ArrayList<>();
    private int[] text;

    private QuerySanitizer(int[] points) {
        this.text = setPhrasesAside(points);
    }

    /** Returns the query as it is matched; empty where nothing is left of it. */
    static String sanitize(String query) {
        int[] points = query.codePoints().limit(LONGEST).toArray();
        QuerySanitizer sanitizer = new QuerySanitizer(points);
        sanitizer.blank("+{}()\"^");
        sanitizer.thinOutStars();
        sanitizer.text = trim(sanitizer.text);
        sanitizer.dropLeadingOperator();
        sanitizer.text = trim(sanitizer.text);
        sanitizer.dropTrailingOperator();
        return sanitizer.withNamesQuoted();
    }

    /** Step 1: every balanced phrase becomes one negative number. */
    private int[] setPhrasesAside(int[] points) {
        int[] kept = new int[points.length];
        int length = 0;
        int at = 0;
        while (at < points.length) {
            int close = points[at] == '"' ? indexOf(points, '"', at + 1) : -1;
            if (close < 0) {
                kept[length++] = points[at++];
            } else {
                phrases.add(new String(points, at, close + 1 - at));
                kept[length++] = -phrases.size();
                at = close + 1;
            }
        }
        return Arrays.copyOf(kept, length);
    }

    /** Step 2. */
    private void blank(String special) {
        text = Arrays.stream(text)
                .map(point -> point > 0 && special.indexOf(point) >= 0 ? ' ' : point)
                .toArray();
    }

    /** Step 3: of several stars one stays, and none where no word stands before it. */
    private void thinOutStars() {
        int[] kept = new int[text.length];
        int length = 0;
        int before = ' ';
        for (int point : text) {
            boolean falls = point == '*' && (before == '*' || Characters.isSpace(before));
            if (!falls) {
                kept[length++] = point;
            }
            before = point;
        }
        text = Arrays.copyOf(kept, length);
    }

    /** Step 4, at the beginning: one operator in any case, with the spaces behind it. */
    private void dropLeadingOperator() {
        for (String operator : OPERATORS) {
            int end = operator.length();
            if (reads(0, operator) && (end == text.length || !Characters.isWord(text[end]))) {
                while (end < text.length && Characters.isSpace(text[end])) {
                    end++;
                }
                text = Arrays.copyOfRange(text, end, text.length);
                return;
            }
        }
    }

    /** Step 4, at the end: one operator in any case, with the spaces before it. */
    private void dropTrailingOperator() {
        for (String operator : OPERATORS) {
            int start = text.length - operator.length();
            if (start > 0 && reads(start, operator) && Characters.isSpace(text[start - 1])) {
                while (start > 0 && Characters.isSpace(text[start - 1])) {
                    start--;
                }
                text = Arrays.copyOf(text, start);
                return;
            }
        }
    }

    private boolean reads(int at, String word) {
        if (at < 0 || at + word.length() > text.length) {
            return false;
        }
        StringBuilder found = new StringBuilder();
        for (int i = at; i < at + word.length(); i++) {
            found.appendCodePoint(text[i] < 0 ? ' ' : text[i]);
        }
        return found.toString().toUpperCase(Locale.ROOT).equals(word)
                && found.chars().allMatch(c -> c < 0x80);
    }

    /** Steps 5 and 6. */
    private String withNamesQuoted() {
        StringBuilder out = new StringBuilder();
        int at = 0;
        while (at < text.length) {
            Optional<Integer> end = Characters.isWord(text[at]) ? Optional.of(endOfName(at)) : Optional.empty();
            if (end.isEmpty()) {
                append(out, at++);
                continue;
            }
            boolean compound = isCompound(at, end.get());
            out.append(compound ? "\"" : "");
            while (at < end.get()) {
                append(out, at++);
            }
            out.append(compound ? "\"" : "");
        }
        int[] points = trim(out.codePoints().toArray());
        return new String(points, 0, points.length);
    }

    /** Returns where a run of words joined by single dots and hyphens ends. */
    private int endOfName(int start) {
        int end = endOfWord(start);
        while (end + 1 < text.length && (text[end] == '.' || text[end] == '-') && Characters.isWord(text[end + 1])) {
            end = endOfWord(end + 1);
        }
        return end;
    }

    private int endOfWord(int start) {
        int end = start;
        while (end < text.length && Characters.isWord(text[end])) {
            end++;
        }
        return end;
    }

    /** Returns whether something joins two words inside of it: a dot, a hyphen, or an underscore that is not at an end. */
    private boolean isCompound(int start, int end) {
        for (int i = start; i < end; i++) {
            boolean inner = i > start && i < end - 1;
            if (text[i] == '.' || text[i] == '-' || (text[i] == '_' && inner)) {
                return true;
            }
        }
        return false;
    }

    private void append(StringBuilder out, int at) {
        if (text[at] < 0) {
            out.append(phrases.get(-1 - text[at]));
        } else {
            out.appendCodePoint(text[at]);
        }
    }

    private static int indexOf(int[] points, int wanted, int from) {
        for (int i = from; i < points.length; i++) {
            if (points[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    private static int[] trim(int[] points) {
        IntPredicate space = Characters::isSpace;
        int start = 0;
        while (start < points.length && space.test(points[start])) {
            start++;
        }
        int end = points.length;
        while (end > start && space.test(points[end - 1])) {
            end--;
        }
        return Arrays.copyOfRange(points, start, end);
    }
}
