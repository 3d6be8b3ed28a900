package dev.parley.domain.text;

/** Text that UTF-8 can hold. */
public final class Unicode {
    private static final char REPLACEMENT = '\uFFFD';

    private Unicode() {}

    /** Returns whether each surrogate of the text stands in a pair. */
    public static boolean isWellFormed(String text) {
        return firstLonely(text) < 0;
    }

    /** Returns the text with each half of a surrogate pair that stands alone replaced by U+FFFD (storage 4.1). */
    public static String wellFormed(String text) {
        int first = firstLonely(text);
        if (first < 0) {
            return text;
        }
        StringBuilder fixed = new StringBuilder(text);
        for (int i = first; i < text.length(); i++) {
            if (isLonely(text, i)) {
                fixed.setCharAt(i, REPLACEMENT);
            }
        }
        return fixed.toString();
    }

    private static int firstLonely(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isLonely(text, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isLonely(String text, int at) {
        char c = text.charAt(at);
        if (!Character.isSurrogate(c)) {
            return false;
        }
        return Character.isHighSurrogate(c)
                ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
                : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }
}
