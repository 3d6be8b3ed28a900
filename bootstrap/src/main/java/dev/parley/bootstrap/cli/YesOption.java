package dev.parley.bootstrap.cli;

import picocli.CommandLine.Option;

/** The option that answers the question of a destructive command. */
final class YesOption {
    @Option(names = "--yes", description = "do not ask")
    private boolean said;

    boolean isSaid() {
        return said;
    }
}
