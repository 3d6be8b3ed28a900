package dev.parley.adapter.whatsapp.outbound;

import dev.parley.adapter.kit.text.Dialects;
import dev.parley.adapter.kit.text.Markdown;
import dev.parley.adapter.kit.text.Measure;
import dev.parley.adapter.kit.text.Splitter;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One message of WhatsApp's that an outgoing message becomes.
 *
 * @param text its text, in WhatsApp's markup; the caption of a file, which may be empty
 * @param attachment its file
 */
record Piece(String text, Optional<Attachment> attachment) {
    /** The most UTF-16 units of a text with its markup. */
    static final int LONGEST_TEXT = 4_096;
    /** The most UTF-16 units of a file's caption. */
    static final int LONGEST_CAPTION = 1_024;

    /** Kinds that WhatsApp shows without a caption. */
    private static final List<String> WITHOUT_CAPTION = List.of("audio", "voice");

    /**
     * Returns the pieces of a message, in order, never none: equal messages give equal pieces. A short text goes below the first file.
     */
    static List<Piece> of(Outgoing message, boolean markdown) {
        List<String> parts = parts(message.text(), markdown);
        List<Piece> pieces = new ArrayList<>();
        List<Attachment> attachments = message.attachments();
        boolean captioned = !attachments.isEmpty()
                && !WITHOUT_CAPTION.contains(attachments.get(0).kind())
                && (parts.isEmpty() || (parts.size() == 1 && parts.get(0).length() <= LONGEST_CAPTION));
        if (!captioned) {
            parts.forEach(part -> pieces.add(new Piece(part, Optional.empty())));
        }
        for (int i = 0; i < attachments.size(); i++) {
            boolean first = captioned && i == 0 && !parts.isEmpty();
            pieces.add(new Piece(first ? parts.get(0) : "", Optional.of(attachments.get(i))));
        }
        if (pieces.isEmpty()) {
            // WhatsApp shows no message without a text.
            pieces.add(new Piece("\u2026", Optional.empty()));
        }
        return pieces;
    }

    private static List<String> parts(String text, boolean markdown) {
        StyledText styled = markdown ? Markdown.read(text) : StyledText.plain(text);
        return new Splitter(LONGEST_TEXT, Measure.UTF_16, Dialects.WHATSAPP)
                .split(styled).stream().map(Dialects.WHATSAPP::render).toList();
    }
}
