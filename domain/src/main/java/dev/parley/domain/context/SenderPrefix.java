package dev.parley.domain.context;

import dev.parley.domain.source.SessionSource;

/** How messages of a shared session tell the agent who wrote them (X9.4). */
public final class SenderPrefix {
    private SenderPrefix() {}

    /**
     * The text with {@code [name] } before it, if the session is shared and the author has a name; else unchanged. A name
     * cannot close the bracket early or start a new line: brackets in it become round, line ends spaces.
     */
    public static String apply(SessionSource source, boolean shared, String text) {
        if (!shared) {
            return text;
        }
        String name = UntrustedText.onOneLine(source.userName().orElse(""))
                .replace('[', '(')
                .replace(']', ')');
        return name.isBlank() ? text : "[" + name + "] " + text;
    }

    /** A prefixed text after what was recovered of the channel's history, which itself gets no prefix. */
    public static String afterHistory(String history, String prefixed) {
        return history.isBlank() ? prefixed : history + "\n\n[New message]\n" + prefixed;
    }
}
