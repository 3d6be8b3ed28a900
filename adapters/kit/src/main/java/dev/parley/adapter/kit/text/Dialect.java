package dev.parley.adapter.kit.text;

/** How a platform writes styled text. Pure: equal text gives equal markup. */
public interface Dialect {
    /** Only the text; for platforms that are given styles beside it, and for those without any. */
    Dialect PLAIN = StyledText::text;

    /** Returns the text with its styles as the platform's markup; characters that would be read as markup are escaped. */
    String render(StyledText text);
}
