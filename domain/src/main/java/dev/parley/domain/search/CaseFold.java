package dev.parley.domain.search;

/**
 * Letters without regard to case, one code point for one, as SQLite's index of substrings compares them: so a text is found alike
 * whether an index is asked or the text is read. Letters that came with Unicode 7 and later are each their own.
 */
public final class CaseFold {
    private static final int LAST_ASCII = 0x7f;

    /** First and last code points of the blocks in which case counts for nothing, rising. */
    private static final int[] BLOCKS = {
        0xb5, 0x12f, 0x132, 0x37d, 0x384, 0x527, 0x531, 0x587, 0x10a0, 0x10cd, 0x1e00, 0x1fff, 0x2126, 0x2188, 0x24b6,
        0x24e9, 0x2c00, 0x2d2d, 0xa640, 0xa697, 0xa722, 0xa793, 0xa7a0, 0xa7aa, 0xff21, 0xff5a, 0x10400, 0x1044f
    };

    private CaseFold() {}

    /** Returns what stands for this code point and the others that differ from it in case only. */
    public static int of(int point) {
        if (point <= LAST_ASCII) {
            return point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
        }
        for (int i = 0; i < BLOCKS.length && BLOCKS[i] <= point; i += 2) {
            if (point <= BLOCKS[i + 1]) {
                return Character.toLowerCase(Character.toUpperCase(point));
            }
        }
        return point;
    }

    /** Returns a text with each code point folded; as long as the text. */
    public static String of(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            folded.appendCodePoint(of(point));
            at += Character.charCount(point);
        }
        return folded.toString();
    }
}
