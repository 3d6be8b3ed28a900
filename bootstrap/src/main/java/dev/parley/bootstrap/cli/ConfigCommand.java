package dev.parley.bootstrap.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows and checks the configuration; alone it shows it. */
@Command(
        name = "config",
        description = "show or check the effective configuration",
        synopsisSubcommandLabel = "show|check")
final class ConfigCommand implements CommandParent, Callable<Integer> {
    private final ParleyCommand root;
    private final ConfigShowCommand show;

    ConfigCommand(ParleyCommand root) {
        this.root = root;
        this.show = new ConfigShowCommand(root);
    }

    @Override
    public List<Object> commands() {
        return List.of(show, new ConfigCheckCommand(root));
    }

    @Override
    public Integer call() {
        return show.call();
    }
}
