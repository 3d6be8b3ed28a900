package dev.parley.domain.transcript;

import dev.parley.domain.text.RawJson;
import java.util.List;

/** What a message says. */
public sealed interface Content {
    /** Returns no content at all, which is not the same as an empty text. */
    static Content none() {
        return new None();
    }

    /**
     * Returns the text a person would read: the text itself, the text parts of multi-part content joined by newlines, or
     * the empty string (O4.20).
     */
    String plainText();

    /** Returns true where there is nothing to read: no content or blank text. */
    boolean isBlank();

    /** Returns text content. */
    static Content text(String text) {
        return new Text(text);
    }

    /** A message without content, such as an assistant message that only calls tools. */
    record None() implements Content {
        @Override
        public String plainText() {
            return "";
        }

        @Override
        public boolean isBlank() {
            return true;
        }
    }

    /**
     * Plain text.
     *
     * @param text the text, possibly empty
     */
    record Text(String text) implements Content {
        @Override
        public String plainText() {
            return text;
        }

        @Override
        public boolean isBlank() {
            return text.isBlank();
        }
    }

    /**
     * Multi-part content (text, images, files) as the JSON list or object it was received as.
     *
     * @param json the whole content, carried unchanged
     * @param textParts the texts inside it, in order; what reads the JSON extracts them
     */
    record Multipart(RawJson json, List<String> textParts) implements Content {
        public Multipart {
            textParts = List.copyOf(textParts);
        }

        @Override
        public String plainText() {
            return String.join("\n", textParts);
        }

        @Override
        public boolean isBlank() {
            return false;
        }
    }
}
