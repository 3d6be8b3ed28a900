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
    /** How far around a cut its characters as readers see them are looked for. */
    private static final int CLUSTER_REACH = 64;
    /** How much is looked at behind what a part may hold: enough to see where it may end, whatever half of a pair the look ends with. */
    private static final int BEYOND = CLUSTER_REACH + 2;

    private final int limit;
    private final Measure measure;
    private final Dialect dialect;

    /**
     * A splitter for one platform.
     *
     * @param limit the most a part may measure; at least 16
     * @param measure how the platform counts
     * @param dialect how parts are rendered; what is measured is the rendered part, which is never shorter than its text
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
        Ahead ahead = new Ahead(text);
        int length = text.text().length();
        int from = 0;
        while (from < length) {
            StyledText near = ahead.near(from, Math.min(length, from + 2 * limit + BEYOND));
            int rest = length - from;
            int end = rest <= 2 * limit && fits(near, rest) ? rest : cut(near);
            StyledText part = near.part(0, trimmedEnd(near, end));
            if (!part.text().isBlank()) {
                parts.add(part);
            }
            from = nextStart(text.text(), ahead, from + end);
        }
        return parts;
    }

    /** Reads a text's styles once, from its beginning to its end; nothing that is asked for may lie before what was asked for last. */
    private static final class Ahead {
        private final StyledText text;
        /** What reaches into what was asked for last, in the text's order. */
        private final List<Span> open = new ArrayList<>();

        private int next;
        private int nextBlock;
        private int blocksEnd;

        Ahead(StyledText text) {
            this.text = text;
        }

        /** Returns a part of the text. */
        StyledText near(int from, int to) {
            open.removeIf(span -> span.end() <= from);
            while (next < text.spans().size() && text.spans().get(next).start() < to) {
                Span span = text.spans().get(next++);
                if (span.end() > from) {
                    open.add(span);
                }
            }
            List<Span> spans = new ArrayList<>();
            for (Span span : open) {
                int start = Math.max(span.start(), from);
                spans.add(new Span(start - from, Math.min(span.end(), to) - from, span.style()));
            }
            return new StyledText(text.text().substring(from, to), spans);
        }

        boolean inCodeBlock(int at) {
            while (nextBlock < text.spans().size()
                    && text.spans().get(nextBlock).start() <= at) {
                Span span = text.spans().get(nextBlock++);
                if (span.style().kind() == Style.Kind.CODE_BLOCK) {
                    blocksEnd = Math.max(blocksEnd, span.end());
                }
            }
            return at < blocksEnd;
        }
    }

    private boolean fits(StyledText near, int to) {
        return measure.of(dialect.render(near.part(0, to))) <= limit;
    }

    /** Returns where the part ends with which a text begins; always behind its beginning. */
    private int cut(StyledText near) {
        int most = longest(near);
        String body = near.text();
        int half = most / 2;
        int paragraph = behindLast(body, "\n\n", most);
        if (paragraph > half) {
            return paragraph;
        }
        int line = behindLast(body, "\n", most);
        if (line > half) {
            return line;
        }
        int sentence = outside(near, lastSentence(body, half, most));
        if (sentence > half) {
            return sentence;
        }
        int word = lastBlank(body, most);
        int kept = outside(near, word);
        if (kept > 0) {
            return kept;
        }
        if (line > 0) {
            return line;
        }
        return word > 0 ? word : most;
    }

    /** Returns the end of the longest part that fits, between two characters as readers see them. */
    private int longest(StyledText near) {
        int low = 0;
        int high = Math.min(near.text().length(), 2 * limit);
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (fits(near, middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        int whole = clusterEnd(near.text(), low);
        return whole > 0 ? whole : pairEnd(near.text(), low);
    }

    /** Returns the greatest end of a code point that is at most {@code most}; that of the first one where it is longer. */
    private static int pairEnd(String body, int most) {
        int first = Character.charCount(body.codePointAt(0));
        boolean within = most > first && most < body.length() && Character.isLowSurrogate(body.charAt(most));
        return Math.max(within ? most - 1 : most, first);
    }

    /** Returns the greatest end of a cluster that is at most {@code most}; 0 where the first one is longer. */
    private static int clusterEnd(String body, int most) {
        if (most >= body.length()) {
            return body.length();
        }
        // Clusters do not reach over a line's end or a blank before a letter; begin near the end to look at little.
        int begin = Math.max(0, most - CLUSTER_REACH);
        while (begin > 0 && !Character.isWhitespace(body.charAt(begin))) {
            begin--;
        }
        Matcher clusters = CLUSTER.matcher(body).region(begin, Math.min(body.length(), most + CLUSTER_REACH));
        int end = begin;
        while (clusters.find() && clusters.end() <= most) {
            end = clusters.end();
        }
        return end;
    }

    private static int behindLast(String body, String mark, int most) {
        int at = body.lastIndexOf(mark, most - mark.length());
        return at > 0 ? at + mark.length() : NO_CUT;
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

    private static int lastBlank(String body, int most) {
        for (int i = most; i > 0; i--) {
            boolean before = i < body.length() && Character.isWhitespace(body.charAt(i));
            if (before || Character.isWhitespace(body.charAt(i - 1))) {
                return i;
            }
        }
        return NO_CUT;
    }

    /** Moves a cut that lies within a link or code of a line before it; leaves it where that begins with the part. */
    private static int outside(StyledText near, int at) {
        int moved = at;
        for (Span span : near.spans()) {
            boolean whole =
                    span.style().kind() == Style.Kind.LINK || span.style().kind() == Style.Kind.CODE;
            if (whole && span.start() < moved && moved < span.end() && span.start() > 0) {
                moved = span.start();
            }
        }
        return moved;
    }

    private static int trimmedEnd(StyledText near, int end) {
        int to = end;
        while (to > 0 && Character.isWhitespace(near.text().charAt(to - 1))) {
            to--;
        }
        return to;
    }

    private static int nextStart(String body, Ahead ahead, int end) {
        int start = end;
        if (ahead.inCodeBlock(end)) {
            // Only the line's end is left out: indentation belongs to the code.
            return start < body.length() && body.charAt(start) == '\n' ? start + 1 : start;
        }
        while (start < body.length() && Character.isWhitespace(body.charAt(start)) && !ahead.inCodeBlock(start)) {
            start++;
        }
        return start;
    }
}
