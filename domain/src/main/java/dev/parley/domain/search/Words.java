package dev.parley.domain.search;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** The words of a text and where they stand: runs of letters and digits with their marks, compared without case and accents. */
final class Words {
    private final String text;
    private int[] bounds = new int[32];
    private int count;
    private final Map<Integer, String> unusual = new HashMap<>(2);

    Words(String text) {
        this.text = text;
        int at = 0;
        while (at < text.length()) {
            int length = wordPart(at);
            if (length == 0) {
                at += Character.charCount(text.codePointAt(at));
                continue;
            }
            int start = at;
            while (length > 0) {
                at += length;
                length = at < text.length() ? wordPart(at) : 0;
            }
            add(start, at);
        }
    }

    private void add(int start, int end) {
        if (2 * count == bounds.length) {
            bounds = Arrays.copyOf(bounds, 4 * count);
        }
        bounds[2 * count] = start;
        bounds[2 * count + 1] = end;
        count++;
    }

    /** Returns how long the character is that is part of a word, or 0 where it is none. */
    private int wordPart(int at) {
        char c = text.charAt(at);
        if (c < 128) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? 1 : 0;
        }
        int point = text.codePointAt(at);
        int type = Character.getType(point);
        boolean part = Character.isLetterOrDigit(point)
                || type == Character.NON_SPACING_MARK
                || type == Character.LETTER_NUMBER
                || type == Character.OTHER_NUMBER
                || type == Character.PRIVATE_USE;
        return part ? Character.charCount(point) : 0;
    }

    int count() {
        return count;
    }

    int start(int word) {
        return bounds[2 * word];
    }

    int end(int word) {
        return bounds[2 * word + 1];
    }

    /** Returns all words, folded. */
    String[] folded() {
        String[] all = new String[count];
        for (int i = 0; i < count; i++) {
            all[i] = folded(i);
        }
        return all;
    }

    /** Returns whether a word is another, folded one, or begins with it. */
    boolean is(int word, String wanted, boolean prefix) {
        int start = start(word);
        int length = end(word) - start;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(start + i);
            if (c >= 128) {
                String here = folded(word);
                return prefix ? here.startsWith(wanted) : here.equals(wanted);
            }
            if (i == wanted.length()) {
                return prefix;
            }
            if (lower(c) != wanted.charAt(i)) {
                return false;
            }
        }
        return length == wanted.length();
    }

    private static char lower(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
    }

    private String folded(int word) {
        return unusual.computeIfAbsent(word, each -> folded(text.substring(start(each), end(each))));
    }

    private static String folded(String word) {
        String plain = Normalizer.normalize(word, Normalizer.Form.NFD);
        StringBuilder bare = new StringBuilder(plain.length());
        plain.codePoints()
                .filter(point -> Character.getType(point) != Character.NON_SPACING_MARK)
                .forEach(bare::appendCodePoint);
        return bare.toString().toLowerCase(Locale.ROOT);
    }
}
