package dev.parley.domain.context;

import dev.parley.domain.text.OneLine;
import java.util.Locale;

/** Text that users of a platform typed (names, topics), made safe to stand inside a prompt (X9.6). */
public final class UntrustedText {
    private static final int LIMIT = 240;
    private static final int NEXT_LINE = 0x85;
    private static final int LINE_SEPARATOR = 0x2028;
    private static final int PARAGRAPH_SEPARATOR = 0x2029;

    private UntrustedText() {}

    /**
     * The text as one JSON string literal without a raw line break: line ends become {@code \n}, blanks around it go,
     * other control characters become spaces, what is longer than 240 code points is cut to 237 and {@code ...}. Other
     * characters, also those outside ASCII, stay readable.
     */
    public static String quote(String text) {
        StringBuilder literal = new StringBuilder("\"");
        tidy(text).codePoints().forEach(point -> appendEscaped(literal, point));
        return literal.append('"').toString();
    }

    /** The text on one line, without quotes: tidied and cut like {@link #quote}, line ends and tabs as spaces. */
    static String onOneLine(String text) {
        StringBuilder line = new StringBuilder();
        tidy(text).codePoints().map(point -> breaksLine(point) ? ' ' : point).forEach(line::appendCodePoint);
        return line.toString();
    }

    private static String tidy(String text) {
        String trimmed = text.replace("\r\n", "\n").replace('\r', '\n').strip();
        StringBuilder tidied = new StringBuilder(trimmed.length());
        trimmed.codePoints()
                .map(point -> point < ' ' && point != '\n' && point != '\t' ? ' ' : point)
                .forEach(tidied::appendCodePoint);
        return OneLine.cut(tidied.toString(), LIMIT);
    }

    private static boolean breaksLine(int point) {
        return point == '\n'
                || point == '\t'
                || point == NEXT_LINE
                || point == LINE_SEPARATOR
                || point == PARAGRAPH_SEPARATOR;
    }

    private static void appendEscaped(StringBuilder literal, int point) {
        boolean halfPair = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
        if (point == '"' || point == '\\') {
            literal.append('\\').append((char) point);
        } else if (point == '\n') {
            literal.append("\\n");
        } else if (point == '\t') {
            literal.append("\\t");
        } else if (breaksLine(point) || halfPair) {
            literal.append(String.format(Locale.ROOT, "\\u%04x", point));
        } else {
            literal.appendCodePoint(point);
        }
    }
}
