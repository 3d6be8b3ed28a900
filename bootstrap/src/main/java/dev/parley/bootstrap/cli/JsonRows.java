package dev.parley.bootstrap.cli;

import dev.parley.bootstrap.json.Json;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Prints a JSON list row by row, as if it were printed whole. A list that was not ended is no JSON. */
final class JsonRows {
    private final PrintStream out;
    private boolean begun;

    JsonRows(PrintStream out) {
        this.out = out;
    }

    void add(@Nullable Object row) {
        out.print(begun ? ", " : "[ ");
        out.print(Json.pretty(row));
        begun = true;
    }

    void end() {
        out.println(begun ? " ]" : "[ ]");
    }
}
