package dev.parley.persistence.sqlite.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A sanitised query taken apart: groups of terms that stand side by side, and the operators between the groups. As in the
 * index's own language, standing side by side binds tightest, then NOT, AND and OR. Operators count where they stand, in upper
 * case, between two groups; of several in a row NOT wins, else the first.
 *
 * @param groups terms side by side, at least one in each
 * @param operators what stands between the groups; one less than groups, or none where there is no group
 */
record SearchTerms(List<List<Term>> groups, List<Operator> operators) {
    private static final Set<String> WORDS = Set.of("AND", "OR", "NOT");
    private static final int MOST = 64;
    private static final int FEW = 16;

    SearchTerms {
        groups = groups.stream().map(List::copyOf).toList();
        operators = List.copyOf(operators);
    }

    /** What joins two groups. */
    enum Operator {
        AND,
        OR,
        NOT
    }

    /** What operators in lower case are. */
    enum LowerCaseOperators {
        /** Words like others. */
        WORDS,
        /** Nothing, as on the path that scans (storage 5.5). */
        NOTHING
    }

    /**
     * Something to be found as it stands.
     *
     * @param text the text, never empty
     * @param prefix whether its last word may go on
     */
    record Term(String text, boolean prefix) {
        /** Returns the term in the index's language: a phrase, with the star outside. */
        String asPhrase() {
            return "\"" + text.replace("\"", "\"\"") + "\"" + (prefix ? "*" : "");
        }
    }

    private record Token(String text, boolean quoted, boolean starred) {
        boolean isOperator() {
            return !quoted && !starred && WORDS.contains(text);
        }

        boolean isOperatorInLowerCase() {
            return !quoted && !starred && !isOperator() && WORDS.contains(text.toUpperCase(Locale.ROOT));
        }
    }

    /** Returns the terms of a sanitised query. A phrase is one term, spaces included; quotes inside a word fall away. */
    static SearchTerms of(String sanitized, LowerCaseOperators lowerCase) {
        List<List<Term>> groups = new ArrayList<>();
        List<Operator> operators = new ArrayList<>();
        List<Operator> waiting = new ArrayList<>();
        List<Term> group = new ArrayList<>();
        for (Token token : tokens(sanitized)) {
            if (token.isOperator()) {
                waiting.add(Operator.valueOf(token.text));
            } else if (!token.text.isEmpty()
                    && !(token.isOperatorInLowerCase() && lowerCase == LowerCaseOperators.NOTHING)) {
                if (!waiting.isEmpty() && !group.isEmpty()) {
                    groups.add(group);
                    group = new ArrayList<>();
                    operators.add(waiting.contains(Operator.NOT) ? Operator.NOT : waiting.get(0));
                }
                waiting.clear();
                group.add(new Term(token.text, token.starred));
            }
        }
        if (!group.isEmpty()) {
            groups.add(group);
        }
        return new SearchTerms(groups, operators);
    }

    /** Returns all terms, in order. */
    Stream<Term> terms() {
        return groups.stream().flatMap(List::stream);
    }

    /** Returns whether there is no term. */
    boolean isEmpty() {
        return groups.isEmpty();
    }

    /** Returns these terms without what an index of words cannot see: those without any letter or digit. */
    SearchTerms wordsOnly() {
        return keep(term -> term.text.codePoints().anyMatch(point -> point != '_' && Characters.isWord(point)));
    }

    /** Returns these terms with none of them a prefix. */
    SearchTerms withoutPrefixes() {
        return new SearchTerms(
                groups.stream()
                        .map(group -> group.stream()
                                .map(term -> new Term(term.text, false))
                                .toList())
                        .toList(),
                operators);
    }

    /**
     * Returns these terms without repetitions side by side, at most {@value #MOST} of them, and of each at most so many words or
     * characters without blanks between them: what one person types is far below that, and what costs minutes is far above.
     */
    SearchTerms limited() {
        List<List<Term>> kept = new ArrayList<>();
        int left = MOST;
        for (List<Term> group : groups) {
            List<Term> some = group.stream()
                    .map(term -> new Term(Limits.cut(term.text, MOST), term.prefix))
                    .distinct()
                    .limit(left)
                    .toList();
            if (some.isEmpty()) {
                break;
            }
            kept.add(some);
            left -= some.size();
        }
        return new SearchTerms(kept, operators.subList(0, Math.max(0, kept.size() - 1)));
    }

    /** Returns whether {@link #limited} changes nothing that costs much. */
    boolean isLimited() {
        return terms().count() <= FEW
                && terms().allMatch(term -> Limits.cut(term.text, MOST).equals(term.text));
    }

