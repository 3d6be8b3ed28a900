package dev.parley.application.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the arguments of a command as a shell does: words, quotes and backslashes (Z12.3). */
final class Words {
    private static final String OPENING = "<[\"'";
    private static final String CLOSING = ">]\"'";

    private Words() {}

    /** Returns the words; nothing where a quote is not closed or a backslash stands at the end. */
    static Optional<List<String>> split(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quote != '\'') {
                if (++i == text.length()) {
                    return Optional.empty();
                }
                char next = text.charAt(i);
                if (quote == '"' && next != '"' && next != '\\') {
                    word.append(c);
                }
                word.append(next);
                inWord = true;
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                inWord = true;
            } else if (Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                    inWord = false;
                }
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quote != 0) {
            return Optional.empty();
        }
        if (inWord) {
            words.add(word.toString());
        }
        return Optional.of(List.copyOf(words));
    }

    /** Returns whether a text holds what {@link #split} does not take as it stands: quotation marks or backslashes. */
    static boolean quotes(String text) {
        return text.chars().anyMatch(c -> c == '"' || c == '\'' || c == '\\');
    }

    /** Returns the text without one pair of brackets or quotes around it. */
    static String unwrapped(String text) {
        if (text.length() >= 2) {
            int pair = OPENING.indexOf(text.charAt(0));
            if (pair >= 0 && CLOSING.charAt(pair) == text.charAt(text.length() - 1)) {
                return text.substring(1, text.length() - 1).strip();
            }
        }
        return text;
    }
}
