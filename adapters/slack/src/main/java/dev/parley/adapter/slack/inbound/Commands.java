package dev.parley.adapter.slack.inbound;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How people give commands where Slack keeps what begins with a slash for itself: behind an exclamation mark, which works in threads
 * too, and by the app's slash command. Safe for concurrent use.
 */
public final class Commands {
    private static final Pattern MARKED = Pattern.compile("^!([a-z][a-z0-9_-]{0,31})(?=\\s|$)");

    private final String own;
    private volatile Set<String> known = Set.of();

    /**
     * Commands that are not known yet: until they are, every word counts as one.
     *
     * @param own the app's slash command, without the slash
     */
    public Commands(String own) {
        this.own = own;
    }

    /** Learns which commands there are, without a slash. */
    public void learn(Set<String> names) {
        known = Set.copyOf(names);
    }

    /** Returns a text that was typed, with a command behind an exclamation mark as one behind a slash. */
    String typed(String text) {
        Matcher command = MARKED.matcher(text);
        return command.find() && isCommand(command.group(1)) ? "/" + text.substring(1) : text;
    }

    /** Returns what a slash command says: behind the app's own stands a command, or what is meant for the agent. */
    String slash(String command, String rest) {
        String name = command.startsWith("/") ? command.substring(1) : command;
        String words = rest.strip();
        if (!name.equals(own)) {
            return ("/" + name + " " + words).strip();
        }
        if (words.isEmpty()) {
            return "/help";
        }
        String plain = words.startsWith("/") ? words.substring(1) : words;
        return isCommand(plain.split("\\s", 2)[0]) ? "/" + plain : words;
    }

    private boolean isCommand(String word) {
        return known.isEmpty() || known.contains(word);
    }
}
