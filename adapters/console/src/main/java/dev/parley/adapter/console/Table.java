package dev.parley.adapter.console;

import dev.parley.application.port.Page;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table.
 *
 * @param caption what it shows
 * @param heads the columns
 * @param rows the rows
 * @param empty what stands there where there are no rows
 * @param failure why it cannot be shown; empty where it can: unavailable is never shown as empty
 * @param next where it goes on; empty where this is all
 * @param soFar how far rows were sought where the search goes on; else empty
 */
record Table(
        String caption, List<String> heads, List<Row> rows, String empty, String failure, String next, String soFar) {
    static Table of(String caption, List<String> heads, List<Row> rows, String empty) {
        return new Table(caption, heads, rows, empty, "", "", "");
    }

    static Table unavailable(String caption, String why) {
        return new Table(caption, List.of(), List.of(), "", why, "", "");
    }

    /** Returns this with the address behind which it goes on, where the page is not the last. */
    Table goingOn(Page<?> page, Link here) {
        return page.next()
                .map(place -> goingOn(here.with("after", place.text()).text()))
                .orElse(this);
    }

    Table goingOn(String address) {
        return new Table(caption, heads, rows, empty, failure, address, soFar);
    }

    /** Returns this as what was found so far, where it goes on although its page is not full. */
    Table searched(String far) {
        return new Table(caption, heads, rows, empty, failure, next, far);
    }

    boolean goesOnSearching() {
        return !soFar.isEmpty();
    }

    /**
     * A column.
     *
     * @param text its head
     * @param kind {@code num} where it has numbers, so that they stand below each other; else empty
     */
    record Column(String text, String kind) {}

    /** Returns the columns; one has numbers where its first cell has. */
    List<Column> columns() {
        List<Cell> first = rows.isEmpty() ? List.of() : rows.get(0).cells();
        return IntStream.range(0, heads.size())
                .mapToObj(i -> new Column(
                        heads.get(i), i < first.size() && first.get(i).state().equals("num") ? "num" : ""))
                .toList();
    }

    boolean failed() {
        return !failure.isEmpty();
    }

    boolean filled() {
        return !failed() && !rows.isEmpty();
    }

    boolean blank() {
        return !failed() && rows.isEmpty();
    }

    boolean more() {
        return !next.isEmpty();
    }
}
