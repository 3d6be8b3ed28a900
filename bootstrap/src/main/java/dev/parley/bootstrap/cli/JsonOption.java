package dev.parley.bootstrap.cli;

import picocli.CommandLine.Option;

/** The option that asks for JSON. */
final class JsonOption {
    @Option(names = "--json", description = "print JSON")
    private boolean wanted;

    boolean isWanted() {
        return wanted;
    }
}
