package dev.parley.adapter.signal.outbound;

import dev.parley.adapter.kit.text.Span;
import dev.parley.adapter.kit.text.Style;
import dev.parley.adapter.kit.text.StyledText;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A text as Signal shows it: styles stand beside the text, and places are UTF-16 units, as Java's are. Signal has no links with words of
 * their own and no quotations, so addresses stand behind their words and quoted lines begin with a mark.
 */
final class Styles {
    private Styles() {}

    /** Returns a text with everything written out that Signal has no style for. */
    static StyledText writtenOut(StyledText text) {
        NavigableMap<Integer, String> inserted = new TreeMap<>();
        for (Span span : text.spans()) {
            if (span.style().kind() == Style.Kind.LINK) {
                String words = text.text().substring(span.start(), span.end());
                span.style()
                        .argument()
                        .filter(address -> !address.equals(words) && !address.equals("mailto:" + words))
                        .ifPresent(address -> inserted.merge(span.end(), " (" + address + ")", String::concat));
            } else if (span.style().kind() == Style.Kind.QUOTE) {
                for (int at = span.start(); at >= 0 && at < span.end(); at = lineAfter(text.text(), at)) {
                    inserted.merge(at, "> ", (before, mark) -> before + mark);
                }
            }
        }
        StringBuilder written = new StringBuilder(text.text());
        inserted.descendingMap().forEach((at, what) -> written.insert(at, what));
        List<Span> spans = new ArrayList<>();
        for (Span span : text.spans()) {
            int start = span.start() + length(inserted, span.start() + 1);
            int end = span.end() + length(inserted, span.end());
            spans.add(new Span(start, end, span.style()));
        }
        return new StyledText(written.toString(), spans);
    }

    private static int lineAfter(String text, int at) {
        int end = text.indexOf('\n', at);
        return end < 0 ? -1 : end + 1;
    }

    /** Returns how much was inserted before a place. */
    private static int length(NavigableMap<Integer, String> inserted, int before) {
        return inserted.headMap(before).values().stream()
                .mapToInt(String::length)
                .sum();
    }

    /** Returns the styles as the daemon takes them: {@code start:length:STYLE}. */
    static List<String> of(StyledText text) {
        List<String> styles = new ArrayList<>();
        for (Span span : text.spans()) {
            name(span.style().kind()).ifPresent(name -> styles.add(span.start() + ":" + span.length() + ":" + name));
        }
        return styles;
    }

    private static Optional<String> name(Style.Kind kind) {
        return switch (kind) {
            case BOLD, HEADING -> Optional.of("BOLD");
            case ITALIC -> Optional.of("ITALIC");
            case STRIKE -> Optional.of("STRIKETHROUGH");
            case CODE, CODE_BLOCK -> Optional.of("MONOSPACE");
            case LINK, QUOTE -> Optional.empty();
        };
    }
}
