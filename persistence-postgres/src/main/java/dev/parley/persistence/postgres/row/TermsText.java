package dev.parley.persistence.postgres.row;

import dev.parley.persistence.postgres.statement.StoredText;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * What search looks up of a message, as a {@code tsvector} is written: lexemes in quotes, without places.
 *
 * @param text the lexemes
 * @param cut whether there were more than the column can hold
 */
public record TermsText(String text, boolean cut) {
    /** PostgreSQL holds a megabyte of lexemes. */
    private static final int MOST_BYTES = 900_000;

    /** Writes lexemes. */
    public static TermsText of(Set<String> lexemes) {
        StringBuilder text = new StringBuilder();
        int bytes = 0;
        for (String lexeme : lexemes) {
            bytes += StoredText.write(lexeme).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MOST_BYTES) {
                return new TermsText(text.toString(), true);
            }
            text.append(quoted(lexeme)).append(' ');
        }
        return new TermsText(text.toString(), false);
    }

    /** Returns a lexeme in quotes. */
    public static String quoted(String lexeme) {
        return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'";
    }
}
