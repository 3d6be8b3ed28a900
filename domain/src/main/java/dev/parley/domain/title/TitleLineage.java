package dev.parley.domain.title;

import dev.parley.domain.session.Session;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Titles that follow one another as {@code T}, {@code T #2}, {@code T #3}, ... (storage 3.4). A number is {@code  #} and ASCII
 * digits at the end of a title, at most as many as a title may have characters; anything else behind the {@code #} is part of
 * the title.
 */
public final class TitleLineage {
    private static final Pattern NUMBERED = Pattern.compile("(?s)(.*) #([0-9]{1," + Title.MAX_LENGTH + "})");

    private TitleLineage() {}

    /**
     * The session that a title names: the newest of those numbered after it, without regard to ASCII case, even where
     * one has exactly this title; else that one, with regard to case; else nothing. Newest is the latest start, then the
     * greatest id, not the greatest number. An empty title names no session.
     *
     * @param candidates sessions with titles that may be meant, in any order; others among them are passed over
     */
    public static Optional<Session> resolve(String title, Collection<Session> candidates) {
        if (title.isEmpty()) {
            return Optional.empty();
        }
        Optional<Session> numbered = candidates.stream()
                .filter(s -> s.title().filter(t -> isNumberOf(title, t)).isPresent())
                .max(Comparator.comparing(Session::startedAt).thenComparing(Session::id));
        return numbered.or(() -> candidates.stream()
                .filter(s -> s.title().filter(title::equals).isPresent())
                .findFirst());
    }

    /** The title without one number at its end; the title itself where it has none, or nothing but a number. */
    public static String base(String title) {
        Matcher numbered = NUMBERED.matcher(title);
        return numbered.matches() ? numbered.group(1) : title;
    }

    /**
     * The next title of a lineage: the base where no title of the lineage is taken, else the base with one more than the greatest
     * number among those taken, the base itself counting as 1. Gaps are not filled. The result may be too long for a title.
     *
     * @param title any title of the lineage, numbered or not
     * @param taken titles of other sessions, in any order; those of other lineages are passed over
     */
    public static String next(String title, Collection<String> taken) {
        String base = base(title);
        List<String> lineage = taken.stream()
                .filter(t -> t.equals(base) || startsWithIgnoringAsciiCase(t, base + " #"))
                .toList();
        if (lineage.isEmpty()) {
            return base;
        }
        BigInteger greatest = lineage.stream().map(TitleLineage::number).reduce(BigInteger.ONE, BigInteger::max);
        return base + " #" + greatest.add(BigInteger.ONE);
    }

    private static BigInteger number(String title) {
        Matcher numbered = NUMBERED.matcher(title);
        return numbered.matches() ? new BigInteger(numbered.group(2)) : BigInteger.ONE;
    }

    private static boolean isNumberOf(String title, String candidate) {
        int digits = title.length() + 2;
        return startsWithIgnoringAsciiCase(candidate, title + " #")
                && candidate.length() > digits
                && candidate.length() - digits <= Title.MAX_LENGTH
                && candidate.chars().skip(digits).allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean startsWithIgnoringAsciiCase(String text, String prefix) {
        if (text.length() < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (lower(text.charAt(i)) != lower(prefix.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
    }
}
