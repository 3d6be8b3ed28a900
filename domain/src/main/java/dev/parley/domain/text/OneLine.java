package dev.parley.domain.text;

/** Shows a foreign value inside a one-line message. */
public final class OneLine {
    private static final int SHOWN = 80;

    private OneLine() {}

    /**
     * The value on one line of at most {@code limit} code points: control characters and line separators become spaces, blanks
     * around it are left out, and what is longer ends in {@code ...}.
     */
    public static String of(String value, int limit) {
        return cut(flat(value).strip(), limit);
    }

    /**
     * The value in single quotes, on one line and short enough for an error message: control characters and line
     * separators become spaces, anything after 80 code points becomes {@code ...}.
     */
    public static String quoted(String value) {
        return "'" + flat(cut(value, SHOWN)) + "'";
    }

    private static String flat(String value) {
        if (value.codePoints().noneMatch(OneLine::isLineBreakOrControl)) {
            return value;
        }
        StringBuilder line = new StringBuilder(value.length());
        value.codePoints()
                .map(point -> isLineBreakOrControl(point) ? ' ' : point)
                .forEach(line::appendCodePoint);
        return line.toString();
    }

    /**
     * The value unchanged when it has at most {@code limit} code points, else its first {@code limit - 3} code points
     * followed by {@code ...}. A surrogate pair is never split.
     *
     * @throws IllegalArgumentException if {@code limit} is below 3
     */
    public static String cut(String value, int limit) {
        if (limit < 3) {
            throw new IllegalArgumentException("A cut needs room for its three dots, not " + limit + " code points");
        }
        if (value.length() <= limit || value.codePointCount(0, value.length()) <= limit) {
            return value;
        }
        return value.substring(0, value.offsetByCodePoints(0, limit - 3)) + "...";
    }

    private static boolean isLineBreakOrControl(int point) {
        return Character.isISOControl(point) || point == 0x2028 || point == 0x2029;
    }
}
