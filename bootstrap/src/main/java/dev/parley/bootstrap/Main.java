package dev.parley.bootstrap;

import dev.parley.bootstrap.cli.ParleyCommand;
import dev.parley.bootstrap.cli.Surroundings;
import dev.parley.bootstrap.wiring.Uncaught;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;

/** The entry point of the {@code parley} program. */
public final class Main {
    private Main() {}

    /**
     * Runs the command named by the arguments and exits with its code.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        // Guice would otherwise generate classes into modules that are not open to it.
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
        // The launcher looks whether a person sits at both ends; Java has no way to tell that holds for every version.
        Surroundings around = new Surroundings(
                System.getenv(),
                userHome(),
                System.in,
                new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                InstantSource.system(),
                ZoneId.systemDefault(),
                Boolean.getBoolean("parley.terminal"));
        Uncaught.install();
        System.exit(ParleyCommand.run(around, args));
    }

    /** What the shell calls {@code ~}; Java goes by the list of users instead, in which a container's user may be missing. */
    private static Path userHome() {
        return Path.of(Optional.ofNullable(System.getenv("HOME"))
                .filter(home -> !home.isBlank())
                .orElseGet(() -> System.getProperty("user.home")));
    }
}
