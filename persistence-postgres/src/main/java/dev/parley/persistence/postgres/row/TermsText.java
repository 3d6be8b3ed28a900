package dev.parley.persistence.postgres.row;

import dev.parley.persistence.postgres.statement.StoredText;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** What search looks up of a message, as a {@code tsvector} is written: lexemes in quotes, without places. */
public final class TermsText {
    /** The lexeme of a message with more lexemes than the column can hold. No word is a blank. */
    public static final String CUT = quoted(" ");

    /** PostgreSQL holds a megabyte of lexemes. */
    private static final int MOST_BYTES = 900_000;

    private TermsText() {}

    /** Writes lexemes; as many as the column can hold and {@link #CUT} where there are more. */
    public static String of(Set<String> lexemes) {
        StringBuilder text = new StringBuilder();
        int bytes = 0;
        for (String lexeme : lexemes) {
            bytes += StoredText.write(lexeme).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MOST_BYTES) {
                return text.append(CUT).toString();
            }
            text.append(quoted(lexeme)).append(' ');
        }
        return text.toString();
    }

    /** Returns a lexeme in quotes. */
    public static String quoted(String lexeme) {
        return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'";
    }
}
