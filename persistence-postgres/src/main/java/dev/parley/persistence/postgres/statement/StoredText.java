package dev.parley.persistence.postgres.statement;

import dev.parley.domain.text.Unicode;

/**
 * Text as columns hold it. PostgreSQL refuses U+0000, so that character is written as a pair, and the one that begins such a pair
 * as another; lone surrogates become U+FFFD. Equal texts stay equal and different ones different.
 */
public final class StoredText {
    private static final char ESCAPE = '\uFDD0';
    private static final char NUL = '0';
    private static final char ITSELF = '1';

    private StoredText() {}

    /** Returns the text as a column holds it. */
    public static String write(String text) {
        String plain = Unicode.wellFormed(text);
        if (plain.indexOf('\0') < 0 && plain.indexOf(ESCAPE) < 0) {
            return plain;
        }
        StringBuilder written = new StringBuilder(plain.length() + 8);
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (c == '\0') {
                written.append(ESCAPE).append(NUL);
            } else if (c == ESCAPE) {
                written.append(ESCAPE).append(ITSELF);
            } else {
                written.append(c);
            }
        }
        return written.toString();
    }

    /** Returns the text a column holds; an escape that was not written here stays as it is. */
    public static String read(String column) {
        int at = column.indexOf(ESCAPE);
        if (at < 0) {
            return column;
        }
        StringBuilder text = new StringBuilder(column.length());
        for (int i = 0; i < column.length(); i++) {
            char c = column.charAt(i);
            char next = i + 1 < column.length() ? column.charAt(i + 1) : ' ';
            if (c == ESCAPE && (next == NUL || next == ITSELF)) {
                text.append(next == NUL ? '\0' : ESCAPE);
                i++;
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }
}
