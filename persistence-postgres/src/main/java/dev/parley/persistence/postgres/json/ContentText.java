package dev.parley.persistence.postgres.json;

import dev.parley.domain.transcript.Content;
import dev.parley.persistence.sql.json.PartsText;
import org.jspecify.annotations.Nullable;

/** The content of a message as two columns: a text, and whether that is JSON of several parts. */
public final class ContentText {
    private ContentText() {}

    /** Returns the column's text; null for no content. */
    public static @Nullable String write(Content content) {
        if (content instanceof Content.Text text) {
            return text.text();
        }
        return content instanceof Content.Multipart parts ? parts.json().text() : null;
    }

    /** Returns whether the content has several parts. */
    public static boolean isParts(Content content) {
        return content instanceof Content.Multipart;
    }

    /** Returns the content; parts that are no JSON any more are text. */
    public static Content read(@Nullable String column, boolean parts) {
        if (column == null) {
            return Content.none();
        }
        if (!parts) {
            return Content.text(column);
        }
        return PartsText.read(column).orElseGet(() -> Content.text(column));
    }
}
