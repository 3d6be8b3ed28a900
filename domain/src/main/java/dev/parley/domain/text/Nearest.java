package dev.parley.domain.text;

import java.util.Collection;
import java.util.Optional;

/** Finds what somebody probably meant to write. */
public final class Nearest {
    private Nearest() {}

    /**
     * Returns the candidate that takes the fewest edits of single characters, where these are at most a third of the text's
     * length; the first of equals.
     */
    public static Optional<String> to(String given, Collection<String> candidates) {
        Optional<String> best = Optional.empty();
        int fewest = Math.max(1, given.length() / 3) + 1;
        for (String candidate : candidates) {
            int edits = distance(given, candidate);
            if (edits < fewest) {
                fewest = edits;
                best = Optional.of(candidate);
            }
        }
        return best;
    }

    private static int distance(String left, String right) {
        int[] row = new int[right.length() + 1];
        for (int j = 0; j <= right.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= left.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= right.length(); j++) {
                int above = row[j];
                int substituted = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(substituted, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[right.length()];
    }
}
