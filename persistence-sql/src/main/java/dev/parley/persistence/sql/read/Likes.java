package dev.parley.persistence.sql.read;

import java.util.Locale;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.impl.DSL;

/** Comparisons without regard to ASCII case, in which every character of the text stands for itself. */
public final class Likes {
    private static final char ESCAPE = '\\';

    private Likes() {}

    /** Returns the pattern for texts that begin with this one. */
    public static String prefix(String text) {
        return literal(text) + "%";
    }

    /** Returns the condition that a column matches a pattern made here. SQLite's {@code lower} knows ASCII only. */
    public static Condition like(Field<String> column, Field<String> pattern) {
        return DSL.lower(column).like(pattern, ESCAPE);
    }

    private static String literal(String text) {
        StringBuilder literal = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ESCAPE || c == '%' || c == '_') {
                literal.append(ESCAPE);
            }
            literal.append(c < 128 ? String.valueOf(c).toLowerCase(Locale.ROOT) : String.valueOf(c));
        }
        return literal.toString();
    }
}
