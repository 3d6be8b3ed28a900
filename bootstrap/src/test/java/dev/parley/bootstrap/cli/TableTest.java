package dev.parley.bootstrap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        Table table = new Table("A", "B");
        table.row("longer", "x");
        table.row("s", "y");
        table.print(out);

        assertThat(lines()).containsExactly("A       B", "longer  x", "s       y");
    }

    @Test
    void aTableWithoutRowsHasItsTitles() {
        new Table("A", "B").print(out);

        assertThat(lines()).containsExactly("A  B");
    }

    @Test
    void aLongTableIsPrintedAsItComes() {
        Table table = Table.printedAsItComes(out, "NUMBER", "WORD");
        for (int i = 0; i < Table.HELD; i++) {
            table.row(Integer.toString(i), "w");
        }

        assertThat(lines()).hasSize(Table.HELD + 1).startsWith("NUMBER  WORD", "0       w");

        table.row("a number that is wider", "w");
        assertThat(lines()).hasSize(Table.HELD + 2).endsWith("a number that is wider  w");
        table.print(out);
        assertThat(lines()).hasSize(Table.HELD + 2);
    }

    private List<String> lines() {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
