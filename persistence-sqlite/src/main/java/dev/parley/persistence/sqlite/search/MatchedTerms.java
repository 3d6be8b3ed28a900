package dev.parley.persistence.sqlite.search;

import dev.parley.domain.search.SearchSyntax;
import dev.parley.domain.search.SearchTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a query asks an index for: groups of terms that stand side by side, and the operators between the groups. As in the index's own
 * language, standing side by side binds tightest, then NOT, AND and OR.
 *
 * @param groups terms side by side, at least one in each
 * @param operators what stands between the groups; one less than groups, or none where there is no group
 */
record MatchedTerms(List<List<Term>> groups, List<Operator> operators) {
    private static final int MOST = 64;
    private static final int FEW = 16;

    MatchedTerms {
        groups = groups.stream().map(List::copyOf).toList();
        operators = List.copyOf(operators);
    }

    /** What joins two groups. */
    enum Operator {
        AND,
        OR,
        NOT
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

    /** Returns the terms of a query that was read. */
    static MatchedTerms of(SearchTerms read) {
        List<List<Term>> groups = new ArrayList<>();
        List<Operator> operators = new ArrayList<>();
        add(read, true, groups, operators);
        return new MatchedTerms(groups, operators);
    }

    /** Operators of the tree bind as those between groups do, so that its leaves from left to right are the groups. */
    private static void add(SearchTerms read, boolean atTop, List<List<Term>> groups, List<Operator> operators) {
        if (read instanceof SearchTerms.Either either && atTop) {
            add(either.left(), true, groups, operators);
            operators.add(Operator.OR);
            add(either.right(), true, groups, operators);
        } else if (read instanceof SearchTerms.Both both) {
            add(both.left(), false, groups, operators);
            operators.add(Operator.AND);
            add(both.right(), false, groups, operators);
        } else if (read instanceof SearchTerms.Without without) {
            add(without.wanted(), false, groups, operators);
            operators.add(Operator.NOT);
            add(without.unwanted(), false, groups, operators);
        } else {
            groups.add(phrases(read).toList());
        }
    }

    /** Either of some phrases is below another operator only where a blank means that. */
    private static Stream<Term> phrases(SearchTerms read) {
        if (read instanceof SearchTerms.Either either) {
            return Stream.concat(phrases(either.left()), phrases(either.right()));
        }
        if (read instanceof SearchTerms.Together together) {
            return together.parts().stream().flatMap(MatchedTerms::phrases);
        }
        SearchTerms.Phrase phrase = (SearchTerms.Phrase) read;
        return Stream.of(new Term(phrase.text(), phrase.prefix()));
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
    MatchedTerms wordsOnly() {
        return keep(term -> term.text.codePoints().anyMatch(point -> point != '_' && SearchSyntax.isWord(point)));
    }

    /** Returns these terms with none of them a prefix. */
    MatchedTerms withoutPrefixes() {
        return new MatchedTerms(
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
    MatchedTerms limited() {
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
        return new MatchedTerms(kept, operators.subList(0, Math.max(0, kept.size() - 1)));
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
    MatchedTerms atLeast(int characters) {
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
        return new MatchedTerms(kept, between);
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

    private MatchedTerms keep(java.util.function.Predicate<Term> wanted) {
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
        return new MatchedTerms(kept, between);
    }

    /** Returns the query in the index's language: every term a phrase, so nothing in it has a meaning of its own. */
    String asMatch() {
        return IntStream.range(0, groups.size())
                .mapToObj(i -> (i == 0 ? "" : operators.get(i - 1) + " ")
                        + groups.get(i).stream().map(Term::asPhrase).collect(Collectors.joining(" ")))
                .collect(Collectors.joining(" "));
    }
}
