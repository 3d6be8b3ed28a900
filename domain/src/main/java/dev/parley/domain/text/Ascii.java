package dev.parley.domain.text;

/** Letters as the storage rules fold them: the 26 of ASCII, and no others (storage 3.5). */
public final class Ascii {
    private Ascii() {}

    /** Returns the text with its ASCII letters in lower case. */
    public static String lower(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isUpper(text.charAt(i))) {
                return folded(text, i);
            }
        }
        return text;
    }

    private static String folded(String text, int from) {
        StringBuilder lower = new StringBuilder(text);
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isUpper(c)) {
                lower.setCharAt(i, (char) (c + ('a' - 'A')));
            }
        }
        return lower.toString();
    }

    private static boolean isUpper(char c) {
        return c >= 'A' && c <= 'Z';
    }
}
