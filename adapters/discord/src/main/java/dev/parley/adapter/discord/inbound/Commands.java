package dev.parley.adapter.discord.inbound;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How people give commands in words: behind a slash, or behind an exclamation mark as bots of Discord are used to. Safe for concurrent use. */
public final class Commands {
    private static final Pattern MARKED = Pattern.compile("^!([a-z][a-z0-9_-]{0,31})(?=\\s|$)");

    private volatile Set<String> known = Set.of();

    /** Commands that are not known yet: until they are, every word counts as one. */
    public Commands() {}

    /** Learns which commands there are, without a slash. */
    public void learn(Set<String> names) {
        known = Set.copyOf(names);
    }

    /** Returns a text that was typed, with a command behind an exclamation mark as one behind a slash. */
    String typed(String text) {
        Matcher command = MARKED.matcher(text);
        boolean is = command.find() && (known.isEmpty() || known.contains(command.group(1)));
        return is ? "/" + text.substring(1) : text;
    }
}
