package dev.parley.adapter.slack.outbound;

import dev.parley.adapter.kit.text.Dialects;
import dev.parley.adapter.kit.text.Markdown;
import dev.parley.adapter.kit.text.Measure;
import dev.parley.adapter.kit.text.Splitter;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;

/** One message of Slack that an outgoing message becomes. */
sealed interface Piece {
    /** The most UTF-16 units of a message with its markup: Slack changes no longer one. */
    int LONGEST_TEXT = 3_900;

    /** A text. */
    record Words(StyledText text) implements Piece {}

    /** A file. */
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

    /** Returns a text as it is shown, cut where it is too long; never nothing, since Slack takes no message without a text. */
    static List<StyledText> words(String text, boolean markdown) {
        StyledText styled = markdown ? Markdown.read(text) : StyledText.plain(text);
        List<StyledText> parts = new Splitter(LONGEST_TEXT, Measure.UTF_16, Dialects.SLACK).split(styled);
        return parts.isEmpty() ? List.of(StyledText.plain("\u2026")) : parts;
    }
}
