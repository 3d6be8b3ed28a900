package dev.parley.adapter.kit.text;

import java.util.Collection;
import java.util.regex.Pattern;

/** Whether what a server or a program says repeats what was written to it. The log shows what those say, and never what people do. */
public final class Repeated {
    /** So many characters in a row are hardly the same by chance. */
    private static final int LONG = 12;

    private Repeated() {}

    /** Returns whether a text of a conversation stands in what is said: a short one as a whole, a longer one in part. */
    public static boolean in(String said, Collection<String> conversation) {
        return conversation.stream().anyMatch(text -> repeats(said, text.strip()));
    }

    private static boolean repeats(String said, String text) {
        if (text.length() < LONG) {
            return !text.isEmpty()
                    && Pattern.compile("(?<!\\w)" + Pattern.quote(text) + "(?!\\w)")
                            .matcher(said)
                            .find();
        }
        for (int from = 0; from + LONG <= said.length(); from++) {
            if (text.contains(said.substring(from, from + LONG))) {
                return true;
            }
        }
        return false;
    }
}
