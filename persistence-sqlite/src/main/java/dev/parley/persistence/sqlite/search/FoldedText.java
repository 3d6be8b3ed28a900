package dev.parley.persistence.sqlite.search;

import dev.parley.domain.search.CaseFold;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.Function;

/** Compares texts as the index of substrings does, where that may not be asked. */
final class FoldedText {
    /** The function's name: of a text and a part, 1 where the part is in the text, else 0. */
    static final String HAS = "parley_has";

    private FoldedText() {}

    /** Makes a connection know the function. */
    static void teach(Connection connection) throws SQLException {
        Function.create(connection, HAS, new Has(), 2, Function.FLAG_DETERMINISTIC);
    }

    /** The same part is asked of text after text. */
    private static final class Has extends Function {
        private String part = "";
        private String folded = "";

        @Override
        protected void xFunc() throws SQLException {
            String wanted = value_text(1);
            if (!wanted.equals(part)) {
                folded = CaseFold.of(wanted);
                part = wanted;
            }
            result(CaseFold.of(value_text(0)).contains(folded) ? 1 : 0);
        }
    }
}
