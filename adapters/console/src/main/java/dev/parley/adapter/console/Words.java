package dev.parley.adapter.console;

import java.util.Locale;

/** Numbers as people read them. */
final class Words {
    private Words() {}

    static String number(long number) {
        return String.format(Locale.ENGLISH, "%,d", number);
    }

    static String dollars(double usd) {
        return usd == 0 ? "" : String.format(Locale.ENGLISH, usd < 0.1 ? "$%.4f" : "$%,.2f", usd);
    }

    static String count(long number, String noun) {
        return number(number) + " " + noun + (number == 1 ? "" : "s");
    }
}
