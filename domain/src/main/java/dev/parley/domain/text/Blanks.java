package dev.parley.domain.text;

import java.util.ArrayList;
import java.util.List;

/** White space as the storage rules count it, which is not what {@link String#strip()} takes away. */
public final class Blanks {
    /** The characters as the inside of a character class. */
    public static final String CLASS =
            "\\u0009-\\u000D\\u001C-\\u001F\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029"
                    + "\\u202F\\u205F\\u3000";

    private Blanks() {}

    /** Whether this character is white space. */
    public static boolean is(int c) {
        return (c >= 0x09 && c <= 0x0D)
                || (c >= 0x1C && c <= 0x20)
                || c == 0x85
                || c == 0xA0
                || c == 0x1680
                || (c >= 0x2000 && c <= 0x200A)
                || c == 0x2028
                || c == 0x2029
                || c == 0x202F
                || c == 0x205F
                || c == 0x3000;
    }

    /** The text without white space at its start. */
    public static String trimStart(String text) {
        int from = 0;
        while (from < text.length() && is(text.charAt(from))) {
            from++;
        }
        return text.substring(from);
    }

    /** The text without white space at its end. */
    public static String trimEnd(String text) {
        int to = text.length();
        while (to > 0 && is(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(0, to);
    }

    /** The text without white space at either end. */
    public static String trim(String text) {
        return trimEnd(trimStart(text));
    }

    /** The words between white space, in order; empty for a blank text. */
    public static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        int start = -1;
        for (int i = 0; i <= text.length(); i++) {
            boolean blank = i == text.length() || is(text.charAt(i));
            if (blank && start >= 0) {
                words.add(text.substring(start, i));
                start = -1;
            } else if (!blank && start < 0) {
                start = i;
            }
        }
        return words;
    }
}
