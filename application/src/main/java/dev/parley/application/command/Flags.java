package dev.parley.application.command;

import dev.parley.domain.text.Blanks;
import dev.parley.domain.text.OneLine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The flags that a command knows: words that begin with two hyphens, for a command without a text of its user's also with one before a
 * letter. A command that is given one it does not know does nothing and
 * says so, because a person who writes {@code --dry-run} wants something else than the command would do. A lone {@code --} ends the
 * flags: what follows is text, also where it begins with hyphens.
 *
 * @param known the flags, with their hyphens, lower-case; however they are written
 * @param place where words are taken for flags
 */
public record Flags(Set<String> known, Place place) {
    private static final String PREFIX = "--";

    public Flags {
        known = Set.copyOf(known);
    }

    /** Where a command's flags stand. */
    public enum Place {
        /** Anywhere among the arguments. */
        ANYWHERE,
        /** Before the first other word; what follows is text. */
        BEFORE_TEXT
    }

    /** Returns the flags of a command that takes no text: these, wherever they stand. */
    public static Flags anywhere(String... known) {
        return new Flags(Set.of(known), Place.ANYWHERE);
    }

    /** Returns the flags of a command that takes a text of its user's: these, before the text. */
    public static Flags beforeText(String... known) {
        return new Flags(Set.of(known), Place.BEFORE_TEXT);
    }

    /** Returns the first unknown flag among the arguments; absent if all are known. */
    public Optional<String> unknown(String arguments) {
        for (String word : Blanks.split(arguments)) {
            boolean flag = word.startsWith(PREFIX) || (place == Place.ANYWHERE && isShort(word));
            if (word.equals(PREFIX) || (!flag && place == Place.BEFORE_TEXT)) {
                return Optional.empty();
            }
            if (flag && !known.contains(normal(word))) {
                return Optional.of(word);
            }
        }
        return Optional.empty();
    }

    /** Returns a flag with two hyphens and in lower case, as the known ones are written; other words in lower case. */
    public static String normal(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        return isShort(lower) ? "-" + lower : lower;
    }

    /** What phones make of two hyphens is one in the end, where the dash is a short one. */
    private static boolean isShort(String word) {
        return word.length() > 2 && word.charAt(0) == '-' && Character.isLetter(word.charAt(1));
    }

    /**
     * Returns the answer to arguments with an unknown flag; absent if all are known.
     *
     * @param name the command's name as it was typed
     * @param usage how the command is written
     */
    public Optional<CommandOutcome> refusal(String name, String usage, String arguments) {
        return unknown(arguments)
                .map(flag -> CommandOutcome.reply(
                        "/" + name + " knows no " + OneLine.quoted(flag) + ", so nothing was done. Usage: " + usage));
    }

    /** Returns the arguments without a leading lone {@code --}, for commands whose arguments are text. */
    public static String text(String arguments) {
        List<String> words = Blanks.split(arguments);
        return !words.isEmpty() && words.get(0).equals(PREFIX)
                ? arguments.strip().substring(PREFIX.length()).strip()
                : arguments;
    }
}
