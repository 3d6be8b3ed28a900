package dev.parley.application.command;

import java.util.List;

/**
 * A command as a list of commands shows it.
 *
 * @param aliases its other names, without the slash
 * @param usage how it is written
 * @param summary what it does, in one line
 */
public record CommandHelp(List<String> aliases, String usage, String summary) {
    public CommandHelp {
        aliases = List.copyOf(aliases);
    }
}
