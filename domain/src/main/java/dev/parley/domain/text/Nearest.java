package dev.parley.domain.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses what was meant by a name that is not known, for the suggestion in an error message. */
public final class Nearest {
    private static final int COMPARED = 60;

    private Nearest() {}

    /**
     * The known name that takes the fewest insertions, deletions and replacements of characters, if that is at most one in
     * three of the wanted name's and one at least; the first in order among equally near ones. Case and blanks around the
     * wanted name do not count.
     */
    public static Optional<String> to(String wanted, Collection<String> known) {
        String name = OneLine.cut(wanted.strip().toLowerCase(Locale.ROOT), COMPARED);
        int tolerance = Math.max(1, name.length() / 3);
        return known.stream()
                .filter(candidate -> distance(name, candidate) <= tolerance)
                .min(Comparator.comparingInt((String candidate) -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int distance(String name, String candidate) {
        String other = candidate.toLowerCase(Locale.ROOT);
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= name.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (name.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
