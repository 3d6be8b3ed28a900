package dev.parley.adapter.kit.text;

import dev.parley.domain.text.Unicode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A text with styles that nest and never cross: the form between what an agent writes and what a platform shows. It is cut before
 * it is rendered, so a cut never breaks markup: a style that reaches over a cut stands in both parts.
 *
 * @param text the text without markup
 * @param spans its styles, outer ones before inner ones, by their beginning
 */
public record StyledText(String text, List<Span> spans) {
    private static final Comparator<Span> ORDER = Comparator.comparingInt(Span::start)
            .thenComparing(Comparator.comparingInt(Span::end).reversed());

    /**
     * Puts the spans in order; of spans over the same stretch the one given first is the outer one. Halves of surrogate pairs that stand
     * alone are replaced: platforms refuse a whole message for one of them.
     */
    public StyledText {
        text = Unicode.wellFormed(text);
        spans = spans.stream().sorted(ORDER).toList();
        for (Span span : spans) {
            if (span.end() > text.length()) {
                throw new IllegalArgumentException(
                        "A span ends at " + span.end() + ", behind the text's end at " + text.length());
            }
        }
    }

    /** Returns a text without styles. */
    public static StyledText plain(String text) {
        return new StyledText(text, List.of());
    }

    /** Returns this with a paragraph of plain text below it. */
    public StyledText below(String words) {
        return new StyledText(text.isEmpty() ? words : text + "\n\n" + words, spans);
    }

    /** Returns the part from {@code from} to {@code to}, exclusive, with the styles that reach into it. */
    public StyledText part(int from, int to) {
        List<Span> kept = new ArrayList<>();
        for (Span span : spans) {
            int start = Math.max(span.start(), from);
            int end = Math.min(span.end(), to);
            if (start < end) {
                kept.add(new Span(start - from, end - from, span.style()));
            }
        }
        return new StyledText(text.substring(from, to), kept);
    }
}
