package dev.parley.adapter.kit.text;

/**
 * A stretch of a text and its style.
 *
 * @param start where it begins, in UTF-16 units
 * @param end where it ends, exclusive; more than {@code start}
 * @param style how it looks
 */
public record Span(int start, int end, Style style) {
    /** Checks that the stretch is not empty. */
    public Span {
        if (start < 0 || end <= start) {
            throw new IllegalArgumentException("A span needs a beginning before its end, not " + start + " to " + end);
        }
    }

    /** Returns its length in UTF-16 units. */
    public int length() {
        return end - start;
    }
}
