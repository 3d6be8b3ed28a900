package dev.parley.adapter.kit.text;

import java.util.Optional;

/**
 * How a stretch of text looks.
 *
 * @param kind the look
 * @param argument the address of a link, the language of a code block; absent elsewhere and where none was given
 */
public record Style(Kind kind, Optional<String> argument) {
    /** A style without an argument. */
    public static Style of(Kind kind) {
        return new Style(kind, Optional.empty());
    }

    /** The looks that at least one platform can show. */
    public enum Kind {
        /** Strong emphasis. */
        BOLD,
        /** Emphasis. */
        ITALIC,
        /** Struck out. */
        STRIKE,
        /** A heading; where a platform has none it is shown in bold. */
        HEADING,
        /** Code within a line. */
        CODE,
        /** A block of code. */
        CODE_BLOCK,
        /** A link; its address is the argument. */
        LINK,
        /** A quotation. */
        QUOTE
    }
}
