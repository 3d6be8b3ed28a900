package dev.parley.bootstrap.cli;

import dev.parley.application.port.InvalidRequest;
import picocli.CommandLine.Option;

/** The options that choose the part of a list that is shown. */
final class WindowOptions {
    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "at most N rows (default: 20); negative: all")
    private int limit;

    @Option(names = "--offset", paramLabel = "N", defaultValue = "0", description = "leave out the first N rows")
    private int offset;

    /** Returns the most rows; negative for all. */
    int limit() {
        return limit;
    }

    /** Returns how many rows are left out. */
    int offset() {
        if (offset < 0) {
            throw new InvalidRequest("--offset is " + offset + "; say a number of at least 0.");
        }
        return offset;
    }
}
