package dev.parley.adapter.telegram.outbound;

import dev.parley.adapter.kit.text.Dialect;
import dev.parley.adapter.kit.text.Markdown;
import dev.parley.adapter.kit.text.Measure;
import dev.parley.adapter.kit.text.Splitter;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;

/** One message of Telegram's that an outgoing message becomes. */
sealed interface Piece {
    /** The most UTF-16 units of a message. */
    int LONGEST_TEXT = 4096;
    /** The most UTF-16 units of a file's caption. */
    int LONGEST_CAPTION = 1024;

    /** A text. */
    record Words(StyledText text) implements Piece {}

    /** A file, with the words below it; they may be empty. */
    record Enclosed(Attachment attachment, StyledText caption) implements Piece {}

    /**
     * Returns the pieces of a message, in order, never none: equal messages give equal pieces. A short text goes below the first file,
     * unless it takes the place of a message that shows some of it.
     */
    static List<Piece> of(Outgoing message, boolean markdown) {
        StyledText text = styled(message.text(), markdown);
        List<Piece> pieces = new ArrayList<>();
        boolean captioned = !message.attachments().isEmpty()
                && message.replaces().isEmpty()
                && text.text().length() <= LONGEST_CAPTION;
        if (!captioned) {
            new Splitter(LONGEST_TEXT, Measure.UTF_16, Dialect.PLAIN)
                    .split(text)
                    .forEach(part -> pieces.add(new Words(part)));
        }
        for (Attachment attachment : message.attachments()) {
            boolean first = captioned && pieces.isEmpty();
            pieces.add(new Enclosed(attachment, first ? text : StyledText.plain("")));
        }
        if (pieces.isEmpty()) {
            // Telegram shows no message without a text.
            pieces.add(new Words(StyledText.plain("\u2026")));
        }
        return pieces;
    }

    /** Returns a text as it is shown. */
    static StyledText styled(String text, boolean markdown) {
        return markdown ? Markdown.read(text) : StyledText.plain(text);
    }
}
