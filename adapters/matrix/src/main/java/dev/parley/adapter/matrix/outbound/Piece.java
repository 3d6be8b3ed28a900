package dev.parley.adapter.matrix.outbound;

import dev.parley.adapter.kit.text.Dialect;
import dev.parley.adapter.kit.text.Markdown;
import dev.parley.adapter.kit.text.Measure;
import dev.parley.adapter.kit.text.Splitter;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;

/** One event that an outgoing message becomes. */
sealed interface Piece {
    /** The most UTF-16 units of a message: an event may have 65,536 bytes with everything in it. */
    int LONGEST_TEXT = 4_000;

    /** A text. */
    record Words(StyledText text) implements Piece {}

    /** A file. */
    record Enclosed(Attachment attachment) implements Piece {}

    /** Returns the pieces of a message, in order, never none: equal messages give equal pieces. */
    static List<Piece> of(Outgoing message, boolean markdown) {
        List<Piece> pieces = new ArrayList<>();
        new Splitter(LONGEST_TEXT, Measure.UTF_16, Dialect.PLAIN)
                .split(styled(message.text(), markdown))
                .forEach(part -> pieces.add(new Words(part)));
        message.attachments().forEach(attachment -> pieces.add(new Enclosed(attachment)));
        if (pieces.isEmpty()) {
            // Nobody would see a message without a text.
            pieces.add(new Words(StyledText.plain("\u2026")));
        }
        return pieces;
    }

    /** Returns a text as it is shown. */
    static StyledText styled(String text, boolean markdown) {
        return markdown ? Markdown.read(text) : StyledText.plain(text);
    }
}
