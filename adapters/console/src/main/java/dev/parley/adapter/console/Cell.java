package dev.parley.adapter.console;

import java.util.List;

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

    boolean dotted() {
        return List.of("ok", "warn", "bad", "run", "quiet").contains(state);
    }

    boolean explained() {
        return !title.isEmpty();
    }
}
