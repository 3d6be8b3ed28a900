package dev.parley.bootstrap.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** A table for people, each column as wide as its widest cell. */
final class Table {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    Table(String... titles) {
        row(titles);
    }

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    void print(PrintStream out) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int c = 0; c < widths.length; c++) {
                widths[c] = Math.max(widths[c], width(row.get(c)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < widths.length; c++) {
                line.append(row.get(c))
                        .append(" ".repeat(widths[c] - width(row.get(c))))
                        .append(GAP);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
