package dev.parley.adapter.console;

import dev.parley.domain.text.OneLine;
import java.util.Locale;

/** Numbers and short texts as people read them. */
final class Words {
    private static final int LINE = 120;
    private static final int REASON = 400;

    private Words() {}

    /** Returns a text of somebody else in one line that fits a cell. */
    static String line(String text) {
        return OneLine.of(text, LINE);
    }

    /** Returns why something failed, in one line; what can be done about it often stands at its end. */
    static String reason(String text) {
        return OneLine.of(text, REASON);
    }

    /** Returns a text as the id of an element, which has no blanks. */
    static String id(String text) {
        StringBuilder id = new StringBuilder();
        text.codePoints()
                .forEach(c -> id.append(
                        Character.isWhitespace(c) || Character.isISOControl(c) || c == '%'
                                ? "%" + Integer.toHexString(c)
                                : Character.toString(c)));
        return id.toString();
    }

    static String number(long number) {
        return String.format(Locale.ENGLISH, "%,d", number);
    }

    static String dollars(double usd) {
        return usd == 0 ? "" : String.format(Locale.ENGLISH, usd < 0.1 ? "$%.4f" : "$%,.2f", usd);
    }

    /** Returns a figure of the storage as people read it: counts in groups, sizes in their unit. */
    static String figure(String name, String value) {
        boolean size = name.endsWith("bytes");
        if (!value.matches("[0-9]{1,18}") || !(size || value.length() > 4)) {
            return value;
        }
        return size ? bytes(Long.parseLong(value)) : number(Long.parseLong(value));
    }

    private static String bytes(long bytes) {
        if (bytes < 1_024) {
            return bytes + " bytes";
        }
        double kilo = bytes / 1_024.0;
        double mega = kilo / 1_024;
        return mega < 1
                ? String.format(Locale.ENGLISH, "%.0f KB", kilo)
                : mega < 1_024
                        ? String.format(Locale.ENGLISH, "%,.1f MB", mega)
                        : String.format(Locale.ENGLISH, "%,.1f GB", mega / 1_024);
    }

    static String count(long number, String noun) {
        return number(number) + " " + noun + (number == 1 ? "" : "s");
    }
}
