package dev.parley.adapter.console;

import java.util.List;

/**
 * A row of a table.
 *
 * @param id names it in the page, so that it alone is replaced when it has changed
 * @param cells its cells
 * @param details what it stands on, shown when it is unfolded; empty where there is no more to say
 */
record Row(String id, List<Cell> cells, List<Cell> details) {
    Row {
        id = Words.id(id);
    }

    static Row of(String id, Cell... cells) {
        return new Row(id, List.of(cells), List.of());
    }

    boolean folded() {
        return !details.isEmpty();
    }

    int width() {
        return cells.size();
    }
}
