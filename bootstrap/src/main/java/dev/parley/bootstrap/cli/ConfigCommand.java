package dev.parley.bootstrap.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Shows and checks the configuration; alone it shows it. */
@Command(
        name = "config",
        description = "show or check the effective configuration",
        synopsisSubcommandLabel = "show|check")
final class ConfigCommand implements Callable<Integer> {
    private final ConfigShowCommand show;

    private ConfigCommand(ConfigShowCommand show) {
        this.show = show;
    }

    /** Returns this command with its own ones. */
    static CommandLine of(ParleyCommand root) {
        ConfigShowCommand show = new ConfigShowCommand(root);
        return new CommandLine(new ConfigCommand(show)).addSubcommand(show).addSubcommand(new ConfigCheckCommand(root));
    }

    @Override
    public Integer call() {
        return show.call();
    }
}
