package dev.parley.domain.transcript;

import dev.parley.domain.text.Blanks;

/** The beginning of a conversation on one line, as lists show it (storage 3.9). */
public final class Preview {
    /** So many characters of a message are looked at. */
    public static final int READ = 63;

    private static final int SHOWN = 60;
    private static final String NO_TEXT = "[multimodal content]";

    private Preview() {}

    /** Returns whether a conversation's preview is made of its first message like this: one of its user, with content. */
    public static boolean isMadeOf(Message message) {
        return message.role().equals(Role.USER) && !(message.content() instanceof Content.None);
    }

    /** Returns the preview of a message; for content of several parts their texts, or a word in their place. */
    public static String of(Content content) {
        String text = content.plainText();
        String said = content instanceof Content.Multipart && text.isBlank() ? NO_TEXT : text;
        String read = Blanks.trim(first(said, READ).replace('\n', ' ').replace('\r', ' '));
        String shown = first(read, SHOWN);
        return shown.length() == read.length() ? read : shown + "...";
    }

    private static String first(String text, int characters) {
        return text.length() <= characters || text.codePointCount(0, text.length()) <= characters
                ? text
                : text.substring(0, text.offsetByCodePoints(0, characters));
    }
}
