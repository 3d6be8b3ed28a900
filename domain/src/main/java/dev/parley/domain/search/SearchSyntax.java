package dev.parley.domain.search;

import dev.parley.domain.text.Blanks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How a typed query is cleaned and read (storage 5.2, 5.5). Pure; never throws. */
public final class SearchSyntax {
    private static final String WORD = "[\\p{L}\\p{N}_]";
    private static final Pattern PHRASE = Pattern.compile("\"[^\"]*\"");
    private static final Pattern JOINED =
            Pattern.compile("(?<!" + WORD + ")" + WORD + "+(?:[._-]" + WORD + "+)+(?!" + WORD + ")");
    private static final Pattern STARS = Pattern.compile("\\*+");
    private static final Pattern LEADING =
            Pattern.compile("^(?:AND|OR|NOT)(?!" + WORD + ")[" + Blanks.CLASS + "]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern TRAILING =
            Pattern.compile("[" + Blanks.CLASS + "]+(?:AND|OR|NOT)$", Pattern.CASE_INSENSITIVE);
    private static final String COLUMN = "content";
    private static final Set<String> OPERATORS = Set.of("AND", "OR", "NOT");

    private SearchSyntax() {}

    /** Returns the query with what a search cannot use taken out, or an empty text (storage 5.2). */
    public static String sanitise(String query) {
        List<Piece> pieces = split(query);
        pieces.replaceAll(piece -> piece.quoted ? piece : piece.with(piece.text.replaceAll("[+{}()\"^]", " ")));
        pieces.replaceAll(piece ->
                piece.quoted ? piece : piece.with(STARS.matcher(piece.text).replaceAll("*")));
        dropLooseStars(pieces);
        trim(pieces);
        dropLeadingOperator(pieces);
        dropTrailingOperator(pieces);
        pieces.replaceAll(piece ->
                piece.quoted ? piece : piece.with(JOINED.matcher(piece.text).replaceAll("\"$0\"")));
        StringBuilder joined = new StringBuilder();
        pieces.forEach(piece -> joined.append(piece.text));
        return Blanks.trim(joined.toString());
    }

    /**
     * Reads a sanitised query as words of an index, or returns nothing where its syntax is wrong: an operator without two
     * sides, or a character that is neither part of a word nor quoted.
     */
    public static Optional<SearchTerms> parse(String sanitised) {
        return new Reading(tokens(sanitised), false).read();
    }

    /**
     * Reads a sanitised query that {@link #parse} refuses: every token is taken as a phrase, and operators count only between two
     * of them (storage 5.1). Returns nothing where no token is left.
     */
    public static Optional<SearchTerms> parseLeniently(String sanitised) {
        List<Token> kept = new ArrayList<>();
        for (String word : Blanks.split(sanitised)) {
            if (OPERATORS.contains(word)) {
                kept.add(Token.operator(word));
            } else {
                boolean prefix = word.length() > 1 && word.endsWith("*");
                kept.add(Token.phrase(
                        (prefix ? word.substring(0, word.length() - 1) : word).replace("\"", ""), prefix));
            }
        }
        return new Reading(betweenPhrases(kept), false).read();
    }

    /**
     * Reads a sanitised query for text that is compared as a whole (storage 5.5): quotes hold a phrase together, a trailing star
     * means nothing, operators count between two phrases.
     *
     * @param blankMeansEither whether a blank between two phrases asks for either of them, as where they are too short to be
     *     looked up
     */
    public static Optional<SearchTerms> parseSubstrings(String sanitised, boolean blankMeansEither) {
        List<Token> kept = new ArrayList<>();
        for (Piece piece : split(sanitised)) {
            if (piece.quoted) {
                String inner = piece.text.substring(1, piece.text.length() - 1);
                if (!Blanks.trim(inner).isEmpty()) {
                    kept.add(Token.phrase(inner, false));
                }
                continue;
            }
            for (String word : Blanks.split(piece.text)) {
                String bare = word.replace("\"", "");
                while (bare.endsWith("*")) {
                    bare = bare.substring(0, bare.length() - 1);
                }
                if (OPERATORS.contains(bare)) {
                    kept.add(Token.operator(bare));
                } else if (!bare.isEmpty()
                        && !(blankMeansEither && OPERATORS.contains(bare.toUpperCase(Locale.ROOT)))) {
                    kept.add(Token.phrase(bare, false));
                }
            }
        }
        return new Reading(betweenPhrases(kept), blankMeansEither).read();
    }

    /** Returns how a sanitised query is compared with text (storage 5.5). */
    public static Route route(String sanitised) {
        if (sanitised.codePoints().noneMatch(SearchSyntax::isCjk)) {
            return Route.WORDS;
        }
        String raw = sanitised;
        while (raw.startsWith("\"")) {
            raw = raw.substring(1);
        }
        while (raw.endsWith("\"")) {
            raw = raw.substring(0, raw.length() - 1);
        }
        if (raw.codePoints().filter(SearchSyntax::isCjk).count() < 3) {
            return Route.SCAN;
        }
        for (String token : Blanks.split(raw)) {
            long cjk = token.codePoints().filter(SearchSyntax::isCjk).count();
            if (!OPERATORS.contains(token.toUpperCase(Locale.ROOT)) && cjk > 0 && cjk < 3) {
                return Route.SCAN;
            }
        }
        return Route.TRIGRAMS;
    }

    /** Returns true for characters of scripts that are written without blanks between words (storage 5.5). */
    public static boolean isCjk(int point) {
        return (point >= 0x4E00 && point <= 0x9FFF)
                || (point >= 0x3400 && point <= 0x4DBF)
                || (point >= 0x20000 && point <= 0x2A6DF)
                || (point >= 0x3000 && point <= 0x30FF)
                || (point >= 0xAC00 && point <= 0xD7AF);
    }

    /** How a query is compared with text. */
    public enum Route {
        /** By words. */
        WORDS,
        /** By runs of three characters or more, in any case. */
        TRIGRAMS,
        /** By runs of any length, in any ASCII case, newest message first. */
        SCAN
    }

    private static List<Piece> split(String query) {
        List<Piece> pieces = new ArrayList<>();
        Matcher phrases = PHRASE.matcher(query);
        int from = 0;
        while (phrases.find()) {
            pieces.add(new Piece(query.substring(from, phrases.start()), false));
            pieces.add(new Piece(phrases.group(), true));
            from = phrases.end();
        }
        pieces.add(new Piece(query.substring(from), false));
        return pieces;
    }

    /** A star is a prefix only behind something. */
    private static void dropLooseStars(List<Piece> pieces) {
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            if (piece.quoted) {
                continue;
            }
            StringBuilder kept = new StringBuilder();
            for (int at = 0; at < piece.text.length(); at++) {
                char c = piece.text.charAt(at);
                boolean loose = at == 0 ? i == 0 : Blanks.is(piece.text.charAt(at - 1));
                if (c != '*' || !loose) {
                    kept.append(c);
                }
            }
            pieces.set(i, piece.with(kept.toString()));
        }
    }

