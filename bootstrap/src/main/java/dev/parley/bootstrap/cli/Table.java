package dev.parley.bootstrap.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;

/** A table for people, each column as wide as its widest cell. */
final class Table {
    private static final int GAP = 2;

    private final List<String[]> rows = new ArrayList<>();

    Table(String... titles) {
        rows.add(titles);
    }

    void row(String... cells) {
        rows.add(cells);
    }

    void print(PrintStream out) {
        int columns = rows.get(0).length;
        Column[] layout = new Column[columns];
        for (int c = 0; c < columns; c++) {
            int width = 1;
            for (String[] row : rows) {
                width = Math.max(width, row[c].codePointCount(0, row[c].length()));
            }
            layout[c] = new Column(width + GAP, 0, Column.Overflow.SPAN);
        }
        ColorScheme plain = Help.defaultColorScheme(Ansi.OFF);
        TextTable table = TextTable.forColumns(plain, layout);
        for (String[] row : rows) {
            table.addRowValues(row);
        }
        out.print(table.toString().replaceAll("(?m)[ \\t]+$", ""));
    }
}
