package dev.parley.adapter.whatsappcloud.outbound;

import dev.parley.adapter.kit.text.Dialects;
import dev.parley.adapter.kit.text.Markdown;
import dev.parley.adapter.kit.text.Measure;
import dev.parley.adapter.kit.text.Splitter;
import dev.parley.adapter.kit.text.StyledText;
import dev.parley.application.ability.Asking.Choice;
import dev.parley.domain.turn.Attachment;
import dev.parley.domain.turn.Outgoing;
import java.util.ArrayList;
import java.util.List;

/** One message of WhatsApp's that an outgoing message becomes. */
sealed interface Piece {
    /** The most characters of a text. */
    int LONGEST_TEXT = 4096;
    /** The most characters below a file. */
    int LONGEST_CAPTION = 1024;

    /** A text, with its marks. */
    record Words(String text) implements Piece {}

    /** A file, with the words below it; they may be empty. */
    record Enclosed(Attachment attachment, FileForm as, String caption) implements Piece {}

    /** A question with answers to choose from. */
    record Question(String text, List<Choice> choices) implements Piece {}

    /**
     * Returns the pieces of a message, in order, never none: equal messages give equal pieces. A short text goes below the first file that
     * takes one; a file that WhatsApp does not take is named instead.
     */
    static List<Piece> of(Outgoing message, List<Choice> choices, boolean markdown) {
        StyledText text = markdown ? Markdown.read(message.text()) : StyledText.plain(message.text());
        List<Piece> pieces = new ArrayList<>();
        String whole = Dialects.WHATSAPP.render(text);
        boolean captioned = choices.isEmpty()
                && whole.length() <= LONGEST_CAPTION
                && message.attachments().stream()
                        .findFirst()
                        .flatMap(FileForm::of)
                        .filter(FileForm::takesCaption)
                        .isPresent();
        if (!captioned) {
            new Splitter(LONGEST_TEXT, Measure.UTF_16, Dialects.WHATSAPP)
                    .split(text)
                    .forEach(part -> pieces.add(new Words(Dialects.WHATSAPP.render(part))));
        }
        for (Attachment attachment : message.attachments()) {
            String caption = captioned && pieces.isEmpty() ? whole : "";
            pieces.add(FileForm.of(attachment)
                    .<Piece>map(as -> new Enclosed(attachment, as, caption))
                    .orElseGet(() -> new Words("[" + attachment.name().orElse(attachment.kind())
                            + ": WhatsApp takes no file like this.]")));
        }
        ask(pieces, choices);
        if (pieces.isEmpty()) {
            // WhatsApp shows no message without a text.
            pieces.add(new Words("\u2026"));
        }
        return pieces;
    }

    /** The last words become the question, or a short one follows where they are too long for that. */
    private static void ask(List<Piece> pieces, List<Choice> choices) {
        if (choices.isEmpty() || choices.size() > Choices.MOST) {
            return;
        }
        int last = pieces.size() - 1;
        if (last >= 0 && pieces.get(last) instanceof Words words && words.text().length() <= Choices.LONGEST_QUESTION) {
            pieces.set(last, new Question(words.text(), choices));
        } else {
            pieces.add(new Question("Choose:", choices));
        }
    }
}