    private static void trim(List<Piece> pieces) {
        Piece first = pieces.get(0);
        pieces.set(0, first.with(Blanks.trimStart(first.text)));
        Piece last = pieces.get(pieces.size() - 1);
        pieces.set(pieces.size() - 1, last.with(Blanks.trimEnd(last.text)));
    }

    private static void dropLeadingOperator(List<Piece> pieces) {
        Piece first = pieces.get(0);
        Matcher operator = LEADING.matcher(first.text);
        if (operator.find()) {
            pieces.set(0, first.with(first.text.substring(operator.end())));
            trim(pieces);
        }
    }

    private static void dropTrailingOperator(List<Piece> pieces) {
        int end = pieces.size() - 1;
        Piece last = pieces.get(end);
        Matcher operator = TRAILING.matcher(last.text);
        if (operator.find()) {
            pieces.set(end, last.with(last.text.substring(0, operator.start())));
        }
    }

    private static List<Token> betweenPhrases(List<Token> tokens) {
        List<Token> kept = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            boolean phraseBefore = !kept.isEmpty() && kept.get(kept.size() - 1).operator == null;
            boolean phraseBehind = i + 1 < tokens.size() && tokens.get(i + 1).operator == null;
            if (tokens.get(i).operator == null || (phraseBefore && phraseBehind)) {
                kept.add(tokens.get(i));
            }
        }
        return kept;
    }

    private static List<Token> tokens(String text) {
        List<Token> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int point = text.codePointAt(at);
            int start = at;
            if (point == ' ' || point == '\t' || point == '\n' || point == '\r') {
                at++;
            } else if (point == '"') {
                int end = text.indexOf('"', at + 1);
                if (end < 0) {
                    return List.of(Token.WRONG);
                }
                at = end + 1;
                boolean prefix = at < text.length() && text.charAt(at) == '*';
                tokens.add(Token.phrase(text.substring(start + 1, end), prefix));
                at += prefix ? 1 : 0;
            } else if (isBare(point)) {
                while (at < text.length() && isBare(text.codePointAt(at))) {
                    at += Character.charCount(text.codePointAt(at));
                }
                String word = text.substring(start, at);
                if (word.equalsIgnoreCase(COLUMN) && at < text.length() && text.charAt(at) == ':') {
                    at++;
                    continue;
                }
                boolean prefix = at < text.length() && text.charAt(at) == '*';
                tokens.add(OPERATORS.contains(word) && !prefix ? Token.operator(word) : Token.phrase(word, prefix));
                at += prefix ? 1 : 0;
            } else {
                return List.of(Token.WRONG);
            }
        }
        return tokens;
    }

    private static boolean isBare(int point) {
        return point > 127 || point == '_' || point == 0x1A || (point < 128 && Character.isLetterOrDigit(point));
    }

    private record Piece(String text, boolean quoted) {
        Piece with(String other) {
            return quoted ? this : new Piece(other, false);
        }
    }

    private record Token(@Nullable String operator, String text, boolean prefix) {
        static final Token WRONG = new Token("", "", false);

        static Token operator(String name) {
            return new Token(name, "", false);
        }

        static Token phrase(String text, boolean prefix) {
            return new Token(null, text, prefix);
        }

        boolean is(String name) {
            return name.equals(operator);
        }
    }

    /** Reads tokens by descent: OR of ANDs of NOTs of runs of phrases. */
    private static final class Reading {
        private final List<Token> tokens;
        private final boolean blankMeansEither;
        private int at;

        Reading(List<Token> tokens, boolean blankMeansEither) {
            this.tokens = tokens;
            this.blankMeansEither = blankMeansEither;
        }

        Optional<SearchTerms> read() {
            Optional<SearchTerms> all = either();
            return at == tokens.size() ? all : Optional.empty();
        }

        private Optional<SearchTerms> either() {
            Optional<SearchTerms> left = both();
            while (left.isPresent() && next("OR")) {
                SearchTerms before = left.get();
                left = both().map(right -> new SearchTerms.Either(before, right));
            }
            return left;
        }

        private Optional<SearchTerms> both() {
            Optional<SearchTerms> left = without();
            while (left.isPresent() && next("AND")) {
                SearchTerms before = left.get();
                left = without().map(right -> new SearchTerms.Both(before, right));
            }
            return left;
        }

        private Optional<SearchTerms> without() {
            Optional<SearchTerms> left = together();
            while (left.isPresent() && next("NOT")) {
                SearchTerms before = left.get();
                left = together().map(right -> new SearchTerms.Without(before, right));
            }
            return left;
        }

        private Optional<SearchTerms> together() {
            List<SearchTerms> parts = new ArrayList<>();
            while (at < tokens.size() && tokens.get(at).operator == null) {
                Token token = tokens.get(at++);
                parts.add(new SearchTerms.Phrase(token.text, token.prefix));
            }
            if (parts.size() < 2) {
                return parts.stream().findFirst();
            }
            if (!blankMeansEither) {
                return Optional.of(new SearchTerms.Together(parts));
            }
            SearchTerms either = parts.get(0);
            for (SearchTerms part : parts.subList(1, parts.size())) {
                either = new SearchTerms.Either(either, part);
            }
            return Optional.of(either);
        }

        private boolean next(String operator) {
            boolean there = at < tokens.size() && tokens.get(at).is(operator);
            at += there ? 1 : 0;
            return there;
        }
    }
}
