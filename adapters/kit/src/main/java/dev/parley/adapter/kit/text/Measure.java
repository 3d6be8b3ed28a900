package dev.parley.adapter.kit.text;

import java.nio.charset.StandardCharsets;

/** How a platform counts the length of a text. */
public enum Measure {
    /** UTF-16 units, as Java counts. */
    UTF_16 {
        @Override
        public int of(String text) {
            return text.length();
        }
    },
    /** Unicode code points. */
    CODE_POINTS {
        @Override
        public int of(String text) {
            return text.codePointCount(0, text.length());
        }
    },
    /** Bytes in UTF-8. */
    UTF_8_BYTES {
        @Override
        public int of(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }
    };

    /** Returns the length of a text in this measure. */
    public abstract int of(String text);
}