    /**
     * Returns these terms as an index that knows no shorter ones than so many characters takes them: of several side by side the short
     * ones count for nothing, and a short one alone is never found.
     */
    SearchTerms atLeast(int characters) {
        List<List<Term>> kept = new ArrayList<>();
        List<Operator> between = new ArrayList<>();
        List<List<Term>> alternative = new ArrayList<>();
        List<Operator> inside = new ArrayList<>();
        boolean possible = true;
        for (int i = 0; i <= groups.size(); i++) {
            Operator before = i == 0 || i == groups.size() ? Operator.OR : operators.get(i - 1);
            if (before == Operator.OR && !alternative.isEmpty() && possible) {
                if (!kept.isEmpty()) {
                    between.add(Operator.OR);
                }
                kept.addAll(alternative);
                between.addAll(inside);
            }
            if (before == Operator.OR) {
                alternative = new ArrayList<>();
                inside = new ArrayList<>();
                possible = true;
            }
            if (i < groups.size()) {
                List<Term> group = groups.get(i).stream()
                        .filter(term -> term.text.codePointCount(0, term.text.length()) >= characters)
                        .toList();
                possible &= before == Operator.NOT || !group.isEmpty();
                if (!group.isEmpty()) {
                    if (!alternative.isEmpty()) {
                        inside.add(before);
                    }
                    alternative.add(group);
                }
            }
        }
        return new SearchTerms(kept, between);
    }

    /** Returns the terms of which each match has one at least: for each alternative the first wanted term that passes the test. */
    Optional<List<Term>> oneOfEach(java.util.function.Predicate<Term> wanted, boolean sideBySide) {
        List<Term> found = new ArrayList<>();
        Optional<Term> ofAlternative = Optional.empty();
        for (int i = 0; i < groups.size(); i++) {
            Operator before = i == 0 ? Operator.OR : operators.get(i - 1);
            if (i > 0 && before == Operator.OR) {
                if (ofAlternative.isEmpty()) {
                    return Optional.empty();
                }
                ofAlternative = Optional.empty();
            }
            if (before == Operator.NOT) {
                continue;
            }
            List<Term> group = groups.get(i);
            if (sideBySide || group.size() == 1) {
                Optional<Term> first = group.stream().filter(wanted).findFirst();
                if (ofAlternative.isEmpty() && first.isPresent()) {
                    ofAlternative = first;
                    found.add(first.get());
                }
            } else if (group.stream().allMatch(wanted)) {
                ofAlternative = Optional.of(group.get(0));
                found.addAll(group);
            }
        }
        return ofAlternative.map(last -> List.copyOf(found));
    }

    private SearchTerms keep(java.util.function.Predicate<Term> wanted) {
        List<List<Term>> kept = new ArrayList<>();
        List<Operator> between = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            List<Term> group = groups.get(i).stream().filter(wanted).toList();
            if (!group.isEmpty()) {
                if (!kept.isEmpty()) {
                    between.add(operators.get(i - 1));
                }
                kept.add(group);
            }
        }
        return new SearchTerms(kept, between);
    }

    /** Returns the query in the index's language: every term a phrase, so nothing in it has a meaning of its own. */
    String asMatch() {
        return IntStream.range(0, groups.size())
                .mapToObj(i -> (i == 0 ? "" : operators.get(i - 1) + " ")
                        + groups.get(i).stream().map(Term::asPhrase).collect(Collectors.joining(" ")))
                .collect(Collectors.joining(" "));
    }

    private static List<Token> tokens(String sanitized) {
        List<Token> tokens = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean inside = false;
        boolean quoted = false;
        boolean any = false;
        for (int point : (Iterable<Integer>) sanitized.codePoints()::iterator) {
            if (point == '"') {
                inside = !inside;
                quoted = true;
                any = true;
            } else if (!inside && Characters.isSpace(point)) {
                if (any) {
                    tokens.add(token(text.toString(), quoted));
                }
                text.setLength(0);
                quoted = false;
                any = false;
            } else {
                text.appendCodePoint(point);
                any = true;
            }
        }
        if (any) {
            tokens.add(token(text.toString(), quoted));
        }
        return tokens;
    }

    private static Token token(String text, boolean quoted) {
        boolean starred = text.endsWith("*");
        String bare = starred ? text.substring(0, text.length() - 1) : text;
        return new Token(strip(bare), quoted, starred);
    }

    private static String strip(String text) {
        int[] points = text.codePoints().toArray();
        int start = 0;
        int end = points.length;
        while (start < end && Characters.isSpace(points[start])) {
            start++;
        }
        while (end > start && Characters.isSpace(points[end - 1])) {
            end--;
        }
        return new String(points, start, end - start);
    }
}
