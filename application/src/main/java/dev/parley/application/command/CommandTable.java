package dev.parley.application.command;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The commands of a gateway, and how one is recognised in a text (Q8.2). */
public final class CommandTable {
    private static final String YES = " yes";

    /** What phones make of the two hyphens before a flag. */
    private static final Pattern AUTOCORRECTED = Pattern.compile("(?<!\\S)\u2014(?=\\p{L})");

    private final Map<String, ChatCommand> byName = new HashMap<>();
    private final Map<String, ChatCommand> byWords = new HashMap<>();
    private final List<ChatCommand> all;

    /**
     * Collects the commands of a gateway.
     *
     * @param triggers what begins a new session: names with a slash, or words; see {@link #triggers}
     * @param renewing the command that does; absent where nothing does
     * @param others the others; the first of a name wins, {@code renewing} before all
     */
    public CommandTable(List<String> triggers, Optional<ChatCommand> renewing, List<ChatCommand> others) {
        renewing.ifPresent(
                renew -> triggers.forEach(t -> (t.startsWith("/") ? byName : byWords).putIfAbsent(nameOf(t), renew)));
        collect(others);
        all = Stream.concat(byName.values().stream(), byWords.values().stream())
                .distinct()
                .sorted(Comparator.comparing(ChatCommand::name))
                .toList();
    }

    /** Returns configured triggers as they are compared: without empty and repeated ones, those with a slash first. */
    public static List<String> triggers(List<String> configured) {
        return configured.stream()
                .map(CommandTable::normal)
                .filter(t -> !nameOf(t).isEmpty())
                .distinct()
                .sorted(Comparator.comparing(t -> !t.startsWith("/")))
                .toList();
    }

    /** Returns commands as a list of commands shows them. */
    public static List<CommandHelp> help(List<? extends ChatCommand> commands) {
        return commands.stream()
                .map(command -> new CommandHelp(command.aliases(), command.usage(), command.summary()))
                .toList();
    }

    private void collect(List<ChatCommand> commands) {
        for (ChatCommand command : commands) {
            byName.putIfAbsent(command.name(), command);
        }
        for (ChatCommand command : commands) {
            command.aliases().forEach(alias -> byName.putIfAbsent(alias, command));
        }
    }

    /** Returns a trigger without its slash. */
    public static String nameOf(String trigger) {
        return trigger.startsWith("/") ? trigger.substring(1) : trigger;
    }

    private static String normal(String text) {
        return text.strip().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    }

    /** Returns all commands, by name. */
    public List<ChatCommand> all() {
        return all;
    }

    /**
     * A text that reads like a command.
     *
     * @param name its name as typed, lower-case
     * @param command the command; absent if no command has that name
     * @param arguments the rest
     */
    public record Typed(String name, Optional<ChatCommand> command, String arguments) {}

    /** Returns the command that a text without a slash is, word by word, with or without a yes behind it. */
    private Optional<Typed> words(String text) {
        boolean yes = text.endsWith(YES) && !byWords.containsKey(text);
        String words = yes ? text.substring(0, text.length() - YES.length()) : text;
        return Optional.ofNullable(byWords.get(words))
                .map(command -> new Typed(words, Optional.of(command), yes ? YES.strip() : ""));
    }

    /** Returns whether a text begins as commands do that are no configured words. */
    public static boolean hasSlash(String text) {
        return text.strip().startsWith("/");
    }

    /** Returns the command a text reads as; nothing for plain text and for file paths. */
    public Optional<Typed> read(String text) {
        String line = text.strip();
        if (!hasSlash(line)) {
            return byWords.isEmpty() ? Optional.empty() : words(normal(line));
        }
        int end = 1;
        while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
            end++;
        }
        String name = line.substring(1, end).toLowerCase(Locale.ROOT);
        int bot = name.indexOf('@');
        if (bot >= 0) {
            name = name.substring(0, bot);
        }
        if (name.isEmpty() || name.indexOf('/') >= 0) {
            return Optional.empty();
        }
        String arguments = AUTOCORRECTED
                .matcher(line.substring(end).strip())
                .replaceAll("--")
                .replace('\u2014', '-')
                .replace('\u2013', '-');
        return Optional.of(new Typed(name, Optional.ofNullable(byName.get(name)), arguments));
    }
}
