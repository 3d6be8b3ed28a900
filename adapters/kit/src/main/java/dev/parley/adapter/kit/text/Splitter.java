package dev.parley.adapter.kit.text;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a text into parts that a platform takes. Equal input gives equal parts, so a part's number names the same words when sending
 * is tried again, after a restart too. A part ends, in order of preference, behind a paragraph, behind a line (where that leaves the
 * part at least half full), behind a sentence, behind a word, and only where a single word is too long within it; never within what
 * a reader sees as one character. White space at a cut is left out, but never within a block of code, whose indentation counts;
 * nothing else is lost. Links and code within a line stay in one part where they fit into one.
 */
public final class Splitter {
    private static final Pattern CLUSTER = Pattern.compile("\\X");
    private static final int NO_CUT = -1;

    private final int limit;
    private final Measure measure;
    private final Dialect dialect;

    /**
     * A splitter for one platform.
     *
     * @param limit the most a part may measure; at least 16
     * @param measure how the platform counts
     * @param dialect how parts are rendered; what is measured is the rendered part
     */
    public Splitter(int limit, Measure measure, Dialect dialect) {
        if (limit < 16) {
            throw new IllegalArgumentException("A part needs room for at least 16, not " + limit);
        }
        this.limit = limit;
        this.measure = measure;
        this.dialect = dialect;
    }

    /** Returns the parts of a text in order; none of a text that has nothing but white space. */
    public List<StyledText> split(StyledText text) {
        List<StyledText> parts = new ArrayList<>();
        int from = 0;
        while (from < text.text().length()) {
            int end = fits(text, from, text.text().length()) ? text.text().length() : cut(text, from);
            StyledText part = text.part(from, trimmedEnd(text, from, end));
            if (!part.text().isBlank()) {
                parts.add(part);
            }
            from = nextStart(text, end);
        }
        return parts;
    }

    private boolean fits(StyledText text, int from, int to) {
        return measure.of(dialect.render(text.part(from, to))) <= limit;
    }

    /** Returns where the part that begins here ends; always behind its beginning. */
    private int cut(StyledText text, int from) {
        int most = longest(text, from);
        String body = text.text();
        int half = from + (most - from) / 2;
        int paragraph = behindLast(body, "\n\n", from, most);
        if (paragraph > half) {
            return paragraph;
        }
        int line = behindLast(body, "\n", from, most);
        if (line > half) {
            return line;
        }
        int sentence = outside(text, from, lastSentence(body, half, most));
        if (sentence > half) {
            return sentence;
        }
        int word = lastBlank(body, from, most);
        int kept = outside(text, from, word);
        if (kept > from) {
            return kept;
        }
        if (line > from) {
            return line;
        }
        return word > from ? word : most;
    }

    /** Returns the end of the longest part that fits, between two characters as readers see them. */
    private int longest(StyledText text, int from) {
        // A unit of text measures at least one in every dialect but for UTF-16's surrogates in code points.
        int low = from;
        int high = Math.min(text.text().length(), from + 2 * limit);
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (fits(text, from, middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        int whole = clusterEnd(text.text(), from, low);
        return whole > from
                ? whole
                : Math.max(low, from + Character.charCount(text.text().codePointAt(from)));
    }

    /** Returns the greatest end of a cluster that is at most {@code most}; {@code from} where the first one is longer. */
    private static int clusterEnd(String body, int from, int most) {
        if (most >= body.length()) {
            return body.length();
        }
        // Clusters do not reach over a line's end or a blank before a letter; begin near the end to look at little.
        int begin = Math.max(from, most - 64);
        while (begin > from && !Character.isWhitespace(body.charAt(begin))) {
            begin--;
        }
        Matcher clusters = CLUSTER.matcher(body).region(begin, Math.min(body.length(), most + 64));
        int end = begin;
        while (clusters.find() && clusters.end() <= most) {
            end = clusters.end();
        }
        return end;
    }

    private static int behindLast(String body, String mark, int from, int most) {
        int at = body.lastIndexOf(mark, most - mark.length());
        return at > from ? at + mark.length() : NO_CUT;
    }

    private static int lastSentence(String body, int half, int most) {
        for (int i = most - 1; i > half; i--) {
            char c = body.charAt(i - 1);
            boolean wide = c == '\u3002' || c == '\uff01' || c == '\uff1f';
            if (wide || ((c == '.' || c == '!' || c == '?') && Character.isWhitespace(body.charAt(i)))) {
                return i;
            }
        }
        return NO_CUT;
    }

    private static int lastBlank(String body, int from, int most) {
        for (int i = most; i > from; i--) {
            boolean before = i < body.length() && Character.isWhitespace(body.charAt(i));
            if (before || Character.isWhitespace(body.charAt(i - 1))) {
                return i;
            }
        }
        return NO_CUT;
    }

    /** Moves a cut that lies within a link or code of a line before it; leaves it where that begins with the part. */
    private static int outside(StyledText text, int from, int at) {
        int moved = at;
        for (Span span : text.spans()) {
            boolean whole =
                    span.style().kind() == Style.Kind.LINK || span.style().kind() == Style.Kind.CODE;
            if (whole && span.start() < moved && moved < span.end() && span.start() > from) {
                moved = span.start();
            }
        }
        return moved;
    }

    private static int trimmedEnd(StyledText text, int from, int end) {
        int to = end;
        while (to > from && Character.isWhitespace(text.text().charAt(to - 1))) {
            to--;
        }
        return Math.max(to, from);
    }

    private static int nextStart(StyledText text, int end) {
        String body = text.text();
        int start = end;
        if (inCodeBlock(text, end)) {
            // Only the line's end is left out: indentation belongs to the code.
            return start < body.length() && body.charAt(start) == '\n' ? start + 1 : start;
        }
        while (start < body.length() && Character.isWhitespace(body.charAt(start))) {
            if (inCodeBlock(text, start)) {
                break;
            }
            start++;
        }
        return start;
    }

    private static boolean inCodeBlock(StyledText text, int at) {
        return text.spans().stream()
                .anyMatch(s -> s.style().kind() == Style.Kind.CODE_BLOCK && s.start() <= at && at < s.end());
    }
}
