package dev.parley.bootstrap.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table for people, each column as wide as its widest cell. A long one is printed as it comes, with columns as wide as among its
 * first {@value #HELD} rows, so that it need not fit into memory.
 */
final class Table {
    static final int HELD = 1_000;

    private static final String GAP = "  ";

    private final Optional<PrintStream> asItComes;
    private final List<List<String>> held = new ArrayList<>();
    private final int[] widths;
    private boolean printing;

    Table(String... titles) {
        this(Optional.empty(), titles);
    }

    private Table(Optional<PrintStream> asItComes, String... titles) {
        this.asItComes = asItComes;
        this.widths = new int[titles.length];
        row(titles);
    }

    /** Begins a table that may be long; {@link #print} to the same stream prints what is left. */
    static Table printedAsItComes(PrintStream out, String... titles) {
        return new Table(Optional.of(out), titles);
    }

    void row(String... cells) {
        List<String> row = List.of(cells);
        if (printing) {
            asItComes.ifPresent(out -> print(out, row));
            return;
        }
        held.add(row);
        for (int c = 0; c < widths.length; c++) {
            widths[c] = Math.max(widths[c], width(row.get(c)));
        }
        if (held.size() > HELD && asItComes.isPresent()) {
            print(asItComes.get());
        }
    }

    void print(PrintStream out) {
        printing = asItComes.isPresent();
        held.forEach(row -> print(out, row));
        held.clear();
    }

    private void print(PrintStream out, List<String> row) {
        StringBuilder line = new StringBuilder();
        for (int c = 0; c < widths.length; c++) {
            line.append(row.get(c))
                    .append(" ".repeat(Math.max(0, widths[c] - width(row.get(c)))))
                    .append(GAP);
        }
        out.println(line.toString().stripTrailing());
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
