package dev.parley.domain.title;

import dev.parley.domain.text.Blanks;
import java.util.Optional;

/** Cleans the titles that people give to sessions (storage 3.3). */
public final class Title {
    /** The most code points a cleaned title may have. */
    public static final int MAX_LENGTH = 100;

    private Title() {}

    /**
     * The text as it is stored as a title: without control, zero-width and direction characters, each run of white space
     * as one space, trimmed. Empty where nothing remains, which takes a title away. Cleaning a cleaned title is identity.
     *
     * @throws TitleTooLong where more than {@value #MAX_LENGTH} code points remain
     */
    public static Optional<String> clean(String text) {
        StringBuilder cleaned = new StringBuilder(Math.min(text.length(), 2 * MAX_LENGTH));
        boolean blankBefore = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isRemoved(c)) {
                continue;
            }
            if (Blanks.is(c)) {
                blankBefore = cleaned.length() > 0;
                continue;
            }
            if (blankBefore) {
                cleaned.append(' ');
                blankBefore = false;
            }
            cleaned.append(c);
        }
        int length = cleaned.codePointCount(0, cleaned.length());
        if (length > MAX_LENGTH) {
            throw new TitleTooLong(length, MAX_LENGTH);
        }
        return length == 0 ? Optional.empty() : Optional.of(cleaned.toString());
    }

    /** What vanishes without leaving a space; tab, line feed and carriage return are not among it. */
    private static boolean isRemoved(char c) {
        return c <= 0x08
                || c == 0x0B
                || c == 0x0C
                || (c >= 0x0E && c <= 0x1F)
                || c == 0x7F
                || (c >= 0x200B && c <= 0x200F)
                || (c >= 0x2028 && c <= 0x202E)
                || (c >= 0x2060 && c <= 0x2069)
                || c == 0xFEFF
                || (c >= 0xFFF9 && c <= 0xFFFC);
    }
}
