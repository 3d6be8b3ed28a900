package dev.parley.persistence.sqlite.search;

/** Character classes by the words of the specification; all of them code points. */
final class Characters {
    private Characters() {}

    /** Returns whether it separates words (storage, head of the text); wider than {@link Character#isWhitespace(int)}. */
    static boolean isSpace(int point) {
        return within(point, 0x09, 0x0d)
                || within(point, 0x1c, 0x20)
                || point == 0x85
                || point == 0xa0
                || point == 0x1680
                || within(point, 0x2000, 0x200a)
                || point == 0x2028
                || point == 0x2029
                || point == 0x202f
                || point == 0x205f
                || point == 0x3000;
    }

    /** Returns whether it is a letter or digit of any script, or an underscore (storage 5.2). */
    static boolean isWord(int point) {
        if (point < 0) {
            return false;
        }
        return switch (Character.getType(point)) {
            case Character.UPPERCASE_LETTER,
                    Character.LOWERCASE_LETTER,
                    Character.TITLECASE_LETTER,
                    Character.MODIFIER_LETTER,
                    Character.OTHER_LETTER,
                    Character.DECIMAL_DIGIT_NUMBER,
                    Character.LETTER_NUMBER,
                    Character.OTHER_NUMBER -> true;
            default -> point == '_';
        };
    }

    /** Returns whether it is a Chinese, Japanese or Korean character for the choice of the path (storage 5.5). */
    static boolean isCjk(int point) {
        return within(point, 0x4e00, 0x9fff)
                || within(point, 0x3400, 0x4dbf)
                || within(point, 0x20000, 0x2a6df)
                || within(point, 0x3000, 0x303f)
                || within(point, 0x3040, 0x309f)
                || within(point, 0x30a0, 0x30ff)
                || within(point, 0xac00, 0xd7af);
    }

    /** Returns how many Chinese, Japanese or Korean characters a text has. */
    static long cjkIn(String text) {
        return text.codePoints().filter(Characters::isCjk).count();
    }

    private static boolean within(int point, int first, int last) {
        return first <= point && point <= last;
    }
}
