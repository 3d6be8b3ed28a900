package dev.parley.fakes.proof;

import java.util.List;
import java.util.regex.Pattern;

/** The marks that tell one text from every other wherever it turns up: {@code <lane#number>}. */
public final class Tokens {
    private static final Pattern TOKEN = Pattern.compile("<[a-z0-9]+#\\d+>");

    private Tokens() {}

    /** Returns the mark of what is said in a lane, by its place there. */
    public static String of(String lane, int number) {
        return "<" + lane + "#" + number + ">";
    }

    /** Returns the marks in a text, in order. */
    public static List<String> in(String text) {
        return TOKEN.matcher(text).results().map(found -> found.group()).toList();
    }
}
