package dev.parley.adapter.console;

import dev.parley.application.spi.WebResponse;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tables for spreadsheets: RFC 4180, with a head. A text that a spreadsheet would take for a formula is written behind an apostrophe, so
 * that what somebody wrote in a chat is never run on an operator's machine.
 */
final class Csv {
    private static final String FORMULAS = "=+-@\t\r\n＝＋－＠";

    private final StringBuilder text = new StringBuilder();

    private Csv() {}

    static Csv of(String... heads) {
        return new Csv().row(List.of(heads));
    }

    /** Rows that stand below a head that is written already. */
    static Csv rows() {
        return new Csv();
    }

    /** Returns a number in its plain form: 0.00001 and not 1.0E-5. */
    static Object plain(double number) {
        return BigDecimal.valueOf(number);
    }

    /** Adds a row; numbers are written as they are. */
    Csv row(Object... cells) {
        return row(Arrays.asList(cells));
    }

    private Csv row(List<?> cells) {
        text.append(cells.stream().map(Csv::cell).collect(Collectors.joining(",")))
                .append("\r\n");
        return this;
    }

    String text() {
        return text.toString();
    }

    /** Returns the answer that a browser saves under a name. */
    WebResponse.Whole saved(String name) {
        return download(name, "text/csv; charset=utf-8", text());
    }

    /** Returns a text that a browser saves and never shows; the name keeps only letters, digits, dots, hyphens and underscores. */
    static WebResponse.Whole download(String name, String type, String body) {
        return WebResponse.text(200, type, body)
                .with("Content-Disposition", "attachment; filename=\"" + safe(name) + "\"")
                .with("X-Content-Type-Options", "nosniff");
    }

    static String safe(String name) {
        String kept = name.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[.-]+|[.-]+$", "");
        return kept.isEmpty() ? "export" : kept.substring(0, Math.min(kept.length(), 100));
    }

    /** Some spreadsheets leave out what cannot be seen before they look. */
    private static boolean isFormula(String cell) {
        return cell.chars()
                .filter(c -> FORMULAS.indexOf(c) >= 0 || !isUnseen(c))
                .limit(1)
                .anyMatch(c -> FORMULAS.indexOf(c) >= 0);
    }

    private static boolean isUnseen(int c) {
        int kind = Character.getType(c);
        return Character.isWhitespace(c)
                || Character.isSpaceChar(c)
                || kind == Character.FORMAT
                || kind == Character.CONTROL;
    }

    private static String cell(Object value) {
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof Number) {
            return value.toString();
        }
        String cell = value.toString();
        if (isFormula(cell)) {
            cell = "'" + cell;
        }
        boolean quoted = cell.chars().anyMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r' || c == ';');
        return quoted ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }
}
