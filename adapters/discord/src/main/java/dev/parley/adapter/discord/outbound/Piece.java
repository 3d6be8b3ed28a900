package dev.parley.adapter.discord.outbound;

import dev.parley.adapter.kit.text.Dialects;
import dev.parley.adapter.kit.text.Markdown;
import dev.parley.adapter.kit.text.Measure;
import dev.parley.adapter.kit.text.Splitter;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;

/** One message of Discord that an outgoing message becomes. */
sealed interface Piece {
    /** The most UTF-16 units of a message with its markup. */
    int LONGEST_TEXT = 2_000;

    /**
     * A text.
     *
     * @param text as Discord's Markdown
     */
    record Words(String text) implements Piece {}

    /**
     * A file.
     *
     * @param attachment the file
     */
    record Enclosed(Attachment attachment) implements Piece {}

    /** Returns the pieces of a message, in order, never none: equal messages give equal pieces. */
    static List<Piece> of(Outgoing message, boolean markdown) {
        List<Piece> pieces = new ArrayList<>();
        if (!message.text().isBlank() || message.attachments().isEmpty()) {
            words(message.text(), markdown).forEach(part -> pieces.add(new Words(part)));
        }
        message.attachments().forEach(attachment -> pieces.add(new Enclosed(attachment)));
        return pieces;
    }

    /** Returns a text as it is shown, cut where it is too long; never nothing, since Discord takes no message without a text. */
    static List<String> words(String text, boolean markdown) {
        StyledText styled = markdown ? Markdown.read(text) : StyledText.plain(text);
        List<String> parts = new Splitter(LONGEST_TEXT, Measure.UTF_16, Dialects.DISCORD)
                .split(styled).stream().map(Dialects.DISCORD::render).toList();
        return parts.isEmpty() ? List.of("\u2026") : parts;
    }
}
