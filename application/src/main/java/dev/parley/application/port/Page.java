package dev.parley.application.port;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Some rows of a list, in an order that new rows do not disturb: going on behind a page neither leaves out nor repeats a row that
 * has not changed.
 *
 * @param rows the rows
 * @param next where the list goes on; absent where this page is the last one
 */
public record Page<T>(List<T> rows, Optional<Cursor> next) {
    public Page {
        rows = List.copyOf(rows);
    }

    /**
     * Makes a page of the first rows of what was found.
     *
     * @param found up to {@code limit + 1} rows, in order: one too many says that there are more
     * @param limit how many rows the page has at most
     * @param place the place of a row
     */
    public static <T> Page<T> of(List<T> found, int limit, Function<? super T, Cursor> place) {
        if (found.size() <= limit) {
            return new Page<>(found, Optional.empty());
        }
        List<T> rows = found.subList(0, limit);
        return new Page<>(rows, limit == 0 ? Optional.empty() : Optional.of(place.apply(rows.get(limit - 1))));
    }

    /** Returns this page with other rows in the places of these. */
    public <R> Page<R> map(Function<? super T, ? extends R> each) {
        return new Page<>(rows.stream().<R>map(each).toList(), next);
    }
}
