package dev.parley.bootstrap.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the program in this process, on a home of its own. */
final class CommandLineProgram {
    /** The time of the changes in the reference's answers. */
    private static final Instant NOW = Instant.ofEpochSecond(1_772_000_000L);

    private final Path home;
    private final Map<String, String> environment;
    private final InstantSource clock;

    CommandLineProgram(Path home) {
        this(home, Map.of(), InstantSource.fixed(NOW));
    }

    CommandLineProgram(Path home, Map<String, String> environment, InstantSource clock) {
        this.home = home;
        this.environment = Map.copyOf(environment);
        this.clock = clock;
    }

    /** What a run has left. */
    record Result(int code, String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }

        List<String> errors() {
            return err.lines().toList();
        }
    }

    Path home() {
        return home;
    }

    Result run(String... arguments) {
        return runWith("", arguments);
    }

    Result runWith(String input, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--home", home.toString()));
        all.addAll(List.of(arguments));
        return bare(input, all.toArray(String[]::new));
    }

    /** Runs as on a terminal, where {@code typed} is what a person types. */
    Result onTerminal(String typed, String... arguments) {
        List<String> all = new ArrayList<>(List.of("--home", home.toString()));
        all.addAll(List.of(arguments));
        return start(typed, true, all.toArray(String[]::new));
    }

    /** Runs without naming the home. */
    Result bare(String input, String... arguments) {
        return start(input, false, arguments);
    }

    private Result start(String input, boolean terminal, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings around = new Surroundings(
                environment,
                home,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                clock,
                ZoneOffset.UTC,
                terminal);
        int code = ParleyCommand.run(around, arguments);
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Copies a database of the reference to a place where it may be changed. */
    static Path fixture(String name, Path directory) throws IOException {
        Path copy = directory.resolve(name);
        try (InputStream in = CommandLineProgram.class.getResourceAsStream("/fixtures/" + name)) {
            Files.copy(java.util.Objects.requireNonNull(in, name), copy);
        }
        return copy;
    }
}
