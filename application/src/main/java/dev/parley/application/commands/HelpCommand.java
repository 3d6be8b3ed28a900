package dev.parley.application.commands;

import dev.parley.application.command.ChatCommand;
import dev.parley.application.command.CommandContext;
import dev.parley.application.command.CommandHelp;
import dev.parley.application.command.CommandOutcome;
import dev.parley.application.command.Flags;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Lists the commands of the gateway. */
final class HelpCommand implements ChatCommand {
    @Override
    public String name() {
        return "help";
    }

    @Override
    public List<String> aliases() {
        return List.of("commands");
    }

    @Override
    public String usage() {
        return "/help";
    }

    @Override
    public String summary() {
        return "lists the commands";
    }

    @Override
    public When when() {
        return When.ALWAYS;
    }

    @Override
    public Optional<Flags> flags() {
        return Optional.of(Flags.anywhere());
    }

    @Override
    public CommandOutcome run(CommandContext context) {
        return CommandOutcome.reply(context.around().commands().stream()
                .map(HelpCommand::line)
                .collect(Collectors.joining("\n", "Commands:\n", "")));
    }

    private static String line(CommandHelp command) {
        String also = command.aliases().isEmpty()
                ? ""
                : " (also " + command.aliases().stream().map(a -> "/" + a).collect(Collectors.joining(", ")) + ")";
        return command.usage() + " – " + command.summary() + also;
    }
}
