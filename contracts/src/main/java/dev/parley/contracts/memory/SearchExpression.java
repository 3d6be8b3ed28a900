package dev.parley.contracts.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A query as it was meant: phrases in double quotes, words side by side, {@code AND}, {@code OR} and {@code NOT} in capitals,
 * an asterisk behind a word for any ending (storage 5.2). Words side by side bind most, then NOT, AND, OR. What cannot be
 * read as an operator is a word, so a query never fails.
 */
sealed interface SearchExpression {
    /** One word or phrase. */
    record Term(String text, boolean prefix) implements SearchExpression {}

    /** Both. */
    record And(SearchExpression left, SearchExpression right) implements SearchExpression {}

    /** At least one. */
    record Or(SearchExpression left, SearchExpression right) implements SearchExpression {}

    /** The first and not the second. */
    record Not(SearchExpression left, SearchExpression right) implements SearchExpression {}

    /** Reads a query; nothing where no word is left. */
    static Optional<SearchExpression> parse(String query, boolean sideBySideIsOr) {
        List<Piece> pieces = trimmed(pieces(query));
        return pieces.isEmpty() ? Optional.empty() : Optional.of(new Reader(pieces, sideBySideIsOr).or());
    }

    /** All terms of a query, operators left out. */
    static List<Term> terms(String query) {
        return trimmed(pieces(query)).stream()
                .filter(p -> p.operator().isEmpty())
                .map(Piece::term)
                .toList();
    }

    /** A term, or an operator as it was typed. */
    record Piece(Term term, String operator) {}

    private static List<Piece> pieces(String query) {
        List<Piece> pieces = new ArrayList<>();
        int at = 0;
        while (at < query.length()) {
            char c = query.charAt(at);
            int close = c == '"' ? query.indexOf('"', at + 1) : -1;
            if (close > at) {
                boolean prefix = close + 1 < query.length() && query.charAt(close + 1) == '*';
                if (!query.substring(at + 1, close).isBlank()) {
                    pieces.add(new Piece(new Term(query.substring(at + 1, close), prefix), ""));
                }
                at = close + 1;
            } else if (isSeparator(c) || c == '*') {
                at++;
            } else {
                int end = at;
                while (end < query.length() && !isSeparator(query.charAt(end))) {
                    end++;
                }
                pieces.add(word(query.substring(at, end)));
                at = end;
            }
        }
        return pieces;
    }

    private static Piece word(String text) {
        boolean operator = text.equals("AND") || text.equals("OR") || text.equals("NOT");
        boolean prefix = text.endsWith("*");
        return new Piece(new Term(prefix ? text.replaceAll("\\*+$", "") : text, prefix), operator ? text : "");
    }

    private static boolean isSeparator(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c) || "+{}()\"^".indexOf(c) >= 0;
    }

    /** Without an operator at either end, in any case, and without a doubled one. */
    private static List<Piece> trimmed(List<Piece> all) {
        List<Piece> pieces = new ArrayList<>(all);
        if (!pieces.isEmpty() && looksLikeOperator(pieces.get(0))) {
            pieces.remove(0);
        }
        if (!pieces.isEmpty() && looksLikeOperator(pieces.get(pieces.size() - 1))) {
            pieces.remove(pieces.size() - 1);
        }
        List<Piece> readable = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            boolean between = i > 0
                    && i + 1 < pieces.size()
                    && pieces.get(i - 1).operator().isEmpty()
                    && pieces.get(i + 1).operator().isEmpty();
            Piece piece = pieces.get(i);
            readable.add(piece.operator().isEmpty() || between ? piece : new Piece(piece.term(), ""));
        }
        return readable;
    }

    private static boolean looksLikeOperator(Piece piece) {
        String text = piece.term().text().toUpperCase(Locale.ROOT);
        return text.equals("AND") || text.equals("OR") || text.equals("NOT");
    }

    /** Reads pieces from left to right. */
    final class Reader {
        private final List<Piece> pieces;
        private final boolean sideBySideIsOr;
        private int at;

        Reader(List<Piece> pieces, boolean sideBySideIsOr) {
            this.pieces = pieces;
            this.sideBySideIsOr = sideBySideIsOr;
        }

        SearchExpression or() {
            SearchExpression left = and();
            while (take("OR")) {
                left = new Or(left, and());
            }
            return left;
        }

        private SearchExpression and() {
            SearchExpression left = not();
            while (take("AND")) {
                left = new And(left, not());
            }
            return left;
        }

        private SearchExpression not() {
            SearchExpression left = sideBySide();
            while (take("NOT")) {
                left = new Not(left, sideBySide());
            }
            return left;
        }

        private SearchExpression sideBySide() {
            SearchExpression left = pieces.get(at++).term();
            while (at < pieces.size() && pieces.get(at).operator().isEmpty()) {
                Term right = pieces.get(at++).term();
                left = sideBySideIsOr ? new Or(left, right) : new And(left, right);
            }
            return left;
        }

        private boolean take(String operator) {
            if (at < pieces.size() && pieces.get(at).operator().equals(operator)) {
                at++;
                return true;
            }
            return false;
        }
    }
}
