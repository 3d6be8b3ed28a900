package dev.parley.bootstrap.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that has subcommands; alone it prints its help. */
abstract class CommandGroup implements CommandParent, Runnable {
    private final ParleyCommand root;

    @Spec
    private @Nullable CommandSpec spec;

    CommandGroup(ParleyCommand root) {
        this.root = root;
    }

    final Workplace workplace() {
        return root.workplace();
    }

    @Override
    public final void run() {
        CommandSpec s = spec;
        if (s != null) {
            s.commandLine().usage(root.workplace().out());
        }
    }
}
