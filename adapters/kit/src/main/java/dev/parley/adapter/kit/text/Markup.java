package dev.parley.adapter.kit.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * A dialect that writes a mark before and behind each style. Marks of styles within a line end at the line's end and begin again on
 * the next line, since most platforms read them line by line.
 */
abstract class Markup implements Dialect {
    /** Returns what stands before a stretch of this style. */
    abstract String open(Style style, String inside);

    /** Returns what stands behind a stretch of this style. */
    abstract String close(Style style, String inside);

    /** Returns a character of text so that it is not read as markup. */
    abstract String escaped(char c, boolean lineStart);

    /** Returns a character within code. */
    String code(char c) {
        return String.valueOf(c);
    }

    /** Returns what stands at the beginning of each quoted line. */
    String quotedLine() {
        return "> ";
    }

    /** Returns how a line ends outside a block of code. */
    String lineEnd() {
        return "\n";
    }

    @Override
    public final String render(StyledText text) {
        StringBuilder out = new StringBuilder(text.text().length() + 16);
        Deque<Span> open = new ArrayDeque<>();
        Iterator<Span> coming = text.spans().iterator();
        @Nullable Span next = coming.hasNext() ? coming.next() : null;
        boolean lineStart = true;
        for (int i = 0; i <= text.text().length(); i++) {
            while (!open.isEmpty() && open.peek().end() == i) {
                Span ended = open.pop();
                out.append(close(ended.style(), inside(text, ended)));
            }
            if (lineStart && i < text.text().length() && quotedFrom(open, next, i)) {
                out.append(quotedLine());
            }
            while (next != null && next.start() == i) {
                open.push(next);
                out.append(open(next.style(), inside(text, next)));
                next = coming.hasNext() ? coming.next() : null;
            }
            if (i == text.text().length()) {
                break;
            }
            char c = text.text().charAt(i);
            if (is(open, Style.Kind.CODE_BLOCK)) {
                out.append(code(c));
                lineStart = c == '\n';
            } else if (c == '\n') {
                breakLine(out, text, open);
                lineStart = true;
            } else {
                out.append(is(open, Style.Kind.CODE) ? code(c) : escaped(c, lineStart));
                lineStart = false;
            }
        }
        return out.toString();
    }

    private void breakLine(StringBuilder out, StyledText text, Deque<Span> open) {
        open.iterator().forEachRemaining(s -> out.append(inLine(s) ? close(s.style(), inside(text, s)) : ""));
        out.append(lineEnd());
        open.descendingIterator().forEachRemaining(s -> out.append(inLine(s) ? open(s.style(), inside(text, s)) : ""));
    }

    private static boolean inLine(Span span) {
        return span.style().kind() != Style.Kind.QUOTE && span.style().kind() != Style.Kind.CODE_BLOCK;
    }

    private static boolean quotedFrom(Deque<Span> open, @Nullable Span next, int at) {
        return is(open, Style.Kind.QUOTE)
                || (next != null && next.start() == at && next.style().kind() == Style.Kind.QUOTE);
    }

    private static boolean is(Deque<Span> open, Style.Kind kind) {
        // Asked for each character.
        for (Span span : open) {
            if (span.style().kind() == kind) {
                return true;
            }
        }
        return false;
    }

    private static String inside(StyledText text, Span span) {
        return text.text().substring(span.start(), span.end());
    }
}
