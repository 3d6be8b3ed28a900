package dev.parley.adapter.terminal;

import java.util.stream.Collectors;

/** Texts of others as they are printed: without control characters, which could steer a terminal. */
final class Printable {
    private Printable() {}

    /** Returns a text with its line breaks and tabs, and without every other control character. */
    static String of(String text) {
        return text.codePoints()
                .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }
}
