package dev.parley.application.gateway;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The commands of a gateway, and how one is recognised in a text (Q8.2). */
final class Commands {
    private final Map<String, ChatCommand> byName = new HashMap<>();
    private final List<ChatCommand> all;

    Commands(List<ChatCommand> commands) {
        for (ChatCommand command : commands) {
            byName.putIfAbsent(command.name(), command);
        }
        for (ChatCommand command : commands) {
            command.aliases().forEach(alias -> byName.putIfAbsent(alias, command));
        }
        all = byName.values().stream()
                .distinct()
                .sorted(Comparator.comparing(ChatCommand::name))
                .toList();
    }

    List<ChatCommand> all() {
        return all;
    }

    /**
     * A text that reads like a command.
     *
     * @param name its name as typed, lower-case
     * @param command the command; absent where there is none of that name
     * @param arguments the rest
     */
    record Typed(String name, Optional<ChatCommand> command, String arguments) {}

    /** Returns the command a text reads as; nothing for plain text and for file paths. */
    Optional<Typed> read(String text) {
        String line = text.strip();
        if (!line.startsWith("/")) {
            return Optional.empty();
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
        String arguments = line.substring(end).strip().replace('\u2014', '-').replace('\u2013', '-');
        return Optional.of(new Typed(name, Optional.ofNullable(byName.get(name)), arguments));
    }
}
