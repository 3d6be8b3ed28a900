package dev.parley.adapter.echo;

import java.util.ArrayList;
import java.util.List;

/** Cuts an answer into the pieces in which it is streamed. */
final class Pieces {
    private static final int MOST = 8;

    private Pieces() {}

    /** Returns at most eight pieces, cut behind blanks where there are any; joined they are the text. */
    static List<String> of(String text) {
        int least = Math.max(1, (text.length() + MOST - 1) / MOST);
        List<String> pieces = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int to = Math.min(text.length(), from + least);
            while (to < text.length() && !Character.isWhitespace(text.charAt(to - 1))) {
                to++;
            }
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }
}
