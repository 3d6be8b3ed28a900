package dev.parley.adapter.console;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A cell of a table.
 *
 * @param head the column, shown beside the cell where the table is too narrow for heads
 * @param text what it says
 * @param href where it leads; empty where it leads nowhere
 * @param title more about it, for those who point at it
 * @param state a word that colours it: ok, warn, bad, run or quiet; empty for none
 */
record Cell(String head, String text, String href, String title, String state) {
    /** Search puts these around what was sought. */
    private static final String SOUGHT = ">>>";

    private static final String SOUGHT_END = "<<<";

    private static final int SHORT = 12;

    private static final Pattern SESSION = Pattern.compile("[0-9]{8}_[0-9]{6}_[0-9a-f]{8}");

    static Cell text(String head, String text) {
        return new Cell(head, text, "", "", "");
    }

    static Cell number(String head, long number) {
        return text(head, Words.number(number)).in("num");
    }

    Cell to(String address) {
        return new Cell(head, text, address, title, state);
    }

    Cell titled(String more) {
        return new Cell(head, text, href, more, state);
    }

    Cell in(String word) {
        return new Cell(head, text, href, title, word);
    }

    boolean linked() {
        return !href.isEmpty();
    }

    boolean sought() {
        return state.equals("found");
    }

    boolean dotted() {
        return List.of("ok", "warn", "bad", "run", "quiet").contains(state);
    }

    /** Returns how the cell is set: a word that is broken in two is hard to read, so short texts and ids of sessions stay on one line. */
    String kind() {
        return state.isEmpty()
                        && (text.length() <= SHORT || SESSION.matcher(text).matches())
                ? "short"
                : state;
    }

    /** Returns the text in pieces, those that were sought marked. */
    List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>();
        String rest = text;
        for (int from = rest.indexOf(SOUGHT); from >= 0; from = rest.indexOf(SOUGHT)) {
            int to = rest.indexOf(SOUGHT_END, from);
            int end = to < 0 ? rest.length() : to;
            pieces.add(new Piece(rest.substring(0, from), rest.substring(from + SOUGHT.length(), end)));
            rest = to < 0 ? "" : rest.substring(to + SOUGHT_END.length());
        }
        pieces.add(new Piece(rest, ""));
        return pieces;
    }

    /**
     * A piece of a text.
     *
     * @param plain what was not sought
     * @param sought what was sought, behind it; empty at the end
     */
    record Piece(String plain, String sought) {
        boolean found() {
            return !sought.isEmpty();
        }
    }

    boolean explained() {
        return !title.isEmpty();
    }
}
