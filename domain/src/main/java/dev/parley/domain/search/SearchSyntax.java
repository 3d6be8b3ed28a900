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

    /** The most characters of a query that count: nobody types more, and what costs minutes is far above. */
    private static final int LONGEST = 2048;

    /** An index of substrings knows no shorter ones. */
    private static final int TRIGRAM = 3;

    private static final Set<String> OPERATORS = Set.of("AND", "OR", "NOT");

    private SearchSyntax() {}

    /**
     * Returns the query with what a search cannot use taken out, or an empty text (storage 5.2). Of a longer query than 2,048 characters
     * the beginning counts.
     */
    public static String sanitise(String query) {
        List<Piece> pieces = split(cut(query));
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
     * of them (storage 5.1). Of several operators in a row NOT counts, else the first. Returns nothing where no token is left.
     */
    public static Optional<SearchTerms> parseLeniently(String sanitised) {
        return new Reading(betweenPhrases(lenientTokens(sanitised)), false).read();
    }

    /**
     * Reads a sanitised query for text that is compared as a whole (storage 5.5), as {@link #parseLeniently} does; a trailing star means
     * nothing.
     *
     * @param blankMeansEither whether a blank between two phrases asks for either of them, as where they are too short to be
     *     looked up; operators in lower case then mean nothing
     */
    public static Optional<SearchTerms> parseSubstrings(String sanitised, boolean blankMeansEither) {
        List<Token> tokens = lenientTokens(sanitised).stream()
                .filter(token -> !(blankMeansEither && token.isOperatorInLowerCase()))
                .map(Token::withoutPrefix)
                .toList();
        return new Reading(betweenPhrases(tokens), blankMeansEither).read();
    }

    /** Returns how a sanitised query is compared with text (storage 5.5). */
    public static Route route(String sanitised) {
        if (cjkIn(sanitised) == 0) {
            return Route.WORDS;
        }
        boolean longEnough = cjkIn(sanitised) >= TRIGRAM
                && lenientTokens(sanitised).stream()
                        .mapToLong(token -> cjkIn(token.text))
                        .allMatch(count -> count == 0 || count >= TRIGRAM);
        return longEnough ? Route.TRIGRAMS : Route.SCAN;
    }

    /** Returns true for characters of scripts that are written without blanks between words (storage 5.5). */
    public static boolean isCjk(int point) {
        return (point >= 0x4E00 && point <= 0x9FFF)
                || (point >= 0x3400 && point <= 0x4DBF)
                || (point >= 0x20000 && point <= 0x2A6DF)
                || (point >= 0x3000 && point <= 0x30FF)
                || (point >= 0xAC00 && point <= 0xD7AF);
    }

    /** Returns how many such characters a text has. */
    public static long cjkIn(String text) {
        return text.codePoints().filter(SearchSyntax::isCjk).count();
    }

    /** Returns true for letters and digits of any script and the underscore (storage 5.2). */
    public static boolean isWord(int point) {
        return switch (Character.getType(point)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER -> true;
            default -> point == '_';
        };
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

    private static String cut(String query) {
        return query.codePointCount(0, query.length()) > LONGEST
                ? query.substring(0, query.offsetByCodePoints(0, LONGEST))
                : query;
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

    /** Leaves one operator between two phrases, and none elsewhere. */
    private static List<Token> betweenPhrases(List<Token> tokens) {
        List<Token> kept = new ArrayList<>();
        Optional<Token> between = Optional.empty();
        for (Token token : tokens) {
            if (token.operator == null) {
                if (!kept.isEmpty()) {
                    between.ifPresent(kept::add);
                }
                between = Optional.empty();
                kept.add(token);
            } else if (between.isEmpty() || token.is("NOT")) {
                between = Optional.of(token);
            }
        }
        return kept;
    }

    /** Blanks outside of quotes separate tokens; quotes inside a token fall away. */
    private static List<Token> lenientTokens(String sanitised) {
        List<Token> tokens = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean inside = false;
        boolean quoted = false;
        boolean starred = false;
        for (int at = 0; at <= sanitised.length(); at++) {
            boolean end = at == sanitised.length();
            char c = end ? ' ' : sanitised.charAt(at);
            if (c == '"' && !end) {
                inside = !inside;
                quoted = true;
                starred = false;
            } else if (end || (!inside && Blanks.is(c))) {
                String word = Blanks.trim(starred ? text.substring(0, text.length() - 1) : text.toString());
                if (!quoted && !starred && OPERATORS.contains(word)) {
                    tokens.add(Token.operator(word));
                } else if (!word.isEmpty()) {
                    tokens.add(new Token(null, word, starred, quoted));
                }
                text.setLength(0);
                quoted = false;
                starred = false;
            } else {
                text.append(c);
                starred = !inside && c == '*';
            }
        }
        return tokens;
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

    private record Token(@Nullable String operator, String text, boolean prefix, boolean quoted) {
        static final Token WRONG = operator("");

        static Token operator(String name) {
            return new Token(name, "", false, false);
        }

        static Token phrase(String text, boolean prefix) {
            return new Token(null, text, prefix, true);
        }

        boolean is(String name) {
            return name.equals(operator);
        }

        boolean isOperatorInLowerCase() {
            return operator == null && !quoted && !prefix && OPERATORS.contains(text.toUpperCase(Locale.ROOT));
        }

        Token withoutPrefix() {
            return new Token(operator, text, false, quoted);
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
