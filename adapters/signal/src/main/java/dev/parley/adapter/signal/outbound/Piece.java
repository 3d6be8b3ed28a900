package dev.parley.adapter.signal.outbound;

import dev.parley.adapter.kit.text.Dialect;
import dev.parley.adapter.kit.text.Markdown;
import dev.parley.adapter.kit.text.Measure;
import dev.parley.adapter.kit.text.Splitter;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;

/**
 * One message of Signal's that an outgoing message becomes.
 *
 * @param text its text; may be empty where there are files
 * @param files what is sent along
 */
record Piece(StyledText text, List<Attachment> files) {
    /** The most UTF-16 units of a message. Signal sends what is longer than 2000 bytes as a file of its own, which apps show as text. */
    private static final int LONGEST_TEXT = 8_000;
    /** The most files of a message. */
    private static final int MOST_FILES = 32;

    Piece {
        files = List.copyOf(files);
    }

    /** Returns the pieces of a message, in order, never none: equal messages give equal pieces. Files come with the last text. */
    static List<Piece> of(Outgoing message, boolean markdown) {
        StyledText text =
                Styles.writtenOut(markdown ? Markdown.read(message.text()) : StyledText.plain(message.text()));
        List<StyledText> texts = new ArrayList<>(new Splitter(LONGEST_TEXT, Measure.UTF_16, Dialect.PLAIN).split(text));
        List<Attachment> files = message.attachments();
        if (texts.isEmpty()) {
            // Signal shows no message that holds nothing.
            texts.add(StyledText.plain(files.isEmpty() ? "\u2026" : ""));
        }
        List<Piece> pieces = new ArrayList<>();
        texts.subList(0, texts.size() - 1).forEach(part -> pieces.add(new Piece(part, List.of())));
        StyledText last = texts.get(texts.size() - 1);
        int from = 0;
        do {
            int to = Math.min(files.size(), from + MOST_FILES);
            pieces.add(new Piece(from == 0 ? last : StyledText.plain(""), files.subList(from, to)));
            from = to;
        } while (from < files.size());
        return pieces;
    }
}
