package dev.parley.bootstrap.cli;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;

/**
 * What the program finds around it; given, so that tests can give something else.
 *
 * @param environment the environment
 * @param userHome the user's home
 * @param in standard input
 * @param out standard output, UTF-8
 * @param err standard error, UTF-8
 * @param clock the clock
 * @param zone the system's zone
 * @param terminal whether both input and output are a terminal
 */
public record Surroundings(
        Map<String, String> environment,
        Path userHome,
        InputStream in,
        PrintStream out,
        PrintStream err,
        InstantSource clock,
        ZoneId zone,
        boolean terminal) {
    public Surroundings {
        environment = Map.copyOf(environment);
    }
}
