package dev.parley.persistence.sqlite.read;

import dev.parley.domain.text.Blanks;
import dev.parley.domain.transcript.Content;

/** The beginning of a conversation on one line (storage 3.9). */
final class Preview {
    /** So many characters are looked at. */
    static final int READ = 63;

    private static final int SHOWN = 60;

    private Preview() {}

    /** Returns the preview of a message; for content of several parts their texts, or a word that stands for them. */
    static String of(Content content) {
        String text = content.plainText();
        String said = content instanceof Content.Multipart && text.isBlank() ? "[multimodal content]" : text;
        String line = said.replace('\n', ' ').replace('\r', ' ');
        String read = Blanks.trim(first(line, READ));
        return read.codePointCount(0, read.length()) <= SHOWN ? read : first(read, SHOWN) + "...";
    }

    private static String first(String text, int characters) {
        int count = text.codePointCount(0, text.length());
        return text.substring(0, text.offsetByCodePoints(0, Math.min(characters, count)));
    }
}
