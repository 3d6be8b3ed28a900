package dev.parley.persistence.sqlite.json;

/** Makes any Java text storable as UTF-8. */
public final class Unicode {
    private static final char REPLACEMENT = '\uFFFD';

    private Unicode() {}

    /** Returns the text with each half of a surrogate pair that stands alone replaced by U+FFFD (storage 4.1). */
    public static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++;
                } else {
                    return replaced(text, i);
                }
            }
        }
        return text;
    }

    private static String replaced(String text, int from) {
        StringBuilder out = new StringBuilder(text);
        for (int i = from; i < out.length(); i++) {
            char c = out.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < out.length() && Character.isLowSurrogate(out.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                out.setCharAt(i, REPLACEMENT);
            }
        }
        return out.toString();
    }
}
